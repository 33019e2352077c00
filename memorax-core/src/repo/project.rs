//! What a project is, read from its manifests, CI files and documents: name, entry points, commands, conventions.
//!
//! Nothing is run and nothing is guessed: every statement carries the file that it comes from, and what cannot be
//! read with certainty is left out.

mod cargo;
mod ci;
mod command;
mod comment;
mod documents;
mod facts;
mod go;
mod ini;
mod java;
mod json;
mod languages;
mod node;
mod other;
mod prose;
mod python;
mod readme;
mod rules;
mod runner;
mod settings;
mod shell;
mod sources;
mod task;
mod tree;
mod yaml;

use serde::{Deserialize, Serialize};

pub use command::{Basis, ProjectCommand, Task};
pub(crate) use comment::{definition_purpose, file_purpose};
pub(crate) use languages::is_code;
pub(crate) use sources::ending;
pub use tree::{FolderTree, Tree};

use crate::FileInfo;
use facts::Facts;
use sources::Sources;

/// What manifests, CI files and documents say about a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Project {
    /// Its name, as its manifest or its README has it.
    pub name: String,
    /// What it is, in a sentence or two.
    pub description: Option<String>,
    /// Version in the manifest, if it is written there.
    pub version: Option<String>,
    /// Languages by lines of code, most first.
    pub languages: Vec<LanguageShare>,
    /// Packages of the project, the root's first.
    pub packages: Vec<Package>,
    /// Where execution or import begins, most useful first.
    pub entry_points: Vec<EntryPoint>,
    /// Commands by task, the best documented first within a task.
    pub commands: Vec<ProjectCommand>,
    /// Rules that tools enforce or that manifests state.
    pub conventions: Vec<Statement>,
    /// Rules about working on the code, quoted from documents for contributors.
    pub rules: Vec<Statement>,
    /// Documents for contributors, such as `CONTRIBUTING.md`.
    pub guides: Vec<String>,
    /// Manifests that could not be read, with the reason; shown to people.
    pub unreadable: Vec<(String, String)>,
}

/// A language and how much of the code is written in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LanguageShare {
    /// Its name as people write it.
    pub name: String,
    /// Lines of code, tests included.
    pub lines: u64,
    /// Share of all lines of code, in percent.
    pub percent: u8,
}

/// A package of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder, relative to the root; empty for the root.
    pub folder: String,
    /// What its manifest says it is.
    pub description: Option<String>,
}

/// What an entry point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryKind {
    /// A program that people run.
    Program,
    /// A library that other code imports.
    Library,
    /// A process that an image or a platform starts.
    Service,
}

/// Where execution or import begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EntryPoint {
    /// Path of the file, relative to the root; it exists.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// What it gives, such as ``binary `rg` ``.
    pub what: String,
    /// What the package's manifest says it is for.
    pub purpose: Option<String>,
    /// Manifest that says so.
    pub from: String,
}

/// A sentence and the file that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statement {
    /// The sentence.
    pub text: String,
    /// The file, relative to the root.
    pub from: String,
}

impl Project {
    /// Reads what the project's own files say about it; `folder` names it where they do not.
    ///
    /// Never fails: a manifest that cannot be read is named in [`unreadable`](Self::unreadable).
    pub fn read(tree: &dyn Tree, files: &[FileInfo], folder: &str) -> Self {
        let sources = Sources::new(tree, files);
        let mut facts = Facts::default();
        // Runners first: what CI files and documents say is checked against their targets.
        runner::read(&sources, &mut facts);
        cargo::read(&sources, &mut facts);
        python::read(&sources, &mut facts);
        node::read(&sources, &mut facts);
        go::read(&sources, &mut facts);
        java::read(&sources, &mut facts);
        other::read(&sources, &mut facts);
        ci::read(&sources, &mut facts);
        documents::read(&sources, &mut facts);
        settings::read(&sources, &mut facts);
        facts.into_project(languages::shares(files), folder)
    }
}
