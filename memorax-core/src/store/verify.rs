//! Verification: walks every chain, derives the state again from the log, and compares.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::card::Card;
use super::chain::{self, Head, Link};
use super::ledger::Ledger;
use super::record::Record;
use super::rows::{MemoryStore, Rows, RowsMut, Table};
use super::volatile::Volatile;
use super::{postings, state, vectors};
use crate::{ErrorKind, Memory, MemoryId, Operation, Payload, Result};

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Chains walked.
    pub chains: usize,
    /// Operations whose hashes were computed again.
    pub operations: u64,
    /// Operations whose bodies were dropped by a purge.
    pub purged: u64,
    /// Memories whose state was derived again, without those that were forgotten or purged.
    pub memories: u64,
    /// Memories that were forgotten and can be brought back.
    pub forgotten: u64,
    /// Memories whose words were dropped by a purge.
    pub purged_memories: u64,
    /// Everything that does not fit; empty when the store is sound.
    pub problems: Vec<String>,
    /// What was lost before and cannot be proved any more, one sentence each: files that a repair began anew.
    pub lost: Vec<String>,
}

impl Verification {
    /// Says whether everything fits.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}

impl Ledger {
    /// Proves that the log is whole and that the state is what the log says.
    pub fn verify(&self) -> Result<Verification> {
        self.read(|rows| {
            let mut result = Verification::default();
            let operations = walk_chains(rows, &mut result)?;
            compare_state(rows, &operations, &mut result)?;
            check_words(rows, &mut result)?;
            result.problems.extend(vectors::check(rows)?);
            Ok(result)
        })
    }

    /// Derives the state again from the log and replaces it; returns how many operations were joined.
    pub fn derive_again(&self) -> Result<u64> {
        let mut joined = 0;
        self.write(&mut |rows, head| {
            joined = rederive(rows, head)?;
            Ok(())
        })?;
        Ok(joined)
    }
}

/// Checks hashes and links; returns the operations by their place in the sequence.
fn walk_chains(rows: &dyn Rows, result: &mut Verification) -> Result<Vec<Operation>> {
    let mut chains: BTreeMap<Vec<u8>, (u64, [u8; 32])> = BTreeMap::new();
    let mut links = Vec::new();
    rows.range(Table::Log, &[], &[], &mut |key, _| {
        links.push(Link::from_key(key)?);
        Ok(ControlFlow::Continue(()))
    })?;
    for link in &links {
        let name = chain_name(*link);
        let Some(operation) = load(rows, *link, result)? else {
            continue;
        };
        let (expected, previous) = chains.entry(link.chain().to_vec()).or_insert((0, [0; 32]));
        if link.index() != *expected {
            result.problems.push(format!(
                "{name}: operations {expected} to {} are missing",
                link.index() - 1
            ));
        } else if operation.previous != *previous {
            result.problems.push(format!(
                "{name}: operation {} does not follow from the one before it",
                link.index()
            ));
        }
        match &operation.body {
            Some(body) if chain::body_hash(body) != operation.body_hash => {
                result.problems.push(format!(
                    "{name}: the words of operation {} were changed",
                    link.index()
                ));
            }
            Some(_) => {}
            None => result.purged += 1,
        }
        *expected = link.index() + 1;
        *previous = chain::operation_hash(&operation);
        result.operations += 1;
    }
    result.chains = chains.len();
    let head = Head::load(rows)?;
    if let Some(head) = &head {
        let own = Link::new(head.device, head.incarnation, 0);
        let (next, last) = chains.get(own.chain()).copied().unwrap_or((0, [0; 32]));
        if (next, last) != (head.next, head.last) {
            result.problems.push(format!(
                "the log ends at operation {next}, and should end at {}",
                head.next
            ));
        }
    }
    sequence(rows, head.map_or(0, |head| head.sequence), result)
}

fn load(rows: &dyn Rows, link: Link, result: &mut Verification) -> Result<Option<Operation>> {
    match chain::load(rows, link) {
        Ok(operation) => Ok(operation),
        Err(error) if error.kind() == ErrorKind::Corrupted => {
            result
                .problems
                .push(format!("{}: {error}", chain_name(link)));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn chain_name(link: Link) -> String {
    let [first, second, third, fourth, ..] = link.0;
    let device = format!("{first:02x}{second:02x}{third:02x}{fourth:02x}");
    format!("chain {device}")
}

fn sequence(rows: &dyn Rows, next: u64, result: &mut Verification) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    for place in 0..next {
        let link = rows.get(Table::Sequence, &place.to_be_bytes())?;
        let operation = match &link {
            Some(link) => load(rows, Link::from_key(link)?, result)?,
            None => None,
        };
        match operation {
            Some(operation) => operations.push(operation),
            None => result.problems.push(format!(
                "operation {place} of the sequence is missing from the log"
            )),
        }
    }
    if operations.len() as u64 != result.operations {
        result.problems.push(format!(
            "the log has {} operations, the sequence names {}",
            result.operations,
            operations.len()
        ));
    }
    Ok(operations)
}

/// Derives records, aliases and lines again, and compares them with what is stored.
fn compare_state(
    rows: &dyn Rows,
    operations: &[Operation],
    result: &mut Verification,
) -> Result<()> {
    let fresh: Arc<dyn MemoryStore> = Arc::new(Volatile::new());
    fresh.write(&mut |derived| {
        let Some(mut head) = Head::load(rows)? else {
            return Ok(());
        };
        head.sequence = 0;
        head.ordinal = 0;
        for operation in operations {
            match chain::payload(operation) {
                Ok(payload) => state::append(derived, &mut head, operation, payload.as_ref())?,
                Err(error) => result.problems.push(error.to_string()),
            }
        }
        Ok(())
    })?;
    let kept_aliases = aliases_of_purged(rows)?;
    fresh.read(&mut |derived| {
        for table in [Table::Record, Table::Line, Table::Alias] {
            let stored = content(rows, table)?;
            let expected = content(derived, table)?;
            for key in stored
                .keys()
                .chain(expected.keys())
                .collect::<BTreeSet<_>>()
            {
                if stored.get(key) == expected.get(key) {
                    continue;
                }
                // The words that made an alias of a purged memory are gone; the alias itself stays.
                let alias_of_purged = table == Table::Alias
                    && !expected.contains_key(key)
                    && as_id(key).is_some_and(|id| kept_aliases.contains(&id));
                if !alias_of_purged {
                    let id = as_id(key).map_or_else(|| "?".to_owned(), |id| id.to_string());
                    result.problems.push(format!(
                        "{} `{id}` is not what the log says",
                        table.as_str()
                    ));
                }
            }
        }
        Ok(())
    })?;
    count_memories(rows, result)?;
    bodies_missing_without_purge(rows, operations, result)
}

fn count_memories(rows: &dyn Rows, result: &mut Verification) -> Result<()> {
    rows.range(Table::Record, &[], &[], &mut |key, bytes| {
        // A record that cannot be decoded was named when it was compared with the log.
        if let Some(Ok(record)) = as_id(key).map(|id| Record::decode(id, bytes)) {
            let counter = if record.is_purged() {
                &mut result.purged_memories
            } else if record.is_deleted() {
                &mut result.forgotten
            } else {
                &mut result.memories
            };
            *counter += 1;
        }
        Ok(ControlFlow::Continue(()))
    })
}

fn bodies_missing_without_purge(
    rows: &dyn Rows,
    operations: &[Operation],
    result: &mut Verification,
) -> Result<()> {
    let purged = purged_ids(rows)?;
    for operation in operations
        .iter()
        .filter(|operation| operation.body.is_none())
    {
        if !operation
            .purged
            .is_some_and(|memory| purged.contains(&memory))
        {
            result.problems.push(format!(
                "the words of operation `{}` are gone without a purge",
                operation.id
            ));
        }
    }
    Ok(())
}

fn aliases_of_purged(rows: &dyn Rows) -> Result<BTreeSet<MemoryId>> {
    let purged = purged_ids(rows)?;
    let mut aliases = BTreeSet::new();
    for alias in content(rows, Table::Alias)?
        .keys()
        .filter_map(|key| as_id(key))
    {
        if purged.contains(&state::resolve(rows, alias)?) {
            aliases.insert(alias);
        }
    }
    Ok(aliases)
}

fn purged_ids(rows: &dyn Rows) -> Result<BTreeSet<MemoryId>> {
    let mut purged = BTreeSet::new();
    rows.range(Table::Record, &[], &[], &mut |key, bytes| {
        if let Some(id) = as_id(key)
            && Record::decode(id, bytes).is_ok_and(|record| record.is_purged())
        {
            purged.insert(id);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(purged)
}

/// Compares what memories are found by (cards, kinds and words) with what they are.
fn check_words(rows: &dyn Rows, result: &mut Verification) -> Result<()> {
    let mut shown = 0_usize;
    rows.range(Table::Record, &[], &[], &mut |key, bytes| {
        let Some(id) = as_id(key) else {
            return Ok(ControlFlow::Continue(()));
        };
        // A record that cannot be decoded was named when it was compared with the log.
        let Ok(record) = Record::decode(id, bytes) else {
            return Ok(ControlFlow::Continue(()));
        };
        let Some(memory) = record.memory(id).filter(|_| !record.is_deleted()) else {
            return Ok(ControlFlow::Continue(()));
        };
        shown += 1;
        let problems = match state::ordinal(rows, id)? {
            Some(ordinal) => check_index(rows, ordinal, &memory)?,
            None => vec!["not indexed".to_owned()],
        };
        let name = |problem| format!("memory `{id}`: {problem}");
        result.problems.extend(problems.into_iter().map(name));
        Ok(ControlFlow::Continue(()))
    })?;
    result.problems.extend(postings::check_totals(rows)?);
    for table in [Table::Card, Table::Kind] {
        let indexed = content(rows, table)?.len();
        if indexed != shown {
            result.problems.push(format!(
                "{indexed} memories have a {}, {shown} should",
                table.as_str()
            ));
        }
    }
    Ok(())
}

fn check_index(rows: &dyn Rows, ordinal: u32, memory: &Memory) -> Result<Vec<String>> {
    let mut problems = postings::check(rows, ordinal, Some(&state::document_of(memory)))?;
    let card = rows.get(Table::Card, &ordinal.to_be_bytes())?;
    if card.as_deref() != Some(&Card::of(memory).encode()) {
        problems.push("its card is another one's".to_owned());
    }
    if rows
        .get(Table::Kind, &Card::kind_key(memory.kind, ordinal))?
        .is_none()
    {
        problems.push("it is not listed under its kind".to_owned());
    }
    Ok(problems)
}

fn content(rows: &dyn Rows, table: Table) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut content = BTreeMap::new();
    rows.range(table, &[], &[], &mut |key, value| {
        content.insert(key.to_vec(), value.to_vec());
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(content)
}

fn as_id(key: &[u8]) -> Option<MemoryId> {
    key.try_into().ok().map(MemoryId::from_bytes)
}

/// Reads an operation with its payload; `None` where either cannot be decoded.
fn readable(rows: &dyn Rows, link: Link) -> Result<Option<(Operation, Option<Payload>)>> {
    let read = chain::load(rows, link).and_then(|found| {
        let with_payload = |operation| Ok((chain::payload(&operation)?, operation));
        found.map(with_payload).transpose()
    });
    match read {
        Ok(found) => Ok(found.map(|(payload, operation)| (operation, payload))),
        Err(error) if error.kind() == ErrorKind::Corrupted => Ok(None),
        Err(error) => Err(error),
    }
}

/// Empties the derived tables and joins the log again.
fn rederive(rows: &mut dyn RowsMut, head: &mut Head) -> Result<u64> {
    let mut links = Vec::new();
    rows.range(Table::Sequence, &[], &[], &mut |_, link| {
        links.push(Link::from_key(link)?);
        Ok(ControlFlow::Continue(()))
    })?;
    let known: BTreeSet<Link> = links.iter().copied().collect();
    // Operations that lost their place in the sequence come last; the order does not change the state.
    rows.range(Table::Log, &[], &[], &mut |key, _| {
        let link = Link::from_key(key)?;
        if !known.contains(&link) {
            links.push(link);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let kept_aliases = aliases_of_purged(rows.as_rows())?;
    for table in [
        Table::Record,
        Table::Alias,
        Table::Card,
        Table::Kind,
        Table::Ordinal,
        Table::Posting,
        Table::Forward,
        Table::Line,
        Table::Sequence,
        Table::Operation,
    ] {
        for key in content(rows.as_rows(), table)?.into_keys() {
            // What named a purged memory cannot be derived again: the words are gone.
            let kept = table == Table::Alias
                && as_id(&key).is_some_and(|alias| kept_aliases.contains(&alias));
            if !kept {
                rows.remove(table, &key)?;
            }
        }
    }
    postings::forget_totals(rows)?;
    vectors::forget_all(rows)?;
    head.sequence = 0;
    head.ordinal = 0;
    let mut joined = 0;
    for link in links {
        // What cannot be read is passed over: it is lost, and `verify` goes on naming it.
        if let Some((operation, payload)) = readable(rows.as_rows(), link)? {
            state::append(rows, head, &operation, payload.as_ref())?;
            joined += 1;
        }
    }
    let own = Link::new(head.device, head.incarnation, 0);
    let mut last = None;
    rows.prefix(Table::Log, own.chain(), &mut |key, _| {
        last = Some(Link::from_key(key)?);
        Ok(ControlFlow::Continue(()))
    })?;
    match last
        .map(|link| readable(rows.as_rows(), link))
        .transpose()?
    {
        None => {}
        Some(Some((operation, _))) => {
            head.next = operation.index + 1;
            head.last = chain::operation_hash(&operation);
        }
        // The end of a damaged log cannot be named: a chain of its own goes on from here.
        Some(None) => {
            head.begin(head.device);
        }
    }
    Ok(joined)
}
