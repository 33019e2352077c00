//! The module map: which parts a repository has, in the order of their importance, and what each is for.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use super::modules::{Module, Unit, divide};
use super::names::{key_names, listed, words_of};
use super::{BriefInput, rank};
use crate::repo::{Project, RepositoryView, Structure, definition_purpose, file_purpose, is_code};
use crate::{FileInfo, FileRole, Result, Symbol};

/// About how many modules are told apart.
const MODULES: usize = 16;
/// Longest purpose, in characters.
const PURPOSE: usize = 110;
/// Most definitions named for one module.
const NAMES: usize = 5;
/// Parts of a file's importance: imports, size, activity. Rank alone says nothing where imports are not resolved.
const PARTS: [f64; 3] = [0.6, 0.25, 0.15];

/// The modules of a view.
pub(super) struct Map<'a> {
    input: BriefInput<'a>,
    files: &'a [FileInfo],
    structure: Arc<Structure>,
    units: Vec<Unit<'a>>,
    modules: Vec<Module>,
}

impl<'a> Map<'a> {
    pub(super) fn build(view: &'a dyn RepositoryView, input: &BriefInput<'a>) -> Result<Self> {
        let files = view.files()?;
        let structure = view.structure()?;
        let chosen: Vec<usize> = (0..files.len())
            .filter(|at| files[*at].role == FileRole::Source && is_code(&files[*at].path))
            .collect();
        let mut place = vec![usize::MAX; files.len()];
        for (at, file) in chosen.iter().enumerate() {
            place[*file] = at;
        }
        let edges: Vec<(usize, usize)> = structure
            .imports
            .iter()
            .map(|(from, to)| {
                (
                    place.get(*from as usize).copied(),
                    place.get(*to as usize).copied(),
                )
            })
            .filter_map(|(from, to)| Some((from?, to?)))
            .filter(|(from, to)| *from != usize::MAX && *to != usize::MAX && from != to)
            .collect();
        let ranks = rank::pagerank(chosen.len(), &edges);
        let lines: f64 = chosen
            .iter()
            .map(|at| f64::from(files[*at].lines))
            .sum::<f64>()
            .max(1.0);
        let changes: f64 = chosen
            .iter()
            .map(|at| f64::from(files[*at].changes))
            .sum::<f64>()
            .max(1.0);
        let units: Vec<Unit<'a>> = chosen
            .iter()
            .zip(&ranks)
            .map(|(at, rank)| {
                let file = &files[*at];
                let parts = [
                    *rank,
                    f64::from(file.lines) / lines,
                    f64::from(file.changes) / changes,
                ];
                let weight = parts
                    .iter()
                    .zip(PARTS)
                    .map(|(part, share)| part * share)
                    .sum();
                Unit {
                    file: *at,
                    path: &file.path,
                    lines: file.lines,
                    weight,
                }
            })
            .collect();
        let modules = divide(&units, MODULES);
        Ok(Self {
            input: *input,
            files,
            structure,
            units,
            modules,
        })
    }

    pub(super) fn files(&self) -> &'a [FileInfo] {
        self.files
    }

    pub(super) fn has_code(&self) -> bool {
        !self.units.is_empty()
    }

    /// Returns the module that a path belongs to.
    pub(super) fn module_of(&self, path: &str) -> Option<&str> {
        let inside = |module: &&Module| {
            let rest = path.strip_prefix(module.path.as_str());
            rest.is_some_and(|rest| {
                rest.is_empty() || module.path.is_empty() || rest.starts_with('/') || rest == ".rs"
            })
        };
        let best = self
            .modules
            .iter()
            .filter(inside)
            .max_by_key(|module| module.path.len())?;
        Some(if best.path.is_empty() {
            "the root"
        } else {
            &best.path
        })
    }

    pub(super) fn section(&self) -> Option<Section> {
        if self.units.is_empty() {
            return self.documents();
        }
        // One file needs no map.
        let lines: Vec<Line> = self
            .modules
            .iter()
            .take(MODULES)
            .filter_map(|module| self.line(module))
            .collect();
        let heading = "## Modules, the most depended on first";
        (!lines.is_empty()).then(|| Section::new(Place::Map, heading, lines))
    }

    fn line(&self, module: &Module) -> Option<Line> {
        let single = module.units.len() == 1 && !module.path.is_empty();
        let path = match module.units.as_slice() {
            [only] => self.units[*only].path,
            _ if module.path.is_empty() => ".",
            _ => &module.path,
        };
        let front = module
            .units
            .iter()
            .map(|at| self.units[*at].path)
            .find(|file| is_front(file, &module.path));
        let exports = front
            .and_then(|front| self.text(front))
            .map(|text| words_of(&text))
            .unwrap_or_default();
        let exports = if single { BTreeSet::new() } else { exports };
        let symbols: Vec<(usize, f64, &[Symbol])> = module
            .units
            .iter()
            .map(|at| &self.units[*at])
            .filter_map(|unit| {
                Some((
                    unit.file,
                    unit.weight,
                    self.structure.symbols.get(unit.file)?.as_slice(),
                ))
            })
            .collect();
        let names = key_names(&symbols, &exports);
        let purpose = self.purpose(module, front).or_else(|| {
            // A module without documentation is described by its main definition.
            let main = names.first()?;
            let file = &self.files[main.file].path;
            let text = self.text(file)?;
            let purpose = definition_purpose(file, &text, main.symbol.line, PURPOSE)?;
            (single
                || purpose
                    .to_lowercase()
                    .contains(&main.symbol.name.to_lowercase()))
            .then_some(purpose)
        });
        let mut text = format!("- {}", safe(path));
        if module.units.len() > 1 {
            text.push_str(&format!(" ({} files)", module.units.len()));
        }
        if let Some(purpose) = &purpose {
            text.push_str(": ");
            text.push_str(&safe_cut(purpose, PURPOSE));
        }
        let names = listed(&names, NAMES);
        if !names.is_empty() {
            text.push_str(if purpose.is_some() { " " } else { ": " });
            text.push_str(&names);
        }
        Some(Line::new(text))
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = self.input.tree?.read(path)?;
        Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
    }

    fn purpose(&self, module: &Module, front: Option<&str>) -> Option<String> {
        let of_file = |path: &str| file_purpose(path, &self.text(path)?, PURPOSE);
        let only = match module.units.as_slice() {
            [only] => Some(self.units[*only].path),
            _ => None,
        };
        only.and_then(of_file)
            .or_else(|| front.filter(|_| only.is_none()).and_then(of_file))
            .or_else(|| package_purpose(self.input.project, &module.path))
            .or_else(|| {
                let go = |at: &&usize| self.units[**at].path.ends_with(".go");
                let mut files = module
                    .units
                    .iter()
                    .filter(go)
                    .take(12)
                    .filter(|_| only.is_none());
                files.find_map(|at| of_file(self.units[*at].path))
            })
    }

    /// Lists documents where there is no code.
    fn documents(&self) -> Option<Section> {
        let mut documents: Vec<&FileInfo> = self
            .files
            .iter()
            .filter(|file| file.role == FileRole::Document)
            .collect();
        documents.sort_by(|left, right| {
            right
                .changes
                .cmp(&left.changes)
                .then_with(|| right.lines.cmp(&left.lines))
                .then_with(|| left.path.cmp(&right.path))
        });
        let lines: Vec<Line> = documents
            .into_iter()
            .take(MODULES)
            .map(|file| {
                let title = self.text(&file.path).and_then(|text| {
                    text.lines()
                        .find_map(|line| line.strip_prefix("# ").map(str::to_owned))
                });
                let title = title
                    .map(|title| format!(": {}", safe_cut(&title, PURPOSE)))
                    .unwrap_or_default();
                Line::new(format!("- {}{title}", safe(&file.path)))
            })
            .collect();
        (!lines.is_empty()).then(|| Section::new(Place::Map, "## Documents", lines))
    }
}

/// Says whether a file is where a folder introduces itself.
fn is_front(file: &str, folder: &str) -> bool {
    if file.strip_suffix(".rs") == Some(folder) {
        return true;
    }
    let rest = if folder.is_empty() {
        Some(file)
    } else {
        file.strip_prefix(folder)
            .and_then(|rest| rest.strip_prefix('/'))
    };
    let Some(rest) = rest else { return false };
    let name = rest.strip_prefix("src/").unwrap_or(rest);
    matches!(
        name,
        "lib.rs"
            | "mod.rs"
            | "main.rs"
            | "__init__.py"
            | "doc.go"
            | "index.ts"
            | "index.js"
            | "index.tsx"
            | "index.mjs"
            | "mod.ts"
            | "package-info.java"
    )
}

/// Returns what the manifest of the package says that has this folder, or its `src`.
fn package_purpose(project: &Project, folder: &str) -> Option<String> {
    let folder = folder.strip_suffix("/src").unwrap_or(folder);
    let package = project
        .packages
        .iter()
        .find(|package| !package.folder.is_empty() && package.folder == folder)?;
    package.description.clone()
}
