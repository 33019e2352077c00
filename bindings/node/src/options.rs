//! Options of the methods, and what the core makes of them.

use memorax_core::{
    Actor, Builder, EmbedderChoice, Fields, Filter, Memorax, MemoryKind, Note, Query, Result,
    Status, Trust,
};
use napi_derive::napi;

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct OpenOptions {
    pub home: Option<String>,
    pub actor: Option<String>,
    pub session: Option<String>,
    pub embedder: Option<String>,
    pub hnsw_threshold: Option<u32>,
}

impl OpenOptions {
    pub(crate) fn builder(self) -> Result<Builder> {
        let mut writer = Actor::detect("node", false);
        if let Some(name) = self.actor {
            writer = Actor::new(name, Trust::Agent).via("node");
        }
        if let Some(session) = self.session {
            writer = writer.session(session);
        }
        let mut builder = Memorax::builder().actor(writer);
        if let Some(home) = self.home {
            builder = builder.home(home);
        }
        if let Some(name) = self.embedder {
            builder = match name.parse::<EmbedderChoice>()?.open()? {
                Some(embedder) => builder.embedder(embedder),
                None => builder.without_embedder(),
            };
        }
        match self.hnsw_threshold {
            Some(vectors) => with_threshold(builder, vectors),
            None => Ok(builder),
        }
    }
}

/// Hands on from how many memories graphs are searched.
#[cfg(feature = "hnsw")]
#[expect(clippy::unnecessary_wraps, reason = "a build without graphs refuses")]
fn with_threshold(builder: Builder, vectors: u32) -> Result<Builder> {
    Ok(builder.hnsw_threshold(u64::from(vectors)))
}

/// Refuses: this build has no graphs.
#[cfg(not(feature = "hnsw"))]
fn with_threshold(_builder: Builder, _vectors: u32) -> Result<Builder> {
    Err(memorax_core::Error::new(
        memorax_core::ErrorKind::InvalidInput,
        "this package was built without the feature `hnsw`",
    ))
}

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct BriefOptions {
    pub budget: Option<u32>,
}

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct HistoryOptions {
    pub limit: Option<u32>,
}

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct MilestonesOptions {
    pub limit: Option<u32>,
}

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct RecallOptions {
    pub budget: Option<u32>,
    pub memories: Option<u32>,
    pub files: Option<u32>,
    pub kinds: Option<Vec<String>>,
    pub path: Option<String>,
}

impl RecallOptions {
    pub(crate) fn query(self, text: String) -> Result<Query> {
        let mut query = Query::new(text);
        query.budget = self.budget.map_or(query.budget, size);
        query.memories = self.memories.map_or(query.memories, size);
        query.files = self.files.map_or(query.files, size);
        query.kinds = kinds_of(self.kinds)?;
        query.path = self.path;
        Ok(query)
    }
}

#[napi(object, object_to_js = false)]
pub struct RememberOptions {
    pub kind: String,
    pub title: Option<String>,
    pub path: Option<String>,
    pub tags: Option<Vec<String>>,
    pub everywhere: Option<bool>,
}

impl RememberOptions {
    pub(crate) fn note(self, text: String) -> Result<Note> {
        let mut note =
            Note::new(text, self.kind.parse()?).everywhere(self.everywhere.unwrap_or_default());
        note.title = self.title;
        note.path = self.path;
        note.tags = self.tags.unwrap_or_default();
        Ok(note)
    }
}

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct ListOptions {
    pub kinds: Option<Vec<String>>,
    pub statuses: Option<Vec<String>>,
    pub tag: Option<String>,
    pub path: Option<String>,
    pub text: Option<String>,
    pub all_lines: Option<bool>,
    pub deleted: Option<bool>,
    pub limit: Option<u32>,
}

impl ListOptions {
    pub(crate) fn filter(self) -> Result<Filter> {
        let mut filter = Filter::new();
        filter.kinds = kinds_of(self.kinds)?;
        filter.statuses = self.statuses.unwrap_or_default();
        filter.tag = self.tag;
        filter.path = self.path;
        filter.text = self.text;
        filter.all_lines = self.all_lines.unwrap_or_default();
        filter.deleted = self.deleted.unwrap_or_default();
        filter.limit = self.limit.map(size);
        Ok(filter)
    }
}

#[napi(object, object_to_js = false)]
pub struct EditOptions {
    pub text: Option<String>,
    pub title: Option<String>,
    pub kind: Option<String>,
    pub add_tags: Option<Vec<String>>,
    pub remove_tags: Option<Vec<String>>,
    pub archived: Option<bool>,
}

impl EditOptions {
    pub(crate) fn fields(self) -> Result<Fields> {
        let mut fields = Fields::default();
        fields.text = self.text;
        fields.title = self.title;
        fields.kind = self.kind.as_deref().map(str::parse).transpose()?;
        fields.add_tags = self.add_tags.unwrap_or_default();
        fields.remove_tags = self.remove_tags.unwrap_or_default();
        fields.status = self.archived.map(|archived| {
            if archived {
                Status::Archived
            } else {
                Status::Active
            }
        });
        Ok(fields)
    }
}

#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct FeedbackOptions {
    pub note: Option<String>,
}

/// Widens a number of JavaScript.
pub(crate) fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn kinds_of(names: Option<Vec<String>>) -> Result<Vec<MemoryKind>> {
    names
        .unwrap_or_default()
        .iter()
        .map(|name| name.parse())
        .collect()
}
