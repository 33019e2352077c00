//! Parses a file with the grammar of its language, and gives up where that takes too long.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use super::walk::{Rules, Table};
use super::{Facts, Language, mark};
use super::{
    c, csharp, go, java, kotlin, macros, php, python, ruby, rust, scala, script, shell, swift,
};

/// Most steps that one file is parsed for, as the parser counts them: a hundred operations each. Of 121 files of eleven
/// projects none took more than 12,012 for a megabyte. A number and not a time, so that the same bytes give the same facts
/// on a busy machine.
const STEPS: usize = 20_000;
/// Longest time that one file is parsed for: the steps of garbage take a hundred times as long.
const PATIENCE: Duration = Duration::from_secs(5);
/// What a step counts for at most: while a process is stopped, its clock goes on.
const LONGEST_STEP: Duration = Duration::from_millis(50);

/// Parsers of the languages met so far.
#[derive(Default)]
pub(super) struct Parsers {
    ready: HashMap<Language, Option<Ready>>,
}

struct Ready {
    parser: Parser,
    table: Table,
}

impl Parsers {
    /// Adds definitions and imports to `facts`; does nothing in a language without a grammar.
    pub(super) fn parse(&mut self, text: &str, language: Language, facts: &mut Facts) {
        let grammar = match language {
            Language::C if macros::is_cpp(text) => Language::CPP,
            language => language,
        };
        let Some(ready) = self
            .ready
            .entry(grammar)
            .or_insert_with(|| rules_of(grammar).and_then(Ready::new))
        else {
            return;
        };
        let c = matches!(grammar, Language::C | Language::CPP);
        let parsed = if c {
            macros::without_macros(text)
        } else {
            Cow::Borrowed(text)
        };
        let Some(tree) = ready.tree(&parsed) else {
            facts.marks |= mark::SLOW;
            return;
        };
        ready.table.walk(&tree, text, facts);
        if c && tree.root_node().has_error()
            && let Some(other) = ready.tree(&macros::first_branches(&parsed))
            && wrong(&other) < wrong(&tree)
        {
            // The imports of both count: an include in another branch is one as well.
            facts.definitions.clear();
            ready.table.walk(&other, text, facts);
        }
    }
}

/// Counts the bytes that the grammar could not make sense of.
fn wrong(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut sum = 0;
    loop {
        let node = cursor.node();
        if node.is_error() {
            sum += node.end_byte() - node.start_byte();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return sum;
            }
        }
    }
}

impl Ready {
    fn new(rules: Rules) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&rules.grammar).ok()?;
        Some(Self {
            parser,
            table: Table::new(rules),
        })
    }

    /// Parses, or gives up when it takes too long.
    fn tree(&mut self, text: &str) -> Option<Tree> {
        let (mut steps, mut spent) = (0, Duration::ZERO);
        let mut last = Instant::now();
        let mut watch = |_: &tree_sitter::ParseState| {
            steps += 1;
            let now = Instant::now();
            spent += (now - last).min(LONGEST_STEP);
            last = now;
            if steps > STEPS || spent > PATIENCE {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let bytes = text.as_bytes();
        let tree = self.parser.parse_with_options(
            &mut |offset, _| bytes.get(offset..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut watch)),
        );
        if tree.is_none() {
            // Otherwise the next file would be parsed as the rest of this one.
            self.parser.reset();
        }
        tree
    }
}

fn rules_of(language: Language) -> Option<Rules> {
    match language {
        Language::RUST => Some(rust::rules()),
        Language::PYTHON => Some(python::rules()),
        Language::TYPESCRIPT => Some(script::typescript()),
        Language::TSX => Some(script::tsx()),
        Language::JAVASCRIPT => Some(script::javascript()),
        Language::GO => Some(go::rules()),
        Language::JAVA => Some(java::rules()),
        Language::KOTLIN => Some(kotlin::rules()),
        Language::C => Some(c::c()),
        Language::CPP => Some(c::cpp()),
        Language::CSHARP => Some(csharp::rules()),
        Language::RUBY => Some(ruby::rules()),
        Language::PHP => Some(php::rules()),
        Language::SWIFT => Some(swift::rules()),
        Language::SCALA => Some(scala::rules()),
        Language::SHELL => Some(shell::rules()),
        _ => None,
    }
}

/// Learns from a text of a language and returns its definitions as `kind name line-end parent`, for tests.
#[cfg(test)]
pub(super) fn outline(text: &str, language: Language) -> (Vec<String>, Vec<String>) {
    let facts = super::Learner::default().learn(text.as_bytes(), language, |_, _, _| {});
    let definitions = facts
        .definitions
        .iter()
        .map(|found| {
            format!(
                "{} {} {}-{} {}",
                found.kind.as_str(),
                found.name,
                found.line,
                found.end,
                found.parent.as_deref().unwrap_or("-")
            )
        })
        .collect();
    (definitions, facts.imports)
}
