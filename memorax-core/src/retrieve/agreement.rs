//! What a query and a memory both name exactly.

use std::collections::BTreeSet;

use crate::text;
use crate::{Anchor, Memory};

use super::Entities;
use super::moves::is_common_name;
use super::terms::Rarity;

/// Names that stand in both.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Named {
    /// The names.
    pub(super) names: Vec<String>,
    /// How much they say together, 0 to 1.
    pub(super) weight: f32,
}

impl Named {
    fn add(&mut self, name: impl Into<String>, weight: f32) {
        let name = name.into();
        if weight <= 0.0 || self.names.contains(&name) {
            return;
        }
        self.names.push(name);
        self.weight = 1.0 - (1.0 - self.weight) * (1.0 - weight.min(1.0));
    }
}

/// Compares what is asked about with what a memory names in its text, tags and anchors.
pub(super) fn agreement(asked: &Entities, memory: &Memory, rarity: &Rarity) -> Named {
    let mut named = Named::default();
    if asked.is_empty() {
        return named;
    }
    let told = told(memory);
    for path in &asked.paths {
        if let Some(other) = told.paths.iter().find(|other| same_path(path, other)) {
            named.add(other.as_str(), 0.8);
        }
    }
    for symbol in asked.symbols.iter().chain(&asked.ticked) {
        let known = told.symbols.contains(symbol) || told.ticked.contains(symbol);
        if known {
            // A capital alone may be any proper noun; it is no evidence without other words.
            let shaped = asked.ticked.contains(symbol) || is_shaped(symbol);
            let weight = if shaped { 0.9 } else { 0.3 };
            named.add(symbol.as_str(), weight * rarity_of(symbol, rarity));
        }
    }
    for command in &asked.commands {
        if told
            .commands
            .iter()
            .any(|other| is_start(command, other) || is_start(other, command))
        {
            named.add(command.as_str(), 0.7);
        }
    }
    for error in &asked.errors {
        if told.errors.contains(error) || told.symbols.contains(error) {
            named.add(error.as_str(), 0.9 * rarity_of(error, rarity));
        }
    }
    for issue in asked.issues.intersection(&told.issues) {
        named.add(issue.as_str(), 0.8);
    }
    for commit in &asked.commits {
        if told
            .commits
            .iter()
            .any(|other| other.starts_with(commit) || commit.starts_with(other.as_str()))
        {
            named.add(commit.as_str(), 0.8);
        }
    }
    named
}

fn told(memory: &Memory) -> Entities {
    let mut told = Entities::of(&memory.text);
    told.symbols.extend(memory.tags.iter().cloned());
    for anchor in &memory.anchors {
        match anchor {
            Anchor::Path { path } => {
                told.paths.insert(path.clone());
            }
            Anchor::Symbol { path, name, .. } => {
                told.paths.insert(path.clone());
                told.symbols.insert(name.clone());
            }
            Anchor::Commit { id } => {
                told.commits.insert(id.clone());
            }
            Anchor::Command { template } => {
                told.commands.insert(template.clone());
            }
            Anchor::Error { signature } => {
                let found = Entities::of(signature);
                told.errors.extend(found.errors);
            }
        }
    }
    told
}

/// Says whether one path is the other or its end; a name that many folders have needs its folder.
fn same_path(asked: &str, told: &str) -> bool {
    if asked == told {
        return asked.contains('/') || !is_common_name(asked);
    }
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.ends_with('/'))
            && (short.contains('/') || short.contains('.') && !is_common_name(short))
    };
    ends(asked, told) || ends(told, asked)
}

/// Says whether a name has an inner capital, digit or underscore, as no word of prose has.
fn is_shaped(name: &str) -> bool {
    name.trim_matches('_')
        .chars()
        .skip(1)
        .any(|letter| letter.is_uppercase() || letter.is_numeric() || letter == '_')
}

fn is_start(short: &str, long: &str) -> bool {
    long.strip_prefix(short)
        .is_some_and(|rest| (rest.is_empty() || rest.starts_with(' ')) && short.contains(' '))
}

/// How much a name says: its own rarity as a whole word.
fn rarity_of(name: &str, rarity: &Rarity) -> f32 {
    let words: BTreeSet<String> = text::words(name).into_iter().collect();
    words.iter().map(|word| rarity.of(word)).fold(0.0, f32::max)
}
