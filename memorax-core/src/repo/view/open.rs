//! An open view: facts at once, everything else when it is first asked for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::layout::{FILE_ROW, FileRow, FileState, Meta, NONE, STATE_ROW, own, section};
use super::search::CodeIndex;
use crate::repo::code::CodeSegment;
use crate::repo::format::{Bytes, Container, Lexicon, Reader, u32_at};
use crate::repo::history::{HistorySegment, Place};
use crate::repo::{
    CommitHit, CommitSelection, Field, FileScore, QueryWord, RepositoryView, Structure, Trail,
    VectorCount, story,
};
use crate::{Embedder, FileInfo, Milestone, Result, Revert, Symbol, ViewInfo};

/// Two sections with lists: the end of each, and the lists.
#[derive(Debug)]
pub(super) struct Lists {
    base: usize,
    sections: OnceLock<(Bytes, Bytes)>,
}

impl Lists {
    fn new(base: usize) -> Self {
        Self {
            base,
            sections: OnceLock::new(),
        }
    }

    fn read(&self, container: &Container) -> Result<&(Bytes, Bytes)> {
        if let Some(sections) = self.sections.get() {
            return Ok(sections);
        }
        let sections = (
            container.section(self.base)?,
            container.section(self.base + 1)?,
        );
        Ok(self.sections.get_or_init(|| sections))
    }
}

/// A view of one state of a repository.
#[derive(Debug)]
pub(in crate::repo) struct View {
    pub(in crate::repo) meta: Meta,
    /// The working tree's own file.
    pub(in crate::repo) own: Container,
    /// The file that it shares with other working trees.
    pub(in crate::repo) container: Container,
    /// Where vectors of other embedders lie.
    pub(super) folder: Option<PathBuf>,
    pub(super) code: Vec<Arc<CodeSegment>>,
    pub(super) history: Vec<Arc<HistorySegment>>,
    pub(super) rows: Vec<FileRow>,
    pub(super) path_words: Lexicon,
    pub(super) stem_words: Lexicon,
    /// Files by age of the commit, and ages by file.
    pub(super) commit_files: Lists,
    pub(super) touches: Lists,
    pub(super) owners: OnceLock<HashMap<(u32, u32), Vec<u32>>>,
    paths: OnceLock<Bytes>,
    files: OnceLock<Vec<FileInfo>>,
    order: OnceLock<Vec<Place>>,
    pub(super) code_index: OnceLock<CodeIndex>,
    pub(super) ages: OnceLock<Vec<Vec<u32>>>,
    structure: OnceLock<Arc<Structure>>,
}

impl View {
    /// Reads what a view says about itself, to learn which segments it needs.
    pub(in crate::repo) fn meta(own: &Container) -> Result<Meta> {
        let bytes = own.section(own::META)?;
        serde_json::from_slice(&bytes).map_err(|_| own.damage())
    }

    /// Opens a view with its segments, in the order in which its facts name them.
    pub(in crate::repo) fn open(
        own: Container,
        container: Container,
        meta: Meta,
        code: Vec<Arc<CodeSegment>>,
        history: Vec<Arc<HistorySegment>>,
    ) -> Result<Self> {
        let table = container.section(section::FILES)?;
        let rows: Vec<FileRow> = table.chunks_exact(FILE_ROW).map(FileRow::read).collect();
        let known = |row: &FileRow| row.segment == NONE || (row.segment as usize) < code.len();
        if !rows.iter().all(known) {
            return Err(container.damage());
        }
        let mut view = Self {
            meta,
            own,
            container,
            folder: None,
            code,
            history,
            rows,
            path_words: Lexicon::new(section::PATH_WORDS),
            stem_words: Lexicon::new(section::STEM_WORDS),
            commit_files: Lists::new(section::COMMIT_ENDS),
            touches: Lists::new(section::TOUCH_ENDS),
            owners: OnceLock::new(),
            paths: OnceLock::new(),
            files: OnceLock::new(),
            order: OnceLock::new(),
            code_index: OnceLock::new(),
            ages: OnceLock::new(),
            structure: OnceLock::new(),
        };
        view.meta.info.bytes = view.containers().map(Container::bytes).sum();
        Ok(view)
    }

    /// Looks for vectors of other embedders in a folder.
    pub(in crate::repo) fn beside(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Returns the segments of history.
    pub(in crate::repo) fn segments(&self) -> Vec<Arc<HistorySegment>> {
        self.history.clone()
    }

    /// Returns the paths of all files, sorted.
    pub(in crate::repo) fn file_paths(&self) -> Result<Vec<&str>> {
        (0..self.rows.len() as u32)
            .map(|file| self.path(file))
            .collect()
    }

    /// Reads a list that is kept as JSON; empty in a view that was made before there was one.
    fn kept<T: serde::de::DeserializeOwned>(&self, section: usize) -> Result<Vec<T>> {
        if self.container.length(section) == 0 {
            return Ok(Vec::new());
        }
        let bytes = self.container.section(section)?;
        serde_json::from_slice(&bytes).map_err(|_| self.container.damage())
    }

    /// Returns all files that the view is read from.
    pub(in crate::repo) fn containers(&self) -> impl Iterator<Item = &Container> {
        let code = self.code.iter().map(|segment| &segment.container);
        let history = self.history.iter().map(|segment| &segment.container);
        [&self.own, &self.container]
            .into_iter()
            .chain(code)
            .chain(history)
    }

    /// Returns the path of a file.
    pub(super) fn path(&self, file: u32) -> Result<&str> {
        let bytes = if let Some(bytes) = self.paths.get() {
            bytes
        } else {
            let bytes = self.container.section(section::PATHS)?;
            self.paths.get_or_init(|| bytes)
        };
        let file = file as usize;
        let start = match file.checked_sub(1) {
            Some(before) => self.rows.get(before).map_or(0, |row| row.path_end),
            None => 0,
        };
        let end = self.rows.get(file).map_or(0, |row| row.path_end);
        bytes
            .get(start as usize..end as usize)
            .and_then(|path| std::str::from_utf8(path).ok())
            .ok_or_else(|| self.container.damage())
    }

    /// Returns the paths of all files and what each looked like on disk.
    pub(in crate::repo) fn states(&self) -> Result<Vec<(String, FileRow, FileState)>> {
        let table = self.own.section(own::STATES)?;
        table
            .chunks_exact(STATE_ROW)
            .zip(&self.rows)
            .enumerate()
            .map(|(file, (state, row))| {
                let path = self.path(file as u32)?.to_owned();
                Ok((path, *row, FileState::read(state)))
            })
            .collect()
    }

    /// Returns where the commits are kept, newest first.
    pub(in crate::repo) fn order(&self) -> Result<&[Place]> {
        if let Some(order) = self.order.get() {
            return Ok(order);
        }
        let bytes = self.container.section(section::ORDER)?;
        let order: Vec<Place> = bytes
            .chunks_exact(8)
            .map(|row| Place {
                segment: u32_at(row, 0),
                ordinal: u32_at(row, 4),
            })
            .collect();
        let known = |place: &Place| (place.segment as usize) < self.history.len();
        if !order.iter().all(known) {
            return Err(self.container.damage());
        }
        Ok(self.order.get_or_init(|| order))
    }

    /// Reads a list that was written as gaps; the sections are kept for the next one.
    pub(super) fn list(&self, lists: &Lists, index: u32) -> Result<Vec<u32>> {
        let (ends, bytes) = lists.read(&self.container)?;
        let at = index as usize * 4;
        let start = match at.checked_sub(4) {
            Some(before) => u32_at(ends, before) as usize,
            None => 0,
        };
        let list = bytes
            .get(start..u32_at(ends, at) as usize)
            .ok_or_else(|| self.container.damage())?;
        let mut reader = Reader::new(list);
        let mut values = Vec::new();
        let mut value = 0_u32;
        while !reader.is_empty() {
            value = reader
                .number()
                .and_then(|gap| value.checked_add(gap))
                .ok_or_else(|| self.container.damage())?;
            values.push(value);
        }
        Ok(values)
    }

    fn read_files(&self) -> Result<Vec<FileInfo>> {
        (0..self.rows.len())
            .map(|file| {
                let row = &self.rows[file];
                let mut info = FileInfo::new(self.path(file as u32)?, row.role);
                info.language = row.language.name().map(str::to_owned);
                info.size = row.size;
                info.lines = row.lines;
                info.last_change = (row.last_change != NONE).then_some(row.last_change);
                info.changes = row.changes;
                Ok(info)
            })
            .collect()
    }
}

impl RepositoryView for View {
    fn info(&self) -> &ViewInfo {
        &self.meta.info
    }

    fn files(&self) -> Result<&[FileInfo]> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let files = self.read_files()?;
        Ok(self.files.get_or_init(|| files))
    }

    fn search(&self, field: Field, words: &[QueryWord], limit: usize) -> Result<Vec<FileScore>> {
        let mut found = match field {
            Field::Code => self.search_code(words)?,
            Field::Whole => self.search_whole(words)?,
            Field::Path => self.search_paths(words)?,
            Field::Symbol => self.search_names(words)?,
            Field::Symbols => self.search_all_names(words)?,
            Field::Messages => self.search_messages(words)?,
            Field::Definition => self.search_definitions(words)?,
        };
        // Files are sorted by path, so that their numbers break ties by path.
        let order = |left: &FileScore, right: &FileScore| {
            right
                .score
                .total_cmp(&left.score)
                .then(left.file.cmp(&right.file))
        };
        if found.len() > limit && limit > 0 {
            found.select_nth_unstable_by(limit - 1, order);
        }
        found.truncate(limit);
        found.sort_unstable_by(order);
        Ok(found)
    }

    fn nearness(&self, text: &str, files: &[u32]) -> Result<Vec<FileScore>> {
        self.near(text, files)
    }

    fn nearness_by(
        &self,
        embedder: &dyn Embedder,
        text: &str,
        files: &[u32],
    ) -> Result<Vec<FileScore>> {
        self.near_by(embedder, text, files)
    }

    fn vectors_of(&self, embedder: &str) -> Result<VectorCount> {
        self.count_vectors(embedder)
    }

    fn commits(&self, selection: &CommitSelection<'_>, limit: usize) -> Result<Vec<CommitHit>> {
        self.find_commits(selection, limit)
    }

    fn structure(&self) -> Result<Arc<Structure>> {
        if let Some(structure) = self.structure.get() {
            return Ok(Arc::clone(structure));
        }
        let structure = Arc::new(self.read_structure()?);
        Ok(Arc::clone(self.structure.get_or_init(|| structure)))
    }

    fn imports(&self) -> Result<Vec<(u32, u32)>> {
        self.read_imports()
    }

    fn symbols(&self, file: u32) -> Result<Vec<Symbol>> {
        self.read_symbols(file)
    }

    fn milestones(&self) -> Result<Vec<Milestone>> {
        self.kept(section::MILESTONES)
    }

    fn reverts(&self) -> Result<Vec<Revert>> {
        self.kept(section::REVERTS)
    }

    fn trail(&self, path: &str) -> Result<Option<Trail>> {
        story::trail(self, path)
    }

    fn past_paths(&self) -> Result<Vec<String>> {
        story::past_paths(self)
    }
}
