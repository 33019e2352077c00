//! The handle: each method converts in, makes one call of the core on another thread, converts out.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use memorax_core::{
    BRIEF_BUDGET, Error, ErrorKind, InitOptions, MILESTONES, Memorax as Handle, Result,
    STORY_COMMITS,
};
use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi_derive::napi;
use serde_json::json;

use crate::convert::{Check, Memory, Plain, Recall, Remembered, Shown, all};
use crate::job::Job;
use crate::options::{
    BriefOptions, EditOptions, FeedbackOptions, HistoryOptions, ListOptions, MilestonesOptions,
    OpenOptions, RecallOptions, RememberOptions, size,
};

#[napi]
pub fn open(path: Option<String>, options: Option<OpenOptions>) -> AsyncTask<Job<Memorax>> {
    Job::spawn(move || {
        let handle = options
            .unwrap_or_default()
            .builder()?
            .open(path.as_deref().unwrap_or("."))?;
        Ok(Memorax {
            root: handle.root().display().to_string(),
            handle: Mutex::new(Some(handle)),
        })
    })
}

#[napi]
pub struct Memorax {
    root: String,
    handle: Mutex<Option<Handle>>,
}

impl Memorax {
    fn call<T: Send + ToNapiValue + TypeName + 'static>(
        &self,
        work: impl FnOnce(&Handle) -> Result<T> + Send + 'static,
    ) -> AsyncTask<Job<T>> {
        let handle = self
            .handle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let closed = format!("the memory of `{}` is closed", self.root);
        Job::spawn(move || match handle {
            Some(handle) => work(&handle),
            None => Err(Error::new(ErrorKind::InvalidInput, closed)),
        })
    }
}

#[napi]
impl Memorax {
    #[napi]
    pub fn init(&self) -> AsyncTask<Job<Plain>> {
        self.call(|memory| {
            let init = memory.init(&InitOptions {
                interrupt: &AtomicBool::new(false),
                progress: &|_| {},
            })?;
            Ok(Plain(
                json!({ "identity": init.identity, "view": init.view, "branches": init.branches }),
            ))
        })
    }

    #[napi]
    pub fn brief(&self, options: Option<BriefOptions>) -> AsyncTask<Job<String>> {
        let budget = options
            .and_then(|options| options.budget)
            .map_or(BRIEF_BUDGET, size);
        self.call(move |memory| Ok(memory.brief(budget)?.text))
    }

    #[napi]
    pub fn recall(&self, text: String, options: Option<RecallOptions>) -> AsyncTask<Job<Recall>> {
        self.call(move |memory| {
            let query = options.unwrap_or_default().query(text)?;
            memory.recall(&query).map(Recall::from)
        })
    }

    #[napi]
    pub fn remember(&self, text: String, options: RememberOptions) -> AsyncTask<Job<Remembered>> {
        self.call(move |memory| {
            memory
                .remember_with(options.note(text)?)
                .map(Remembered::from)
        })
    }

    #[napi]
    pub fn check(&self, text: String) -> AsyncTask<Job<Check>> {
        self.call(move |memory| memory.check(&text).map(Check::from))
    }

    #[napi]
    pub fn list(&self, options: Option<ListOptions>) -> AsyncTask<Job<Vec<Memory>>> {
        self.call(move |memory| memory.list(&options.unwrap_or_default().filter()?).map(all))
    }

    #[napi]
    pub fn show(&self, id: String) -> AsyncTask<Job<Shown>> {
        self.call(move |memory| memory.show(&id).map(Shown::from))
    }

    #[napi]
    pub fn edit(&self, id: String, changes: EditOptions) -> AsyncTask<Job<String>> {
        self.call(move |memory| {
            memory
                .edit(&id, changes.fields()?)
                .map(|outcome| outcome.as_str().to_owned())
        })
    }

    #[napi]
    pub fn forget(&self, id: String) -> AsyncTask<Job<String>> {
        self.call(move |memory| {
            memory
                .forget(&id)
                .map(|outcome| outcome.as_str().to_owned())
        })
    }

    #[napi]
    pub fn feedback(
        &self,
        id: String,
        verdict: String,
        options: Option<FeedbackOptions>,
    ) -> AsyncTask<Job<String>> {
        self.call(move |memory| {
            let note = options.and_then(|options| options.note);
            memory
                .feedback(&id, verdict.parse()?, note)
                .map(|outcome| outcome.as_str().to_owned())
        })
    }

    #[napi]
    pub fn history(&self, place: String, options: Option<HistoryOptions>) -> AsyncTask<Job<Plain>> {
        let limit = options.and_then(|options| options.limit);
        let limit = limit.map_or(STORY_COMMITS, size);
        self.call(move |memory| Ok(Plain(json!(memory.history(&place, limit)?))))
    }

    #[napi]
    pub fn milestones(&self, options: Option<MilestonesOptions>) -> AsyncTask<Job<Plain>> {
        let limit = options.and_then(|options| options.limit);
        let limit = limit.map_or(MILESTONES, size);
        self.call(move |memory| Ok(Plain(json!(memory.milestones(limit)?))))
    }

    #[napi]
    pub fn status(&self) -> AsyncTask<Job<Plain>> {
        self.call(|memory| Ok(Plain(json!(memory.status()?))))
    }

    #[napi]
    pub fn close(&self) -> AsyncTask<Job<()>> {
        let handle = self
            .handle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        Job::spawn(move || {
            drop(handle);
            Ok(())
        })
    }
}
