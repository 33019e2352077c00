//! What happened here: the story of one place, and the milestones of the whole.

use std::sync::Arc;

use super::handle::{Inner, Memorax};
use crate::repo::{
    Field, QueryWord, RepositoryView, StoryOptions, Trail, follow_symbol, near_names, tell,
};
use crate::{
    Anchor, Error, ErrorKind, Memory, Milestone, PlaceKind, Result, Story, StoryMemory, Symbol,
    SymbolKind,
};

/// Commits of a story when nobody says how many.
pub const STORY_COMMITS: usize = 12;
/// Most memories of a story.
const MEMORIES: usize = 10;
/// Memories that are looked at for them.
const CITING: usize = 40;
/// Most files in which a definition is looked for.
const FILES: usize = 40;
/// Most names that are offered instead of an unknown one.
const OFFERED: usize = 3;

impl Memorax {
    /// Tells the story of a place, with at most `limit` of its commits: a file or folder, also one that is gone, by its
    /// path relative to the root; or a definition, as `name`, `parent::name` or `path:name`.
    ///
    /// # Errors
    /// `NotFound` where neither the files nor the history know such a place, or nothing was indexed yet.
    pub fn history(&self, place: &str, limit: usize) -> Result<Story> {
        let inner = self.inner()?;
        let asked = place.trim();
        let view = inner.indexed()?;
        if asked.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "the place is empty")
                .with_hint("name a file, a folder or a definition"));
        }
        // What is no path below the root may still be a name, such as `a::b`.
        let path = inner.relative_path(asked).unwrap_or_default();
        if !path.is_empty()
            && let Some(trail) = view.trail(&path)?
        {
            let mut story = inner.told(&*view, asked, &trail, limit)?;
            story.memories = inner.citing(&*view, &story, None)?;
            if trail.steps.is_empty() && trail.kind == PlaceKind::File {
                story.notes.push("no commit has it yet".to_owned());
            }
            return Ok(story);
        }
        if let Some(story) = inner.symbol_story(&view, asked, limit)? {
            return Ok(story);
        }
        Err(unknown(&*view, asked)?)
    }

    /// Returns the turns in the life of the repository that matter most, newest first, at most `limit`.
    ///
    /// # Errors
    /// `NotFound` where nothing was indexed yet.
    pub fn milestones(&self, limit: usize) -> Result<Vec<Milestone>> {
        let inner = self.inner()?;
        let mut milestones = inner.indexed()?.milestones()?;
        if milestones.len() > limit {
            milestones.sort_by(|left, right| right.weight.total_cmp(&left.weight));
            milestones.truncate(limit);
            milestones
                .sort_by(|left, right| right.at.cmp(&left.at).then(left.commit.cmp(&right.commit)));
        }
        Ok(milestones)
    }
}

impl Inner {
    fn indexed(&self) -> Result<Arc<dyn RepositoryView>> {
        self.view()?.ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                format!("`{}` is not indexed yet", self.root.display()),
            )
            .with_hint("memorax init")
        })
    }

    fn told(
        &self,
        view: &dyn RepositoryView,
        asked: &str,
        trail: &Trail,
        limit: usize,
    ) -> Result<Story> {
        let files = view.files()?;
        let is_file = |path: &str| {
            files
                .binary_search_by(|file| file.path.as_str().cmp(path))
                .is_ok()
        };
        let options = StoryOptions {
            limit,
            issue: &|_| None,
            is_file: &is_file,
        };
        Ok(tell(asked, trail, &options))
    }

    /// Tells the story of a definition that is there now.
    fn symbol_story(
        &self,
        view: &Arc<dyn RepositoryView>,
        asked: &str,
        limit: usize,
    ) -> Result<Option<Story>> {
        let Some((file, symbol, others)) = find(&**view, asked)? else {
            return Ok(None);
        };
        let path = view.files()?[file as usize].path.clone();
        let Some(trail) = view.trail(&path)? else {
            return Ok(None);
        };
        let checkout = self.checkout()?;
        let followed = follow_symbol(&checkout, &trail, &symbol);
        let mut own = trail;
        own.kind = PlaceKind::Symbol;
        own.steps = followed.steps;
        own.unread = 0;
        let mut story = self.told(&**view, asked, &own, limit)?;
        let name = full_name(&symbol);
        story.symbol = Some(format!("{name} ({}-{})", symbol.line, symbol.end));
        if followed.left_out > 0 {
            story.notes.push(format!(
                "looked at the newest {} commits of `{path}`; {} older ones were not compared",
                followed.looked_at, followed.left_out
            ));
        }
        if story.changes == 0 {
            story.notes.push("no commit has it yet".to_owned());
        }
        if !others.is_empty() {
            story
                .notes
                .push(format!("also defined in {}", others.join(", ")));
        }
        story.memories = self.citing(&**view, &story, Some(&symbol))?;
        Ok(Some(story))
    }

    /// Returns the memories that cite a place, newest first.
    fn citing(
        &self,
        view: &dyn RepositoryView,
        story: &Story,
        symbol: Option<&Symbol>,
    ) -> Result<Vec<StoryMemory>> {
        let cites = |memory: &Memory| {
            memory.anchors.iter().any(|anchor| match (symbol, anchor) {
                (Some(symbol), Anchor::Symbol { name, .. }) => *name == symbol.name,
                (Some(_), _) => false,
                (None, _) => true,
            }) || (symbol.is_none() && memory.scope.path.is_some())
        };
        let found = self.with_context(Some(view), true, |context| {
            let mut found = Vec::new();
            for path in std::iter::once(&story.path).chain(&story.former) {
                found.extend(context.memories.citing(path, CITING)?);
            }
            Ok(found)
        })?;
        let mut memories: Vec<StoryMemory> = found
            .iter()
            .filter(|memory| cites(memory))
            .map(|memory| {
                StoryMemory::new(memory.id, memory.kind, memory.title.clone(), memory.updated)
            })
            .collect();
        memories.sort_by(|left, right| {
            right
                .updated
                .cmp(&left.updated)
                .then(left.id.cmp(&right.id))
        });
        memories.dedup_by_key(|memory| memory.id);
        memories.truncate(MEMORIES);
        Ok(memories)
    }
}

/// Takes `path:name`, `parent::name`, `parent.name` or `name` apart.
fn parts(asked: &str) -> (Option<&str>, Option<&str>, &str) {
    let (path, rest) = match asked.split_once(':') {
        Some((path, rest)) if !rest.starts_with(':') && path.contains(['.', '/']) => {
            (Some(path), rest.trim_start_matches(':'))
        }
        _ => (None, asked),
    };
    let rest = rest.trim_end_matches("()");
    let split = rest
        .rsplit_once("::")
        .or_else(|| rest.rsplit_once('.'))
        .or_else(|| rest.rsplit_once('#'));
    match split {
        Some((parent, name)) => {
            let parent = parent.rsplit("::").next().unwrap_or(parent);
            (
                path,
                Some(parent.rsplit('.').next().unwrap_or(parent)),
                name,
            )
        }
        None => (path, None, rest),
    }
}

/// Finds a definition by its name: the file, the definition, and where else there is one of that name.
fn find(view: &dyn RepositoryView, asked: &str) -> Result<Option<(u32, Symbol, Vec<String>)>> {
    let (path, parent, name) = parts(asked);
    let words = [QueryWord {
        word: name.to_owned(),
        weight: 1.0,
    }];
    let files = view.files()?;
    let mut found = Vec::new();
    for hit in view.search(Field::Symbol, &words, FILES)? {
        let file = &files[hit.file as usize];
        if path.is_some_and(|path| !file.path.ends_with(path.trim_start_matches("./"))) {
            continue;
        }
        for symbol in view.symbols(hit.file)? {
            let fits = symbol.name == name
                && symbol.kind != SymbolKind::Heading
                && parent.is_none_or(|parent| symbol.parent.as_deref() == Some(parent));
            if fits {
                found.push((hit.file, symbol, file.changes));
            }
        }
    }
    // Types before functions, code before tests, what changes much before what lies still.
    found.sort_by_key(|(file, symbol, changes)| {
        let kind = u8::from(symbol.kind != SymbolKind::Type);
        let role = files[*file as usize].role;
        (role, kind, std::cmp::Reverse(*changes), *file, symbol.line)
    });
    let mut others: Vec<String> = Vec::new();
    for (file, symbol, _) in found.iter().skip(1).take(OFFERED + 2) {
        others.push(format!(
            "`{}:{}`",
            files[*file as usize].path,
            full_name(symbol)
        ));
    }
    others.dedup();
    Ok(found
        .into_iter()
        .next()
        .map(|(file, symbol, _)| (file, symbol, others)))
}

fn full_name(symbol: &Symbol) -> String {
    match &symbol.parent {
        Some(parent) => format!("{parent}::{}", symbol.name),
        None => symbol.name.clone(),
    }
}

/// Makes the error for a place that nobody knows, with the names that come nearest.
fn unknown(view: &dyn RepositoryView, asked: &str) -> Result<Error> {
    let (_, _, name) = parts(asked);
    let past = view.past_paths()?;
    let files = view.files()?;
    let structure = view.structure()?;
    let symbols = structure.symbols.iter().flatten();
    let symbols = symbols
        .filter(|symbol| symbol.kind != SymbolKind::Heading)
        .map(|symbol| symbol.name.as_str());
    let paths = files
        .iter()
        .map(|file| file.path.as_str())
        .chain(past.iter().map(String::as_str));
    let mut near = near_names(asked, paths, OFFERED);
    for candidate in near_names(name, symbols, OFFERED) {
        if near.len() < OFFERED && !near.contains(&candidate) {
            near.push(candidate);
        }
    }
    let error = Error::new(
        ErrorKind::NotFound,
        format!("neither the files nor the history know `{asked}`"),
    );
    Ok(match near.as_slice() {
        [] => error.with_hint("name a file, a folder or a definition of this repository"),
        near => {
            let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            error.with_hint(format!("perhaps {}", near.join(", ")))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn names_are_taken_apart_as_every_language_writes_them() {
        for (asked, expected) in [
            ("recall", (None, None, "recall")),
            ("Memorax::recall", (None, Some("Memorax"), "recall")),
            ("a::b::Memorax::recall()", (None, Some("Memorax"), "recall")),
            ("Flask.run", (None, Some("Flask"), "run")),
            (
                "src/app.py:Flask.run",
                (Some("src/app.py"), Some("Flask"), "run"),
            ),
            ("src/a.rs::run", (None, Some("rs"), "run")),
        ] {
            assert_eq!(parts(asked), expected, "{asked}");
        }
    }
}
