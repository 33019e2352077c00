//! Follows a definition through the versions of its file.

use std::collections::HashMap;

use super::{Trail, TrailStep};
use crate::repo::git::object_id;
use crate::repo::{Checkout, definitions};
use crate::{StoryEvent, Symbol};

/// Most versions of the file that are read, the newest.
const VERSIONS: usize = 300;
/// Most bytes that are parsed.
const BYTES: u64 = 24 << 20;
/// Most other files of a commit in which a definition that appears is looked for.
const NEIGHBOURS: usize = 12;

/// What commits did to a definition, and how far was looked.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SymbolTrail {
    /// Commits that changed its body, newest first.
    pub steps: Vec<TrailStep>,
    /// Commits of the file that were looked at.
    pub looked_at: usize,
    /// Commits of the file that were not, because there are too many.
    pub left_out: usize,
}

/// Follows a definition back through its file's commits until the one that made it, comparing its body in each with the
/// one before.
///
/// Bounded: the newest 300 versions, and 24 MB of text.
pub fn follow_symbol(checkout: &Checkout, trail: &Trail, symbol: &Symbol) -> SymbolTrail {
    let mut found = SymbolTrail::default();
    let Some(repository) = checkout.repository() else {
        return found;
    };
    let mut versions = Versions {
        repository,
        prefix: &trail.prefix,
        symbol,
        bodies: HashMap::new(),
        bytes: 0,
    };
    for (position, step) in trail.steps.iter().enumerate() {
        if position >= VERSIONS || versions.bytes >= BYTES {
            found.left_out = trail.steps.len() - position + trail.unread;
            break;
        }
        found.looked_at += 1;
        let now = match step.event {
            StoryEvent::Gone => None,
            _ => versions.body(&step.commit.id, &step.path),
        };
        let before_path = step.from.as_deref().unwrap_or(&step.path);
        let parent = versions.parent(&step.commit.id);
        let before = parent
            .as_deref()
            .filter(|_| step.event != StoryEvent::Born)
            .and_then(|parent| versions.body(parent, before_path));
        let event = match (&before, &now) {
            (Some(before), Some(now)) if before == now => continue,
            (Some(_), Some(_)) => StoryEvent::Changed,
            (Some(_), None) => StoryEvent::Gone,
            (None, Some(_)) => StoryEvent::Born,
            (None, None) => continue,
        };
        let mut told = step.clone();
        told.event = event;
        told.from = None;
        if event == StoryEvent::Born
            && let Some(parent) = &parent
            && let Some(from) = versions.moved_from(parent, step, now.as_deref())
        {
            told.event = StoryEvent::Moved;
            told.from = Some(from);
        }
        found.steps.push(told);
        if event == StoryEvent::Born {
            break;
        }
    }
    found
}

/// Versions of one definition.
struct Versions<'a> {
    repository: &'a gix::Repository,
    prefix: &'a str,
    symbol: &'a Symbol,
    /// Bodies by blob, and by the path that decides its language.
    bodies: HashMap<(gix::ObjectId, String), Option<String>>,
    bytes: u64,
}

impl Versions<'_> {
    fn parent(&self, commit: &str) -> Option<String> {
        let commit = self.repository.find_commit(object_id(commit)?).ok()?;
        let parent = commit.parent_ids().next()?;
        Some(parent.to_hex().to_string())
    }

    /// Returns the hash of the definition's body in a file of a commit.
    fn body(&mut self, commit: &str, path: &str) -> Option<String> {
        let commit = self.repository.find_commit(object_id(commit)?).ok()?;
        let tree = commit.tree().ok()?;
        let entry = tree
            .lookup_entry_by_path(format!("{}{path}", self.prefix))
            .ok()??;
        let blob = entry.id().detach();
        let key = (blob, path.to_owned());
        if let Some(known) = self.bodies.get(&key) {
            return known.clone();
        }
        let object = entry.object().ok()?;
        self.bytes += object.data.len() as u64;
        let body = definitions(path, &object.data)
            .and_then(|found| same(&found, self.symbol).map(|symbol| symbol.body.clone()));
        self.bodies.insert(key, body.clone());
        body
    }

    /// Finds the file from which a commit took the definition: it had it with the same body, and has it no more.
    fn moved_from(&mut self, parent: &str, step: &TrailStep, body: Option<&str>) -> Option<String> {
        let others = step.commit.paths.iter().filter(|path| **path != step.path);
        for other in others.take(NEIGHBOURS) {
            let before = self.body(parent, other);
            if before.is_some()
                && before.as_deref() == body
                && self.body(&step.commit.id, other).is_none()
            {
                return Some(other.clone());
            }
        }
        None
    }
}

/// Finds a definition again: of the same name and kind, below the same parent where there is one.
fn same<'s>(found: &'s [Symbol], wanted: &Symbol) -> Option<&'s Symbol> {
    let named = || found.iter().filter(|symbol| symbol.name == wanted.name);
    named()
        .find(|symbol| symbol.parent == wanted.parent && symbol.kind == wanted.kind)
        .or_else(|| named().find(|symbol| symbol.parent == wanted.parent))
}
