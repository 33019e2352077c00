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
    if !may_agree(asked, &memory.text, &memory.tags, &memory.anchors) {
        return named;
    }
    let told = told(&memory.text, &memory.tags, &memory.anchors);
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

/// Says whether anything that is asked about can be named by a memory: each of it has a piece that would stand there.
/// Reading all names out of a text takes a hundred times as long.
fn may_agree(asked: &Entities, text: &str, tags: &[String], anchors: &[Anchor]) -> bool {
    let mut text = text.to_lowercase();
    for tag in tags {
        text.push('\n');
        text.push_str(&tag.to_lowercase());
    }
    for anchor in anchors {
        let (one, other) = match anchor {
            Anchor::Path { path } => (path, ""),
            Anchor::Symbol { path, name, .. } => (path, name.as_str()),
            Anchor::Commit { id } => (id, ""),
            Anchor::Command { template } => (template, ""),
            Anchor::Error { signature } => (signature, ""),
        };
        text.push('\n');
        text.push_str(&one.to_lowercase());
        text.push('\n');
        text.push_str(&other.to_lowercase());
    }
    let has = |piece: &str| text.contains(&piece.to_lowercase());
    let last = |path: &str| has(path.rsplit('/').next().unwrap_or(path));
    let first = |command: &str| has(command.split(' ').next().unwrap_or(command));
    let number = |issue: &str| has(issue.trim_start_matches('#'));
    // Abbreviated ids of commits have seven digits and more.
    let start = |commit: &str| has(commit.get(..7).unwrap_or(commit));
    asked.paths.iter().any(|path| last(path))
        || asked
            .symbols
            .iter()
            .chain(&asked.ticked)
            .any(|name| has(name))
        || asked.commands.iter().any(|command| first(command))
        || asked.errors.iter().any(|error| has(error))
        || asked.issues.iter().any(|issue| number(issue))
        || asked.commits.iter().any(|commit| start(commit))
}

fn told(text: &str, tags: &[String], anchors: &[Anchor]) -> Entities {
    let mut told = Entities::of(text);
    told.symbols.extend(tags.iter().cloned());
    for anchor in anchors {
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

#[cfg(test)]
mod tests {
    use super::{may_agree, told};
    use crate::Anchor;
    use crate::retrieve::Entities;

    /// Texts that name things of every kind, in the forms in which people write them.
    const TEXTS: &[&str] = &[
        "`src/store/Ledger.rs` is read by `Ledger::apply` in ledger.rs, see #12 and issue 34",
        "In LEDGER.RS the panic E0502 came back with a1b2c3d4e5, PROJ-77",
        "run `cargo  test --workspace` before; cargo test fails with TimeoutError",
        "https://github.com/a/b/pull/34 changed Store.apply and store/ledger.rs:12",
        "proj-77 was about $ npm run build and A1B2C3D4E5F6",
        "nothing of that kind is said here",
    ];

    #[test]
    fn what_cannot_agree_names_nothing_that_is_asked() {
        let anchors = [Anchor::Path {
            path: "src/store/ledger.rs".to_owned(),
        }];
        let tags = ["Ledger".to_owned()];
        let mut agreed = 0;
        for text in TEXTS {
            let asked = Entities::of(text);
            for other in TEXTS {
                for (tags, anchors) in [(&tags[..], &anchors[..]), (&[], &[])] {
                    let is_common = common(&asked, &told(other, tags, anchors));
                    agreed += usize::from(is_common);
                    assert!(
                        may_agree(&asked, other, tags, anchors) || !is_common,
                        "{text} and {other} name the same thing",
                    );
                }
            }
        }
        assert!(agreed > 12, "{agreed} pairs tell nothing");
    }

    /// Says whether two texts name a thing of one kind alike, or one the end or the start of the other.
    fn common(asked: &Entities, told: &Entities) -> bool {
        let kinds = |entities: &Entities| {
            let names = entities
                .symbols
                .iter()
                .chain(&entities.ticked)
                .chain(&entities.errors);
            [
                entities.paths.iter().cloned().collect::<Vec<_>>(),
                names.cloned().collect(),
                entities.commands.iter().cloned().collect(),
                entities.issues.iter().cloned().collect(),
                entities.commits.iter().cloned().collect(),
            ]
        };
        kinds(asked).iter().zip(kinds(told)).any(|(asked, told)| {
            asked.iter().any(|one| {
                told.iter().any(|other| {
                    one.starts_with(other.as_str())
                        || other.starts_with(one.as_str())
                        || one.ends_with(&format!("/{other}"))
                        || other.ends_with(&format!("/{one}"))
                })
            })
        })
    }
}
