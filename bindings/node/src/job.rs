//! The one way in which a call runs: on a thread of libuv's pool, as a promise.

use std::panic::{AssertUnwindSafe, catch_unwind};

use memorax_core::Result;
use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Task};

use crate::error::{lifted, panicked};

/// A call of the core that has not been made yet.
pub struct Job<T> {
    work: Option<Box<dyn FnOnce() -> Result<T> + Send>>,
}

impl<T: Send + ToNapiValue + TypeName + 'static> Job<T> {
    /// Makes a promise of a call.
    pub(crate) fn spawn(work: impl FnOnce() -> Result<T> + Send + 'static) -> AsyncTask<Self> {
        AsyncTask::new(Self {
            work: Some(Box::new(work)),
        })
    }
}

impl<T: Send + ToNapiValue + TypeName + 'static> Task for Job<T> {
    type Output = T;
    type JsValue = T;

    fn compute(&mut self) -> napi::Result<T> {
        let work = self.work.take().expect("a task is computed once");
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => result.map_err(|error| lifted(&error)),
            Err(panic) => Err(panicked(panic.as_ref())),
        }
    }

    fn resolve(&mut self, _env: Env, output: T) -> napi::Result<T> {
        Ok(output)
    }
}
