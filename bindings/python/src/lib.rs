//! The native half of the Python package: conversions only, everything else is `memorax-core`.
//!
//! Start with `handle.rs` (the methods), then `convert.rs` (the data) and `error.rs` (the exceptions).

mod convert;
mod embedder;
mod error;
mod handle;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(module)?;
    module.add_class::<handle::Memorax>()?;
    module.add_class::<convert::Check>()?;
    module.add_class::<convert::Citation>()?;
    module.add_class::<convert::FileHit>()?;
    module.add_class::<convert::PastCommit>()?;
    module.add_class::<convert::StatedCommand>()?;
    module.add_class::<convert::Hit>()?;
    module.add_class::<convert::Memory>()?;
    module.add_class::<convert::Recall>()?;
    module.add_class::<convert::RejectionHit>()?;
    module.add_class::<convert::Remembered>()?;
    module.add_class::<convert::Shown>()?;
    module.add_class::<convert::Signal>()?;
    module.add_function(wrap_pyfunction!(handle::open, module)?)
}
