//! Whether memories notice that the code moved on: written at one commit of a real history, read 500 commits later.
//!
//! At a commit, every file that one of the newest commits changed is cited by a memory in the words of that commit, and
//! one of its definitions by another. Later the working tree is checked out and indexed anew, and each memory is asked
//! about through the handle, as `memorax show` and `memorax recall` do.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use memorax_core::repo::definitions;
use memorax_core::{
    Anchor, Freshness, InitOptions, Memorax, MemoryKind, Note, Outcome, Query, Result, Symbol,
    SymbolKind, text,
};
use serde::Serialize;

use crate::git;
use crate::ranking::Named;

/// Files that are cited at one commit.
const CITED: usize = 80;
/// Newest commits whose files are cited.
const COMMITS: usize = 60;

/// Figures of one history.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    pub(crate) repository: String,
    /// Memories that cite a path, and those that cite a definition.
    pub(crate) paths: usize,
    pub(crate) definitions: usize,
    /// Cited paths that are dead later; how many of them are said to be, and how many got a new path that is alive.
    pub(crate) dead: usize,
    pub(crate) flagged: usize,
    pub(crate) repaired: usize,
    /// Of those, how many git's own following of renames (likeness of one half) leads to, or its comparison of the two
    /// commits; and for how many dead paths git knows a new one.
    pub(crate) as_git: usize,
    pub(crate) known_to_git: usize,
    /// Paths and definitions that are alive and unchanged, and how many of them are said to be anything else.
    pub(crate) alive: usize,
    pub(crate) false_alarms: usize,
    /// Definitions that changed or are gone from their file, and how many of them are said to be anything but fresh; how
    /// many are found elsewhere.
    pub(crate) altered: usize,
    pub(crate) altered_flagged: usize,
    pub(crate) found_elsewhere: usize,
    /// Recalls in the words of a memory whose path is dead; those that show the memory, and those that show it without
    /// saying that the code moved on.
    pub(crate) recalls: usize,
    pub(crate) shown: usize,
    pub(crate) shown_as_fact: usize,
}

/// A memory, and what it cites.
struct Cited {
    id: String,
    text: String,
    path: String,
    definition: Option<Symbol>,
}

/// Replays some histories.
pub(crate) fn run(repositories: &[Named], points: usize, later: usize) -> Result<Vec<Row>> {
    let folder = Folder::new()?;
    let replay = |repository: &Named| {
        let clone = folder.0.join("clone");
        git::clone(&repository.folder, &clone)?;
        let mut row = Row {
            repository: repository.name.clone(),
            ..Row::default()
        };
        let order = git::order(&clone)?;
        let span = order.len().saturating_sub(later + 1);
        for point in 1..=points {
            let at = later + span * point / points;
            let Some(now) = order.get(at) else {
                continue;
            };
            // The order is of a whole graph: what is written must be behind what is read.
            let mut behind = order[..at.saturating_sub(later)].iter().rev();
            let Some(then) = behind.find(|then| git::is_behind(&clone, then, now)) else {
                continue;
            };
            let home = folder.0.join(format!("home-{}-{point}", repository.name));
            one(&clone, &home, (then, now), &mut row)?;
        }
        remove(&clone);
        Ok(row)
    };
    repositories.iter().map(replay).collect()
}

fn one(clone: &Path, home: &Path, (then, now): (&str, &str), row: &mut Row) -> Result<()> {
    git::checkout(clone, then)?;
    let memory = Memorax::builder().home(home).open(clone)?;
    let cited = write(&memory, clone, row)?;
    git::checkout(clone, now)?;
    let interrupt = AtomicBool::new(false);
    memory.init(&InitOptions {
        interrupt: &interrupt,
        progress: &|_| {},
    })?;
    let renames = git::renames(clone, then, now)?;
    for cited in &cited {
        let shown = memory.show(&cited.id)?;
        let there = clone.join(&cited.path).is_file();
        let flagged = !matches!(shown.freshness, Freshness::Fresh | Freshness::Unanchored);
        let new = shown
            .citations
            .iter()
            .find_map(|found| found.now.as_deref());
        let alive = new.filter(|path| clone.join(path).exists());
        if let Some(definition) = &cited.definition {
            if there && stands(clone, &cited.path, definition) {
                row.alive += 1;
                row.false_alarms += usize::from(flagged);
            } else {
                row.altered += 1;
                row.altered_flagged += usize::from(flagged);
                row.found_elsewhere += usize::from(alive.is_some());
            }
            continue;
        }
        if there {
            row.alive += 1;
            row.false_alarms += usize::from(flagged);
            continue;
        }
        let known = renames.get(&cited.path);
        row.dead += 1;
        row.flagged += usize::from(flagged);
        row.repaired += usize::from(alive.is_some());
        row.known_to_git += usize::from(known.is_some());
        row.as_git +=
            usize::from(alive.is_some_and(|path| known.is_some_and(|known| known.contains(path))));
        let recall = memory.recall(&Query::new(cited.text.as_str()).files(0))?;
        row.recalls += 1;
        let hit = recall
            .hits
            .iter()
            .find(|hit| hit.memory.id.to_string() == cited.id);
        if let Some(hit) = hit {
            row.shown += 1;
            let silent = matches!(hit.freshness, Freshness::Fresh | Freshness::Unanchored);
            row.shown_as_fact += usize::from(silent);
        }
    }
    memory.close();
    Ok(())
}

/// Writes the memories of the commit that is checked out.
fn write(memory: &Memorax, clone: &Path, row: &mut Row) -> Result<Vec<Cited>> {
    let mut seen = HashSet::new();
    let mut cited = Vec::new();
    for (subject, paths) in git::newest(clone, COMMITS)? {
        for path in paths {
            let file = clone.join(&path);
            if seen.len() == CITED || !file.is_file() || !seen.insert(path.clone()) {
                continue;
            }
            let number = seen.len();
            let text = format!("Change {number} of `{path}`: {subject}");
            let note = Note::new(&text, MemoryKind::Fact).anchor(Anchor::path(&path));
            if let Some(id) = remember(memory, note)? {
                row.paths += 1;
                cited.push(Cited {
                    id,
                    text,
                    path: path.clone(),
                    definition: None,
                });
            }
            let Some(definition) = telling(&file, &path, &subject) else {
                continue;
            };
            let name = &definition.name;
            let text = format!(
                "`{name}` ({path}) is number {} that was touched.",
                number + 1000
            );
            let note = Note::new(&text, MemoryKind::Fact).anchor(Anchor::Symbol {
                path: path.clone(),
                name: name.clone(),
                body: definition.body.clone(),
            });
            if let Some(id) = remember(memory, note)? {
                row.definitions += 1;
                cited.push(Cited {
                    id,
                    text,
                    path,
                    definition: Some(definition),
                });
            }
        }
    }
    Ok(cited)
}

/// Writes a memory and returns its id; `None` where it joined one that says the same.
fn remember(memory: &Memorax, note: Note) -> Result<Option<String>> {
    let remembered = memory.remember_with(note)?;
    let is_new = matches!(remembered.outcome, Outcome::Created(_));
    Ok(is_new.then(|| remembered.id.to_string()))
}

/// Returns the definition of a file that shares most words with a message; among equals, the longest.
fn telling(file: &Path, path: &str, subject: &str) -> Option<Symbol> {
    let bytes = std::fs::read(file).ok()?;
    let asked: HashSet<String> = text::words(subject).into_iter().collect();
    let found = definitions(path, &bytes)?;
    found
        .into_iter()
        .filter(|symbol| symbol.kind != SymbolKind::Heading)
        .max_by_key(|symbol| {
            let words = text::words(&symbol.name);
            let shared = words.iter().filter(|word| asked.contains(*word)).count();
            (shared, symbol.end - symbol.line, symbol.line)
        })
}

fn stands(clone: &Path, path: &str, definition: &Symbol) -> bool {
    let found = std::fs::read(clone.join(path))
        .ok()
        .and_then(|bytes| definitions(path, &bytes));
    found.is_some_and(|found| {
        found
            .iter()
            .any(|symbol| symbol.name == definition.name && symbol.body == definition.body)
    })
}

/// A folder that goes away with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let name = format!("memorax-bench-stale-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|error| {
            memorax_core::Error::new(
                memorax_core::ErrorKind::Io,
                format!("cannot make `{}`", folder.display()),
            )
            .with_source(error)
        })?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a folder as far as that is possible: what is left is in the temporary folder.
fn remove(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
}

/// Where each path of one commit is in another: by the renames of the commits between, and by comparing the two.
pub(crate) type Renames = HashMap<String, HashSet<String>>;

/// Writes the figures as a page; the last row is the sum.
pub(crate) fn markdown(rows: &[Row]) -> String {
    use std::fmt::Write as _;
    let mut text = String::from(
        "# Memories that code left behind\n\n| repository | paths | dead | flagged | repaired | as git | known to git | \
         definitions | altered | flagged | found elsewhere | alive | false alarms | recalls of dead | shown | as fact |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let sum = |part: fn(&Row) -> usize| rows.iter().map(part).sum::<usize>();
    let all = Row {
        repository: "all".to_owned(),
        paths: sum(|row| row.paths),
        definitions: sum(|row| row.definitions),
        dead: sum(|row| row.dead),
        flagged: sum(|row| row.flagged),
        repaired: sum(|row| row.repaired),
        as_git: sum(|row| row.as_git),
        known_to_git: sum(|row| row.known_to_git),
        alive: sum(|row| row.alive),
        false_alarms: sum(|row| row.false_alarms),
        altered: sum(|row| row.altered),
        altered_flagged: sum(|row| row.altered_flagged),
        found_elsewhere: sum(|row| row.found_elsewhere),
        recalls: sum(|row| row.recalls),
        shown: sum(|row| row.shown),
        shown_as_fact: sum(|row| row.shown_as_fact),
    };
    for row in rows.iter().chain([&all]) {
        let share = |part: usize, whole: usize| {
            format!(
                "{part} ({:.0} %)",
                100.0 * part as f32 / whole.max(1) as f32
            )
        };
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.repository,
            row.paths,
            row.dead,
            share(row.flagged, row.dead),
            share(row.repaired, row.dead),
            row.as_git,
            row.known_to_git,
            row.definitions,
            row.altered,
            share(row.altered_flagged, row.altered),
            share(row.found_elsewhere, row.altered),
            row.alive,
            share(row.false_alarms, row.alive),
            row.recalls,
            row.shown,
            row.shown_as_fact,
        );
    }
    text
}
