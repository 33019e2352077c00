//! Walks a tree once for definitions and imports. What counts is said by the rules of its language.

use std::collections::HashSet;

use tree_sitter::{Node, Tree};

use super::{Definition, Facts, hash_body};
use crate::SymbolKind;

/// Longest name of a definition, and longest import, in bytes: longer ones are data.
const LONGEST_NAME: usize = 200;
pub(super) const LONGEST_IMPORT: usize = 400;
/// Deepest level of a tree that is visited: below it there are only expressions.
const DEEPEST: usize = 200;

/// What a kind of node means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// A definition under the name in the field `name`.
    Define(SymbolKind),
    /// Gives its name to what is inside, but is no definition itself.
    Scope,
    /// Has to be looked at by the language.
    Look,
}

/// Rules of a language.
pub(super) struct Rules {
    pub(super) grammar: tree_sitter::Language,
    /// Kinds of nodes that matter.
    pub(super) nodes: &'static [(&'static str, Rule)],
    /// Looks at a node whose rule is [`Rule::Look`] or [`Rule::Scope`].
    pub(super) look: fn(&mut Walk<'_, '_>, Node<'_>),
    /// Whether imports elsewhere name definitions, so that a file has to say which it has (`d name`).
    pub(super) names: bool,
}

/// State of a walk through one tree.
pub(super) struct Walk<'a, 'f> {
    pub(super) text: &'a str,
    pub(super) facts: &'f mut Facts,
    /// Kinds of the nodes around the present one and their first lines, outermost first.
    pub(super) around: Vec<(&'a str, u32)>,
    scopes: Vec<Scope>,
    /// Definitions that only declare what is written elsewhere.
    declared: Vec<usize>,
    names: bool,
    /// Names that were asked for by [`Walk::is_new`].
    seen: HashSet<&'a str>,
}

struct Scope {
    end: usize,
    name: String,
    kind: Option<SymbolKind>,
}

impl<'a> Walk<'a, '_> {
    /// Returns the text of a node.
    pub(super) fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Returns the text of a field of a node.
    pub(super) fn field(&self, node: Node<'_>, name: &str) -> Option<&'a str> {
        node.child_by_field_name(name)
            .map(|child| self.text_of(child))
    }

    /// Returns the kind of the node that is `level` levels around the present one, from 1.
    pub(super) fn outer(&self, level: usize) -> &'a str {
        self.around
            .len()
            .checked_sub(level)
            .map_or("", |index| self.around[index].0)
    }

    /// Returns the kind of the innermost definition around the present node.
    pub(super) fn scope_kind(&self) -> Option<SymbolKind> {
        self.scopes.last().and_then(|scope| scope.kind)
    }

    /// Returns the names of the modules around the present node, joined by `::`.
    pub(super) fn modules(&self) -> String {
        let names: Vec<&str> = self
            .scopes
            .iter()
            .filter(|scope| scope.kind == Some(SymbolKind::Module))
            .map(|scope| scope.name.as_str())
            .collect();
        names.join("::")
    }

    /// Adds a definition that spans `node`, inside the scope around it or under `parent`.
    pub(super) fn define(
        &mut self,
        name: &str,
        kind: SymbolKind,
        node: Node<'_>,
        parent: Option<&str>,
    ) {
        if name.is_empty() || name.len() > LONGEST_NAME {
            return;
        }
        if self.names && self.scopes.is_empty() {
            self.import(format!("d {name}"));
        }
        let (start, end) = (node.start_position(), node.end_position());
        // Some kinds of nodes take the line break after them.
        let over = u32::from(end.column == 0 && end.row > start.row);
        let parent = parent
            .map(str::to_owned)
            .or_else(|| self.scopes.last().map(|scope| scope.name.clone()));
        self.facts.definitions.push(Definition {
            name: name.to_owned(),
            kind,
            line: start.row as u32 + 1,
            end: end.row as u32 + 1 - over,
            parent,
            body: hash_body(self.text_of(node)),
        });
    }

    /// Adds what is only declared here: it goes again if the same file defines it.
    pub(super) fn declare(
        &mut self,
        name: &str,
        kind: SymbolKind,
        node: Node<'_>,
        parent: Option<&str>,
    ) {
        let number = self.facts.definitions.len();
        self.define(name, kind, node, parent);
        if self.facts.definitions.len() > number {
            self.declared.push(number);
        }
    }

    /// Says whether a name is asked for the first time.
    pub(super) fn is_new(&mut self, name: &'a str) -> bool {
        self.seen.insert(name)
    }

    /// Makes `name` the parent of all definitions inside `node`.
    pub(super) fn enter(&mut self, name: &str, kind: Option<SymbolKind>, node: Node<'_>) {
        self.scopes.push(Scope {
            end: node.end_byte(),
            // Every definition inside gets a copy.
            name: name[..name.floor_char_boundary(LONGEST_NAME)].to_owned(),
            kind,
        });
    }

    /// Adds an import.
    pub(super) fn import(&mut self, entry: String) {
        // A file that imports thousands of things is a table, and one entry may not swallow the heap.
        if entry.len() <= LONGEST_IMPORT && self.facts.imports.len() < 2000 {
            self.facts.imports.push(entry);
        }
    }

    fn visit(&mut self, node: Node<'_>, rule: Rule, rules: &Rules) {
        match rule {
            Rule::Look | Rule::Scope => (rules.look)(self, node),
            Rule::Define(kind) => {
                if let Some(name) = self.field(node, "name") {
                    self.define(name, kind, node, None);
                    self.enter(name, Some(kind), node);
                }
            }
        }
    }

    fn walk(&mut self, tree: &'a Tree, table: &Table) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            while self
                .scopes
                .last()
                .is_some_and(|scope| scope.end <= node.start_byte())
            {
                self.scopes.pop();
            }
            if let Some(rule) = table
                .kinds
                .get(usize::from(node.kind_id()))
                .copied()
                .flatten()
            {
                self.visit(node, rule, &table.rules);
            }
            if self.around.len() < DEEPEST && cursor.goto_first_child() {
                self.around
                    .push((node.kind(), node.start_position().row as u32 + 1));
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.around.pop();
            }
        }
    }
}

/// Rules of a language by the number of each kind of node.
pub(super) struct Table {
    rules: Rules,
    kinds: Vec<Option<Rule>>,
}

impl Table {
    pub(super) fn new(rules: Rules) -> Self {
        let mut kinds = vec![None; rules.grammar.node_kind_count()];
        for (id, slot) in kinds.iter_mut().enumerate() {
            let kind = rules.grammar.node_kind_for_id(id as u16);
            *slot = rules
                .nodes
                .iter()
                .find(|(name, _)| {
                    Some(*name) == kind && rules.grammar.node_kind_is_named(id as u16)
                })
                .map(|(_, rule)| *rule);
        }
        Self { rules, kinds }
    }

    /// Adds the definitions and imports of a tree to `facts`.
    pub(super) fn walk(&self, tree: &Tree, text: &str, facts: &mut Facts) {
        let mut walk = Walk {
            text,
            facts,
            around: Vec::new(),
            scopes: Vec::new(),
            declared: Vec::new(),
            names: self.rules.names,
            seen: HashSet::new(),
        };
        walk.walk(tree, self);
        let declared = walk.declared;
        drop_declared(facts, &declared);
    }
}

/// Drops declarations of what the file defines.
fn drop_declared(facts: &mut Facts, declared: &[usize]) {
    let name = |definition: &Definition| (definition.name.clone(), definition.parent.clone());
    if declared.is_empty() {
        return;
    }
    let mut only: HashSet<usize> = declared.iter().copied().collect();
    let defined: HashSet<_> = facts
        .definitions
        .iter()
        .enumerate()
        .filter(|(number, _)| !only.contains(number))
        .map(|(_, definition)| name(definition))
        .collect();
    only.retain(|number| defined.contains(&name(&facts.definitions[*number])));
    let mut number = 0;
    facts.definitions.retain(|_| {
        number += 1;
        !only.contains(&(number - 1))
    });
}
