//! Compares the vectors with the texts that they claim.

use std::ops::ControlFlow;

use super::block::{self, BLOCK, codes};
use super::exact::{Exact, label_of};
use super::ready::hash_of;
use super::rows::{Known, number_of};
use crate::store::{Card, Rows, Table, state};
use crate::{Memory, MemoryId, Result};

/// Returns what does not fit, in words for people; empty when all is well. Reads every row. A memory that waits for its
/// vector is well.
pub(in crate::store) fn check(rows: &dyn Rows) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut vectors = 0;
    for embedder in Known::all(rows)? {
        let [own, codes] = check_embedder(rows, &embedder, &mut problems)?;
        if embedder.vectors != own as u64 || codes != own {
            problems.push(format!(
                "{} vectors of `{}` are counted, {own} are there, {codes} can be searched",
                embedder.vectors, embedder.id
            ));
        }
        vectors += own;
    }
    for table in [Table::Vector, Table::VectorOrder] {
        let strays = count(rows, table)?.saturating_sub(vectors);
        if strays > 0 {
            problems.push(format!(
                "{strays} rows of `{}` belong to no vector",
                table.as_str()
            ));
        }
    }
    Ok(problems)
}

/// Checks the vectors of one embedder; returns how many vectors and how many codes there are.
fn check_embedder(
    rows: &dyn Rows,
    embedder: &Known,
    problems: &mut Vec<String>,
) -> Result<[usize; 2]> {
    let key = embedder.key();
    let mut found = [0; 2];
    rows.prefix(Table::Vector, key.as_bytes(), &mut |row_key, row| {
        found[0] += 1;
        let ordinal = number_of(row_key)?;
        let label = label_of(row_key, row)?;
        let vector = Exact::decode(row_key, row)?;
        let block = block::read(rows, key, ordinal / BLOCK)?;
        let block_key = key.with(ordinal / BLOCK);
        let code = codes(&block_key, &block, embedder.dimensions as usize)?
            .find(|code| u32::from(code.place) == ordinal % BLOCK)
            .is_some_and(|code| {
                code.bytes == vector.code()
                    && code.greatest.to_bits() == vector.greatest().to_bits()
            });
        if !code {
            problems.push(format!(
                "memory number {ordinal} is searched by another vector than it has of `{}`",
                embedder.id
            ));
        }
        let order = rows.get(Table::VectorOrder, &key.at(label.place))?;
        if order.as_deref() != Some(&ordinal.to_be_bytes()) {
            problems.push(format!(
                "memory number {ordinal} has another place among the vectors of `{}`",
                embedder.id
            ));
        }
        match shown(rows, ordinal)? {
            None => problems.push(format!(
                "memory number {ordinal} is gone and has a vector of `{}`",
                embedder.id
            )),
            Some((id, memory)) if hash_of(&memory) != label.text => problems.push(format!(
                "memory `{id}`: its vector of `{}` is of another text",
                embedder.id
            )),
            Some(_) => {}
        }
        Ok(ControlFlow::Continue(()))
    })?;
    rows.prefix(Table::Code, key.as_bytes(), &mut |row_key, row| {
        found[1] += codes(row_key, row, embedder.dimensions as usize)?.count();
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}

fn shown(rows: &dyn Rows, ordinal: u32) -> Result<Option<(MemoryId, Memory)>> {
    let Some(card) = rows.get(Table::Card, &ordinal.to_be_bytes())? else {
        return Ok(None);
    };
    let id = Card::decode(&card)?.id;
    // A record that cannot be decoded was named when it was compared with the log.
    let memory = state::shown(rows, id).ok().flatten();
    Ok(memory.map(|memory| (id, memory)))
}

fn count(rows: &dyn Rows, table: Table) -> Result<usize> {
    let mut count = 0;
    rows.range(table, &[], &[], &mut |_, _| {
        count += 1;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(count)
}
