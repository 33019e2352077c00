//! The module map: which parts a repository has, in the order of their importance, and what each is for.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use super::BriefInput;
use super::about::files;
use super::entries::is_own;
use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use super::modules::{FEW, Module, Unit, divide};
use super::names::{Name, listed};
use super::units::weighed;
use crate::repo::{Project, RepositoryView, Structure, definition_purpose, ending, file_purpose};
use crate::{FileInfo, FileRole, Result, SymbolKind};

/// Name of the module of the files at the root.
pub(super) const ROOT: &str = "the root";
/// About how many modules are told apart.
const MODULES: usize = 16;
/// Longest purpose, in characters.
const PURPOSE: usize = 110;
/// Most definitions named for one module.
pub(super) const NAMES: usize = 6;
/// Files of a folder that is worth a line without any words about it.
const MANY: usize = 30;
/// Least share of a module that is worth a line.
const LEAST: f64 = 0.004;

/// The modules of a view.
pub(super) struct Map<'a> {
    input: BriefInput<'a>,
    pub(super) files: &'a [FileInfo],
    pub(super) structure: Arc<Structure>,
    pub(super) units: Vec<Unit<'a>>,
    modules: Vec<Module>,
    /// Files that code of the product imports, other than the front beside them.
    pub(super) imported: BTreeSet<u32>,
    texts: RefCell<BTreeMap<String, Option<Rc<str>>>>,
    /// Purposes that were told already.
    told: RefCell<BTreeSet<String>>,
}

impl<'a> Map<'a> {
    pub(super) fn build(view: &'a dyn RepositoryView, input: &BriefInput<'a>) -> Result<Self> {
        let files = view.files()?;
        let structure = view.structure()?;
        let units = weighed(files, &structure);
        let modules = divide(&units, MODULES);
        let uses = |from: u32| {
            let known = units.binary_search_by_key(&(from as usize), |unit| unit.file);
            known.is_ok() && !files[from as usize].path.contains("/index.")
        };
        let imported = structure
            .imports
            .iter()
            .filter(|(from, _)| uses(*from))
            .map(|(_, to)| *to)
            .collect();
        Ok(Self {
            input: *input,
            files,
            structure,
            units,
            modules,
            imported,
            texts: RefCell::default(),
            told: RefCell::default(),
        })
    }

    /// Returns the name of the project.
    pub(super) fn project(&self) -> &'a str {
        &self.input.project.name
    }

    pub(super) fn files(&self) -> &'a [FileInfo] {
        self.files
    }

    /// Says whether a file is code of the product.
    pub(super) fn holds(&self, file: usize) -> bool {
        self.units
            .binary_search_by_key(&file, |unit| unit.file)
            .is_ok()
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
            ROOT
        } else {
            &best.path
        })
    }

    pub(super) fn section(&self) -> Option<Section> {
        if self.units.is_empty() {
            return self.documents();
        }
        let total: f64 = self.modules.iter().map(|module| module.weight).sum();
        let lines: Vec<Line> = self
            .modules
            .iter()
            .filter(|module| module.weight >= total * LEAST)
            .take(MODULES)
            .filter_map(|module| self.line(module))
            .collect();
        let heading = "## Modules, the most important first, with key definitions";
        (!lines.is_empty()).then(|| Section::new(Place::Map, heading, lines))
    }

    /// Tells a module; `None` when there is nothing to say but its path.
    fn line(&self, module: &Module) -> Option<Line> {
        let only = match module.units.as_slice() {
            [only] => Some(self.units[*only].path),
            _ => None,
        };
        let whole = if module.path.is_empty() {
            "."
        } else {
            &module.path
        };
        let front = module.units.iter().map(|at| self.units[*at].path);
        let front = front.into_iter().find(|file| is_front(file, &module.path));
        let names = self.names(module, front.filter(|_| only.is_none()));
        let purpose = self.purpose(module, only, front);
        let mut text = format!("- {}", safe(only.unwrap_or(whole)));
        if only.is_none() {
            let direct = if module.shallow { "/*" } else { "" };
            let _ = write!(text, "{direct} ({})", files(self.count(module)));
        }
        if let Some(purpose) = purpose {
            let _ = write!(text, ": {}", safe_cut(&without_preamble(&purpose), PURPOSE));
            if !names.is_empty() {
                let _ = write!(text, " — {}", listed(&names, NAMES));
            }
            return Some(Line::new(text));
        }
        let Some((main, others)) = names.split_first() else {
            // In a tiny repository every file is worth a line, elsewhere a folder of many.
            let worth = self.units.len() <= FEW || module.units.len() >= MANY;
            return worth.then(|| Line::new(text));
        };
        let _ = write!(text, ": {}", listed(std::slice::from_ref(main), 1));
        // Without words about the module, those about its main type help.
        let about = self.definition(main);
        if let Some(about) = about.filter(|about| self.told.borrow_mut().insert(about.clone())) {
            let _ = write!(text, " ({})", safe_cut(&about, PURPOSE));
        }
        if !others.is_empty() {
            let _ = write!(text, ", {}", listed(others, NAMES - 1));
        }
        Some(Line::new(text))
    }

    /// Counts the files of a folder, whatever they are for, so that anyone can count them again.
    fn count(&self, module: &Module) -> usize {
        let inside = |file: &&FileInfo| {
            let rest = if module.path.is_empty() {
                Some(file.path.as_str())
            } else {
                let rest = file.path.strip_prefix(module.path.as_str());
                rest.and_then(|rest| rest.strip_prefix('/'))
            };
            let beside =
                !module.shallow && file.path.strip_suffix(".rs") == Some(module.path.as_str());
            beside || rest.is_some_and(|rest| !module.shallow || !rest.contains('/'))
        };
        self.files.iter().filter(inside).count()
    }

    fn definition(&self, name: &Name) -> Option<String> {
        if name.kind != SymbolKind::Type {
            return None;
        }
        let path = &self.files[name.file].path;
        let purpose = definition_purpose(path, &self.text(path)?, name.line, PURPOSE)?;
        // What points at something that is not shown says nothing here.
        let points = ["This is ", "It ", "These "]
            .iter()
            .any(|start| purpose.starts_with(start));
        (!points).then(|| without_subject(&purpose, &name.word))
    }

    pub(super) fn text(&self, path: &str) -> Option<Rc<str>> {
        let tree = self.input.tree?;
        let mut texts = self.texts.borrow_mut();
        let text = texts.entry(path.to_owned()).or_insert_with(|| {
            let bytes = tree.read(path)?;
            Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n").into())
        });
        text.clone()
    }

    fn purpose(&self, module: &Module, only: Option<&str>, front: Option<&str>) -> Option<String> {
        let of_file = |path: &str| file_purpose(path, &self.text(path)?, PURPOSE);
        if let Some(only) = only {
            return of_file(only);
        }
        front
            .and_then(of_file)
            .or_else(|| package_purpose(self.input.project, &module.path))
            .or_else(|| {
                let paths = module.units.iter().map(|at| self.units[*at].path);
                // In Go any file of a package may hold its documentation.
                paths
                    .filter(|path| ending(path) == "go")
                    .take(12)
                    .find_map(of_file)
            })
    }

    /// Lists documents where there is no code.
    fn documents(&self) -> Option<Section> {
        let mut documents: Vec<&FileInfo> = self
            .files
            .iter()
            .filter(|file| file.role == FileRole::Document && is_content(&file.path))
            .collect();
        documents.sort_by_key(|file| (std::cmp::Reverse((file.changes, file.lines)), &file.path));
        let line = |file: &FileInfo| {
            let title = self.text(&file.path).and_then(|text| {
                let title = text.lines().find_map(|line| line.strip_prefix("# "))?;
                Some(format!(": {}", safe_cut(title, PURPOSE)))
            });
            Line::new(format!(
                "- {}{}",
                safe(&file.path),
                title.unwrap_or_default()
            ))
        };
        let lines: Vec<Line> = documents.into_iter().take(MODULES).map(line).collect();
        (!lines.is_empty()).then(|| Section::new(Place::Map, "## Documents", lines))
    }
}

/// Takes the name away from a sentence that begins with it, as comments in Go do.
fn without_subject(sentence: &str, name: &str) -> String {
    let rest = sentence
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(' '));
    rest.map_or(sentence, |rest| rest.strip_prefix("is ").unwrap_or(rest))
        .to_owned()
}

/// Takes away that a crate provides what it is, for the line is about it.
fn without_preamble(purpose: &str) -> String {
    let mut words = purpose.splitn(5, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (first, second, third) = (next(), next(), next());
    let kind = |word: &str| matches!(word, "crate" | "module" | "package" | "library");
    let verb = |word: &str| matches!(word, "provides" | "contains" | "defines");
    let taken = if first == "This" && kind(second) && verb(third) {
        3
    } else if first == "The" && kind(third) && verb(next()) {
        4
    } else {
        return purpose.to_owned();
    };
    let rest = purpose.splitn(taken + 1, ' ').last().unwrap_or_default();
    let mut letters = rest.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Says whether a document is about the subject, not about the repository's manners.
fn is_content(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let manners = [
        "license",
        "licence",
        "copying",
        "code-of-conduct",
        "code_of_conduct",
        "pull_request",
        "issue_template",
        "security",
    ];
    !path.starts_with('.') && !manners.iter().any(|start| name.starts_with(start))
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
    let mut packages = project.packages.iter();
    let package =
        packages.find(|package| !package.folder.is_empty() && package.folder == folder)?;
    package
        .description
        .clone()
        .filter(|text| is_own(project, text))
}
