//! Reads all definitions and imports of a view.

use super::layout::{NONE, section};
use super::open::View;

use crate::repo::Structure;
use crate::repo::facts::Definition;
use crate::repo::format::u32_at;
use crate::{Result, Symbol};

impl View {
    pub(super) fn read_structure(&self) -> Result<Structure> {
        let mut symbols = Vec::with_capacity(self.rows.len());
        for file in 0..self.rows.len() {
            symbols.push(self.read_symbols(file as u32)?);
        }
        Ok(Structure::new(symbols, self.read_imports()?))
    }

    pub(super) fn read_imports(&self) -> Result<Vec<(u32, u32)>> {
        let pairs = self.container.section(section::IMPORTS)?;
        Ok(pairs
            .chunks_exact(8)
            .map(|pair| (u32_at(pair, 0), u32_at(pair, 4)))
            .collect())
    }

    pub(super) fn read_symbols(&self, file: u32) -> Result<Vec<Symbol>> {
        let Some(row) = self
            .rows
            .get(file as usize)
            .filter(|row| row.segment != NONE)
        else {
            return Ok(Vec::new());
        };
        let segment = &self.code[row.segment as usize];
        let blob = segment.blob(row.blob)?;
        let definitions = segment.definitions(&blob)?;
        Ok(definitions
            .into_iter()
            .map(Definition::into_symbol)
            .collect())
    }
}
