//! The module map: which parts a repository has, in the order of their importance, and what each is for.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use super::about::is_own;
use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use super::modules::{Module, Unit, divide};
use super::names::{self, Name, is_public, key_names, listed, words_of};
use super::{BriefInput, rank};
use crate::repo::{Project, RepositoryView, Structure, definition_purpose, file_purpose, is_code};
use crate::{FileInfo, FileRole, Result, Symbol, SymbolKind};

/// About how many modules are told apart.
const MODULES: usize = 16;
/// Longest purpose, in characters.
const PURPOSE: usize = 110;
/// Most definitions named for one module, and how many of the best are looked at in the text.
const NAMES: usize = 5;
const CANDIDATES: usize = 14;
/// Parts of a file's importance: imports, size, activity. Rank alone says nothing where imports are not resolved.
const PARTS: [f64; 3] = [0.6, 0.25, 0.15];
/// Least share of a module that is worth a line.
const LEAST: f64 = 0.004;

/// The modules of a view.
pub(super) struct Map<'a> {
    input: BriefInput<'a>,
    files: &'a [FileInfo],
    structure: Arc<Structure>,
    units: Vec<Unit<'a>>,
    modules: Vec<Module>,
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
        Ok(Self {
            input: *input,
            files,
            structure,
            units,
            modules,
            texts: RefCell::default(),
            told: RefCell::default(),
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
            let _ = write!(text, " ({} files)", module.units.len());
        }
        match purpose {
            Some(purpose) => {
                let _ = write!(text, ": {}", safe_cut(&purpose, PURPOSE));
                if !names.is_empty() {
                    let _ = write!(text, " — {}", listed(&names, NAMES));
                }
            }
            None => {
                let (main, others) = names.split_first()?;
                let _ = write!(text, ": {}", listed(std::slice::from_ref(main), 1));
                // Without words about the module, those about its main type help.
                let purpose = self.definition(main);
                if let Some(purpose) =
                    purpose.filter(|purpose| self.told.borrow_mut().insert(purpose.clone()))
                {
                    let _ = write!(text, " ({})", safe_cut(&purpose, PURPOSE));
                }
                if !others.is_empty() {
                    let _ = write!(text, ", {}", listed(others, NAMES - 1));
                }
            }
        }
        Some(Line::new(text))
    }

    /// Returns the key definitions of a module that others can use; those behind the scenes where there is no other.
    fn names(&self, module: &Module, front: Option<&str>) -> Vec<Name<'_>> {
        let exports: BTreeSet<String> = front
            .and_then(|front| self.text(front))
            .map(|text| words_of(&text))
            .unwrap_or_default();
        let symbols: Vec<(usize, f64, &[Symbol])> = module
            .units
            .iter()
            .map(|at| &self.units[*at])
            .filter_map(|unit| {
                let symbols = self.structure.symbols.get(unit.file)?;
                Some((unit.file, unit.weight, symbols.as_slice()))
            })
            .collect();
        let mut found = key_names(&symbols, &exports);
        found.truncate(CANDIDATES);
        let public: Vec<Option<bool>> = found
            .iter()
            .map(|name| {
                let path = &self.files[name.file].path;
                let text = self.text(path)?;
                let line = text
                    .lines()
                    .nth((name.symbol.line as usize).checked_sub(1)?)?;
                is_public(path, line, &name.symbol.name)
            })
            .collect();
        if public.contains(&Some(true)) {
            let mut keep = public.iter().map(|public| *public != Some(false));
            found.retain(|_| keep.next().unwrap_or(true));
        }
        names::sort(&mut found);
        let telling = found
            .iter()
            .any(|name| name.symbol.kind != SymbolKind::Constant);
        if telling {
            found.retain(|name| name.symbol.kind != SymbolKind::Constant);
        }
        found
    }

    fn definition(&self, name: &Name<'_>) -> Option<String> {
        if name.symbol.kind != SymbolKind::Type {
            return None;
        }
        let path = &self.files[name.file].path;
        definition_purpose(path, &self.text(path)?, name.symbol.line, PURPOSE)
    }

    fn text(&self, path: &str) -> Option<Rc<str>> {
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
                    .filter(|path| path.ends_with(".go"))
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

/// Weighs the files of code by imports, size and activity. The weights add up to 1 or less.
fn weighed<'a>(files: &'a [FileInfo], structure: &Structure) -> Vec<Unit<'a>> {
    let mut chosen: Vec<usize> = (0..files.len()).filter(|at| is_unit(&files[*at])).collect();
    // Code beside the product is left out where there is a product.
    if chosen.iter().any(|at| !is_beside(&files[*at].path)) {
        chosen.retain(|at| !is_beside(&files[*at].path));
    }
    let mut place = vec![None; files.len()];
    for (at, file) in chosen.iter().enumerate() {
        place[*file] = Some(at);
    }
    let at = |file: u32| place.get(file as usize).copied().flatten();
    let edges: Vec<(usize, usize)> = structure
        .imports
        .iter()
        .filter_map(|(from, to)| Some((at(*from)?, at(*to)?)))
        .filter(|(from, to)| from != to)
        .collect();
    let ranks = rank::pagerank(chosen.len(), &edges);
    let total = |count: fn(&FileInfo) -> u32| {
        let sum: f64 = chosen.iter().map(|at| f64::from(count(&files[*at]))).sum();
        sum.max(1.0)
    };
    let lines = total(|file| file.lines);
    let changes = total(|file| file.changes);
    let unit = |(at, rank): (&usize, &f64)| {
        let file = &files[*at];
        let parts = [
            *rank,
            f64::from(file.lines) / lines,
            f64::from(file.changes) / changes,
        ];
        let weight: f64 = parts
            .iter()
            .zip(PARTS)
            .map(|(part, share)| part * share)
            .sum();
        Unit {
            file: *at,
            path: &file.path,
            weight,
        }
    };
    chosen.iter().zip(&ranks).map(unit).collect()
}

/// Code that people write for the product; build scripts and tool settings are not a module.
pub(super) fn is_unit(file: &FileInfo) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let settings = matches!(
        name,
        "setup.py" | "conftest.py" | "noxfile.py" | "build.rs" | "__version__.py" | "_version.py"
    ) || name.contains(".config.")
        || name.ends_with(".d.ts")
        || name.starts_with('.')
        || file.path.starts_with('.')
        || is_test_support(name);
    file.role == FileRole::Source && is_code(&file.path) && !settings
}

fn is_test_support(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    matches!(
        stem,
        "testutil" | "testutils" | "test_util" | "test_utils" | "test_helpers" | "tests" | "test"
    )
}

fn is_beside(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    let anywhere = |part| {
        matches!(
            part,
            "bench" | "benches" | "benchmark" | "benchmarks" | "fuzz" | "scripts"
        )
    };
    path.contains('/')
        && matches!(
            first,
            "tools"
                | "ci"
                | "xtask"
                | "docs"
                | "packaging"
                | "metrics"
                | "script"
                | "hack"
                | "playground"
        )
        || path.split('/').any(anywhere)
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
