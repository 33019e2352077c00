//! Reads all definitions and imports of a view.

use super::layout::{NONE, section};
use super::open::View;
use crate::Result;
use crate::repo::Structure;
use crate::repo::facts::Definition;
use crate::repo::format::u32_at;

impl View {
    pub(super) fn read_structure(&self) -> Result<Structure> {
        let mut symbols = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            if row.segment == NONE {
                symbols.push(Vec::new());
                continue;
            }
            let segment = &self.code[row.segment as usize];
            let blob = segment.blob(row.blob)?;
            let definitions = segment.definitions(&blob)?;
            symbols.push(
                definitions
                    .into_iter()
                    .map(Definition::into_symbol)
                    .collect(),
            );
        }
        let pairs = self.container.section(section::IMPORTS)?;
        let imports = pairs
            .chunks_exact(8)
            .map(|pair| (u32_at(pair, 0), u32_at(pair, 4)))
            .collect();
        Ok(Structure::new(symbols, imports))
    }
}
