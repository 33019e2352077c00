//! A repository in memory: texts of files, definitions, imports and commits.

use std::collections::BTreeMap;
use std::sync::Arc;

use memorax_core::repo::{
    CommitHit, CommitSelection, Field, FileScore, Project, QueryWord, RepositoryView, Structure,
    Tree,
};
use memorax_core::{
    CommitInfo, FileInfo, FileRole, Memory, MemoryKind, Result, Symbol, SymbolKind, Timestamp,
    ViewInfo, title_of,
};
use serde_json::json;

/// The files of a repository, and a view of them.
#[derive(Debug, Default)]
pub(super) struct Repository {
    texts: BTreeMap<String, String>,
    files: Vec<FileInfo>,
    structure: Arc<Structure>,
    commits: Vec<CommitHit>,
    info: ViewInfo,
}

impl Tree for Repository {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        Some(self.texts.get(path)?.clone().into_bytes())
    }
}

impl Repository {
    pub(super) fn new(texts: &[(&str, &str)]) -> Self {
        let texts: BTreeMap<String, String> = texts
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        let files: Vec<FileInfo> = texts
            .iter()
            .map(|(path, text)| {
                let mut file = FileInfo::new(path, role(path));
                file.lines = text.lines().count() as u32;
                file
            })
            .collect();
        let symbols = texts
            .iter()
            .map(|(path, text)| symbols(path, text))
            .collect();
        let imports = imports(&files, &texts);
        let structure = Arc::new(Structure::new(symbols, imports));
        Self {
            texts,
            files,
            structure,
            ..Self::default()
        }
    }

    /// Adds a commit; the last added is the newest.
    pub(super) fn commit(mut self, day: u32, author: &str, subject: &str, paths: &[&str]) -> Self {
        let at: Timestamp = format!("2026-{:02}-{:02}T10:00:00Z", day / 28 + 1, day % 28 + 1)
            .parse()
            .expect("a day of the year");
        let mut commit = CommitInfo::new(format!("{day:040x}"), subject, at);
        author.clone_into(&mut commit.author);
        commit.paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let files: Vec<u32> = (0_u32..)
            .zip(&self.files)
            .filter(|(_, file)| paths.contains(&file.path.as_str()))
            .map(|(at, _)| at)
            .collect();
        self.info.commit = Some(commit.id.clone());
        self.commits.insert(
            0,
            CommitHit {
                age: 0,
                score: 1.0,
                files,
                commit,
            },
        );
        self
    }

    pub(super) fn project(&self) -> Project {
        Project::read(self, &self.files, "folder")
    }
}

impl RepositoryView for Repository {
    fn info(&self) -> &ViewInfo {
        &self.info
    }

    fn files(&self) -> Result<&[FileInfo]> {
        Ok(&self.files)
    }

    fn search(&self, _: Field, _: &[QueryWord], _: usize) -> Result<Vec<FileScore>> {
        Ok(Vec::new())
    }

    fn commits(&self, _: &CommitSelection<'_>, limit: usize) -> Result<Vec<CommitHit>> {
        Ok(self.commits.iter().take(limit).cloned().collect())
    }

    fn structure(&self) -> Result<Arc<Structure>> {
        Ok(Arc::clone(&self.structure))
    }
}

fn role(path: &str) -> FileRole {
    match path.rsplit('.').next() {
        _ if path.starts_with("tests/") => FileRole::Test,
        Some("md" | "rst") => FileRole::Document,
        Some("rs" | "py" | "go" | "js" | "ts" | "java") => FileRole::Source,
        _ => FileRole::Configuration,
    }
}

/// Finds definitions at the start of a line.
fn symbols(path: &str, text: &str) -> Vec<Symbol> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text
            .trim_start_matches("pub ")
            .trim_start_matches("export ");
        for (word, kind) in [
            ("struct ", SymbolKind::Type),
            ("class ", SymbolKind::Type),
            ("fn ", SymbolKind::Function),
            ("def ", SymbolKind::Function),
        ] {
            if let Some(rest) = text
                .strip_prefix(word)
                .filter(|_| role(path) == FileRole::Source)
            {
                let name: String = rest
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric())
                    .collect();
                found.push(Symbol::new(name, kind, line, line));
            }
        }
    }
    found
}

/// Takes `use <stem>` as an import of the file with that stem.
fn imports(files: &[FileInfo], texts: &BTreeMap<String, String>) -> Vec<(u32, u32)> {
    let stem = |path: &str| {
        path.rsplit('/')
            .next()
            .and_then(|name| name.split('.').next().map(str::to_owned))
    };
    let mut found = Vec::new();
    for (from, file) in (0..).zip(files) {
        for (to, other) in (0..).zip(files) {
            let wanted = stem(&other.path).map(|stem| format!("use {stem}"));
            if wanted.is_some_and(|wanted| texts[&file.path].lines().any(|line| line == wanted)) {
                found.push((from, to));
            }
        }
    }
    found
}

/// Builds a memory; `number` gives the id and the date.
pub(super) fn memory(number: u32, kind: MemoryKind, text: &str) -> Memory {
    let at = format!("2026-01-{:02}T12:00:00Z", number % 28 + 1);
    serde_json::from_value(json!({
        "id": format!("00000000-0000-7000-8000-{number:012x}"),
        "kind": kind,
        "title": title_of(text),
        "text": text,
        "scope": { "repo": null, "line": null, "path": null },
        "anchors": [],
        "tags": [],
        "status": { "state": "active" },
        "trust": "user",
        "visibility": "local",
        "provenance": { "actor": "ada", "trust": "user", "at": at },
        "stats": { "repeated": 0, "recalled": 0, "helpful": 0, "harmful": 0 },
        "conflicts": [],
        "created": at,
        "updated": at,
        "expires": null,
    }))
    .expect("the fields are those of a memory")
}
