//! The key definitions of a module: those that others can use, as fronts pass them on and as the text tells.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::exports::{ABOVE, Exports, OWN};
use super::map::{Map, NAMES};
use super::modules::{FEW, Module, Unit};
use super::names::{
    Defining, Name, Reach, assigned, inside_macros, is_absent, is_of_one_system, key_names, rank,
    reach,
};
use crate::repo::ending;
use crate::{Symbol, SymbolKind};

/// How many of the best names are looked at in the text.
const CANDIDATES: usize = 200;
/// From so many names that a front passes on, the others are behind the scenes.
const ENOUGH: usize = 3;
/// Most fronts above a module that are read.
const FRONTS_ABOVE: usize = 4;

impl Map<'_> {
    /// Returns the key definitions of a module that others can use; those behind the scenes where there is no other.
    ///
    /// `front` is the module's own front, where it has one.
    pub(super) fn names(&self, module: &Module, front: Option<&str>) -> Vec<Name> {
        let exports = self.exports(module, front);
        let units: Vec<&Unit<'_>> = module.units.iter().map(|at| &self.units[*at]).collect();
        let defining = self.defining(&units, front, &exports);
        let mut found: Vec<Name> = Vec::new();
        if let [only] = units.as_slice() {
            found = self
                .text(only.path)
                .map(|text| assigned(only.path, &text, only.file))
                .unwrap_or_default();
        }
        // In a program everything is within the crate.
        let program = front.is_some_and(|front| front.ends_with("main.rs"));
        let (mut gated, mut inner, mut private) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranked = key_names(&defining, &exports);
        ranked.truncate(CANDIDATES);
        let wanted: BTreeSet<usize> = ranked.iter().map(|name| name.file).collect();
        let texts: BTreeMap<usize, Rc<str>> = wanted
            .into_iter()
            .map(|file| (file, self.text(&self.files[file].path).unwrap_or_default()))
            .collect();
        let lines: BTreeMap<usize, Vec<&str>> = texts
            .iter()
            .map(|(file, text)| (*file, text.lines().collect()))
            .collect();
        for name in ranked {
            let path = &self.files[name.file].path;
            let text = lines.get(&name.file).map_or(&[][..], Vec::as_slice);
            if is_absent(path, text, &name) || self.is_left_alone(name.file) {
                continue;
            }
            let list = match reach(path, text, &name) {
                Reach::Private => &mut private,
                Reach::Crate if !program => &mut inner,
                _ if is_of_one_system(path, text, &name) => &mut gated,
                _ => &mut found,
            };
            list.push(name);
        }
        if found.iter().filter(|name| name.passed_on).count() >= ENOUGH {
            found.retain(|name| name.passed_on);
        } else if found.iter().any(|name| name.passed_on) {
            // A function that its package does not pass on serves the file itself.
            found.retain(|name| name.passed_on || name.kind == SymbolKind::Type);
        }
        let passed_on = found.iter().any(|name| name.passed_on);
        let few = !passed_on || found.len() < 2 && gated.is_empty() && units.len() > FEW;
        if found.len() < ENOUGH && few {
            found.append(&mut inner);
            rank(&mut found);
            // The names that the front passes on within the crate come first.
            found.sort_by_key(|name| !exports.has_restricted(&name.word));
        }
        let mut found = [found, gated, private]
            .into_iter()
            .find(|names| !names.is_empty())
            .unwrap_or_default();
        if found.iter().any(|name| name.kind != SymbolKind::Constant) {
            found.retain(|name| name.kind != SymbolKind::Constant);
        }
        found.truncate(NAMES);
        found
    }

    /// Says whether no code but the front beside it imports a script, as with data in many languages, or samples.
    fn is_left_alone(&self, file: usize) -> bool {
        let path = &self.files[file].path;
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let script = matches!(ending(path), "ts" | "tsx" | "js" | "mjs" | "mts" | "cjs");
        if !script || matches!(stem, "index" | "main") || self.units.len() <= FEW {
            return false;
        }
        !self.imported.contains(&(file as u32))
    }

    /// Reads the fronts of a module and of those above it.
    fn exports(&self, module: &Module, front: Option<&str>) -> Exports {
        let mut exports = Exports::default();
        if let Some(front) = front
            && let Some(text) = self.text(front)
        {
            exports.read_own(front, &text);
        }
        let inside = front.unwrap_or(&module.path);
        let mut folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
        // The folder of `mod.rs` is the module itself.
        if folder == module.path {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        for at in 0..FRONTS_ABOVE {
            let Some(above) = self.front_in(folder) else {
                break;
            };
            if let Some(text) = self.text(&above) {
                // The front above a file is the file's own.
                let weight = if at == 0 && front.is_none() {
                    OWN
                } else {
                    ABOVE
                };
                exports.read_above(&above, &text, weight);
            }
            let Some((outer, _)) = folder.rsplit_once('/') else {
                break;
            };
            folder = outer;
        }
        exports
    }

    /// Returns the front of a folder.
    fn front_in(&self, folder: &str) -> Option<String> {
        let names = ["mod.rs", "lib.rs", "__init__.py", "index.ts", "index.js"];
        let mut paths = names
            .iter()
            .map(|name| {
                format!("{folder}/{name}")
                    .trim_start_matches('/')
                    .to_owned()
            })
            .chain([format!("{folder}.rs")]);
        paths.find(|path| {
            self.files
                .binary_search_by(|file| file.path.as_str().cmp(path))
                .is_ok()
        })
    }

    /// Collects the definitions of a module, those that stand inside of macros too.
    fn defining<'s>(
        &'s self,
        units: &[&'s Unit<'_>],
        front: Option<&str>,
        exports: &Exports,
    ) -> Vec<Defining<'s>> {
        let mut found: Vec<Defining<'s>> = units
            .iter()
            .map(|unit| Defining {
                file: unit.file,
                path: unit.path,
                weight: unit.weight,
                symbols: self
                    .structure
                    .symbols
                    .get(unit.file)
                    .map_or(&[], Vec::as_slice),
                hidden: Vec::new(),
            })
            .collect();
        let known: BTreeSet<&str> = found
            .iter()
            .flat_map(|file| file.symbols)
            .filter(|symbol| symbol.parent.is_none())
            .map(|symbol| symbol.name.as_str())
            .collect();
        let missing: BTreeSet<&str> = exports
            .places
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| !known.contains(name))
            .collect();
        for file in &mut found {
            let places = |(name, files): &&(String, Vec<String>)| {
                missing.contains(name.as_str()) && files.iter().any(|path| path == file.path)
            };
            if exports.places.iter().any(|place| places(&place)) {
                let text = self.text(file.path).unwrap_or_default();
                file.hidden = inside_macros(&text, &missing);
            }
        }
        let modules = self.modules_of(units, front, exports);
        if let Some(front) = found.iter_mut().find(|file| Some(file.path) == front) {
            front.hidden.extend(modules);
        }
        found
    }

    /// Returns the public modules within a module that the words of its front mention.
    fn modules_of(
        &self,
        units: &[&Unit<'_>],
        front: Option<&str>,
        exports: &Exports,
    ) -> Vec<Symbol> {
        let Some((front, text)) = front.and_then(|front| Some((front, self.text(front)?))) else {
            return Vec::new();
        };
        let folder = front.rsplit_once('/').map_or("", |(folder, _)| folder);
        let inside = |name: &str, path: &str| {
            let rest = path.strip_prefix(folder).unwrap_or(path);
            let rest = rest.trim_start_matches('/').strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
        };
        exports
            .modules
            .iter()
            .filter(|name| exports.mention(name) > 0.0)
            .filter(|name| units.iter().any(|unit| inside(name, unit.path)))
            .filter_map(|name| {
                let declared = format!("pub mod {name};");
                let at = text.lines().position(|line| line.trim() == declared)? as u32 + 1;
                let lines: u32 = units
                    .iter()
                    .filter(|unit| inside(name, unit.path))
                    .map(|unit| unit.lines)
                    .sum();
                Some(Symbol::new(name, SymbolKind::Module, at, at + lines))
            })
            .collect()
    }
}
