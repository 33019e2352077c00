//! Where things are: the repository, cargo's target folder, and the programs that the stages call.

use std::env;
use std::path::{Path, PathBuf};

use crate::command::Call;

/// Features that are off by default. Every stage names them, so that all share one build.
pub(crate) const FEATURES: [&str; 2] = [
    "--features",
    "memorax-core/onnx,memorax-core/hnsw,memorax-bench/onnx,memorax-bench/hnsw,memorax-cli/onnx,memorax-examples/models,\
     memorax-node/onnx,memorax-node/hnsw,memorax-python/onnx,memorax-python/hnsw",
];

/// The repository that this program was built from.
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Finds the repository above this package, and the target folder around this program.
    pub(crate) fn find() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("this package lies in a folder of the repository")
            .to_path_buf();
        // Cargo puts this program at <target>/<profile>/xtask, wherever the user's settings place <target>.
        let target = env::current_exe()
            .ok()
            .and_then(|program| program.ancestors().nth(2).map(Path::to_path_buf))
            .filter(|target| target.join("CACHEDIR.TAG").exists())
            .unwrap_or_else(|| root.join("target"));
        Self { root, target }
    }

    /// Returns the path of something in the repository.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns the path of something in the target folder, where everything that a stage makes is kept.
    pub(crate) fn target(&self, relative: &str) -> PathBuf {
        self.target.join(relative)
    }

    /// Prepares a call of a program in the repository's root.
    pub(crate) fn call(&self, program: impl AsRef<std::ffi::OsStr>) -> Call {
        Call::new(program).folder(&self.root)
    }

    /// Prepares a call of cargo, the one that runs this program.
    pub(crate) fn cargo(&self) -> Call {
        self.call(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .env("CARGO_TARGET_DIR", &self.target)
    }
}
