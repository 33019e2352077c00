//! How well and how fast memories are found by vectors: the ledger's own search against exact search in full precision.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use memorax_core::store::{Access, Ledger, MemoryStore, Redb};
use memorax_core::{
    Action, DeviceId, Draft, Embedder, Error, ErrorKind, Memory, MemoryKind, NewMemory, Provenance,
    Result, Scope, SpaceId, StaticEmbedder, Timestamp, Trust,
};
use serde::Serialize;

use crate::{cost, git};

/// Questions that are asked: messages that are not among the memories.
const QUESTIONS: usize = 200;
/// Nearest memories that are compared.
const NEAREST: usize = 10;
/// One message of so many is a question.
const EVERY: usize = 20;
/// Lines of a piece of code.
const LINES: usize = 25;
/// Longest text, in characters.
const LONGEST: usize = 1_500;
/// Memories that are written in one transaction.
const BATCH: usize = 2_000;

/// The figures of one way to search at one size.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    method: String,
    memories: usize,
    questions: usize,
    recall_at_10: f64,
    p50_ms: f64,
    p95_ms: f64,
    /// Seconds for embedding and writing all vectors, or for building the graph.
    build_s: f64,
    store_bytes: u64,
    /// Most memory that the process held so far, where the system tells.
    peak_bytes: Option<u64>,
}

/// Measures the sizes one after the other; each store is filled anew.
pub(crate) fn run(folders: &[PathBuf], sizes: &[usize], graph: bool) -> Result<Vec<Row>> {
    let most = sizes.iter().copied().max().unwrap_or(0);
    let (texts, questions) = texts(folders, most)?;
    let mut rows = Vec::new();
    for &size in sizes {
        let Some(texts) = texts.get(..size) else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("the repositories have {} texts, not {size}", texts.len()),
            )
            .with_hint("name more repositories with --git"));
        };
        let folder =
            std::env::temp_dir().join(format!("memorax-bench-vectors-{}", std::process::id()));
        let measured = measure(&folder, texts, &questions, graph);
        let removed = std::fs::remove_dir_all(&folder);
        rows.extend(measured?);
        removed.map_err(|error| {
            Error::new(
                ErrorKind::Io,
                format!("cannot remove `{}`", folder.display()),
            )
            .with_source(error)
        })?;
    }
    Ok(rows)
}

/// Writes rows as Markdown.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Nearest memories\n\nCommit messages and pieces of code, vectors of the built-in table, against exact search in full \
         precision.\n\n| method | memories | questions | recall@10 | p50 ms | p95 ms | build s | store MB | peak MB |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let peak = row
            .peak_bytes
            .map_or_else(|| "-".to_owned(), |bytes| (bytes >> 20).to_string());
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {:.4} | {:.2} | {:.2} | {:.1} | {} | {peak} |",
            row.method,
            row.memories,
            row.questions,
            row.recall_at_10,
            row.p50_ms,
            row.p95_ms,
            row.build_s,
            row.store_bytes >> 20,
        );
    }
    text
}

fn measure(folder: &Path, texts: &[String], questions: &[String], graph: bool) -> Result<Vec<Row>> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot make `{}`", folder.display())).with_source(error)
    })?;
    let store: Arc<dyn MemoryStore> =
        Arc::new(Redb::open(&folder.join("local.redb"), Access::Write)?);
    let ledger = Ledger::new(store, SpaceId::local(), DeviceId::new());
    for batch in texts.chunks(BATCH) {
        let drafts: Vec<Draft> = batch.iter().map(|text| draft(text)).collect();
        ledger.apply(&drafts)?;
    }
    let embedder = StaticEmbedder::new();
    let begun = Instant::now();
    ledger.embed(&embedder, usize::MAX)?;
    let build_s = begun.elapsed().as_secs_f64();
    let exact = Exact::new(&embedder, texts, questions)?;
    let ask_flat = |question: &str| ledger.nearest(&embedder, question, &[], NEAREST, &|_| true);
    let mut row = ask("flat", &ask_flat, questions, &exact)?;
    row.build_s = build_s;
    row.store_bytes = cost::bytes_below(folder);
    let mut rows = vec![row];
    if graph {
        rows.push(by_graph(&ledger, &embedder, questions, &exact, folder)?);
    }
    Ok(rows)
}

#[cfg(feature = "hnsw")]
fn by_graph(
    ledger: &Ledger,
    embedder: &dyn Embedder,
    questions: &[String],
    exact: &Exact,
    folder: &Path,
) -> Result<Row> {
    use memorax_core::store::Graph;
    let begun = Instant::now();
    let graph = Graph::brought_up(None, ledger, embedder, 1, usize::MAX)?;
    let build_s = begun.elapsed().as_secs_f64();
    let mut graph = graph.ok_or_else(|| Error::new(ErrorKind::NotFound, "there is no vector"))?;
    let ask_graph =
        |question: &str| ledger.nearest_by(&graph, embedder, question, &[], NEAREST, &|_| true);
    let mut row = ask("hnsw_rs", &ask_graph, questions, exact)?;
    row.build_s = build_s;
    let files = folder.join("graphs");
    graph.save(&files)?;
    row.store_bytes = cost::bytes_below(&files);
    Ok(row)
}

#[cfg(not(feature = "hnsw"))]
fn by_graph(_: &Ledger, _: &dyn Embedder, _: &[String], _: &Exact, _: &Path) -> Result<Row> {
    let message = "this program makes no graphs";
    Err(Error::new(ErrorKind::InvalidInput, message)
        .with_hint("cargo run --release -p memorax-bench --features hnsw"))
}

/// Answers a question.
type Ask<'a> = dyn Fn(&str) -> Result<Vec<(Memory, f32)>> + 'a;

fn ask(method: &str, answer: &Ask<'_>, questions: &[String], exact: &Exact) -> Result<Row> {
    let mut times = Vec::new();
    let mut right = 0;
    let mut wanted = 0;
    for (number, question) in questions.iter().enumerate() {
        let begun = Instant::now();
        let found = answer(question)?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        let cosines = found.iter().map(|(_, cosine)| *cosine);
        right += exact.right(number, cosines);
        wanted += NEAREST;
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    Ok(Row {
        method: method.to_owned(),
        memories: exact.memories,
        questions: questions.len(),
        recall_at_10: right as f64 / wanted.max(1) as f64,
        p50_ms: at(0.5),
        p95_ms: at(0.95),
        build_s: 0.0,
        store_bytes: 0,
        peak_bytes: cost::peak_bytes(),
    })
}

/// What exact search finds.
struct Exact {
    memories: usize,
    /// Cosine of the last of the nearest, by question.
    last: Vec<f32>,
}

impl Exact {
    fn new(embedder: &dyn Embedder, texts: &[String], questions: &[String]) -> Result<Self> {
        let mut best: Vec<Vec<f32>> = vec![Vec::new(); questions.len()];
        let asked: Vec<&str> = questions.iter().map(String::as_str).collect();
        let asked = embedder.embed(&asked)?;
        for batch in texts.chunks(BATCH) {
            let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
            let vectors = embedder.embed(&batch)?;
            for (question, best) in asked.iter().zip(&mut best) {
                let cosine = |vector: &Vec<f32>| -> f32 {
                    question.iter().zip(vector).map(|(x, y)| x * y).sum()
                };
                best.extend(vectors.iter().map(cosine));
                best.sort_by(|left, right| right.total_cmp(left));
                best.truncate(NEAREST);
            }
        }
        let last = best
            .iter()
            .map(|best| best.last().copied().unwrap_or(f32::INFINITY))
            .collect();
        Ok(Self {
            memories: texts.len(),
            last,
        })
    }

    /// Counts the findings that are at least as near as the last of the nearest; equal texts are equally right.
    fn right(&self, question: usize, cosines: impl Iterator<Item = f32>) -> usize {
        cosines
            .filter(|cosine| *cosine >= self.last[question] - 1e-4)
            .count()
    }
}

fn draft(text: &str) -> Draft {
    let mut memory = NewMemory::new(MemoryKind::Fact, text, Scope::everywhere(), Trust::Agent);
    memory.keep_apart = true;
    let provenance = Provenance::new("bench", Trust::Agent, Timestamp::from_millis(0));
    Draft::new(
        Action::Remember {
            memory: Box::new(memory),
        },
        provenance,
    )
}

/// Reads messages and pieces of code of repositories, mixed; returns at most `most` of them, and the questions.
fn texts(folders: &[PathBuf], most: usize) -> Result<(Vec<String>, Vec<String>)> {
    let (mut texts, mut questions) = (Vec::new(), Vec::new());
    for folder in folders {
        let mut messages = Vec::new();
        for (number, message) in messages_of(folder)?.into_iter().enumerate() {
            let subject = message.lines().next().unwrap_or_default();
            if number % EVERY == 0 && subject.split_whitespace().count() > 3 {
                questions.push(subject.to_owned());
            } else if let Some(text) = shortened(&message) {
                messages.push(text);
            }
        }
        let mut pieces = pieces(folder)?;
        // Half of each, as far as there is enough of both.
        let both = messages.len().min(pieces.len());
        let rest = messages.split_off(both);
        let more = pieces.split_off(both);
        let mixed = messages.into_iter().zip(pieces);
        texts.extend(mixed.flat_map(|(message, piece)| [message, piece]));
        texts.extend(rest);
        texts.extend(more);
    }
    // The order decides which texts a smaller size has: it must not be that of the repositories.
    let step = coprime_step(texts.len());
    let count = texts.len();
    let texts = (0..count.min(most))
        .map(|at| texts[at * step % count].clone())
        .collect();
    let every = questions.len().div_ceil(QUESTIONS).max(1);
    let questions = questions.into_iter().step_by(every).collect();
    Ok((texts, questions))
}

/// Returns a step that visits every place of a list once.
fn coprime_step(count: usize) -> usize {
    let shared = |mut one: usize, mut other: usize| {
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    };
    (7_919..=usize::MAX)
        .find(|step| shared(*step, count.max(1)) == 1)
        .unwrap_or(1)
}

fn messages_of(folder: &Path) -> Result<Vec<String>> {
    let messages = git::print(folder, &["log", "--no-merges", "--format=%B%x01"])?;
    Ok(messages.split('\u{1}').map(str::to_owned).collect())
}

fn pieces(folder: &Path) -> Result<Vec<String>> {
    let listed = git::print(folder, &["ls-tree", "-r", "--name-only", "-z", "HEAD"])?;
    let endings = [
        ".rs", ".py", ".ts", ".js", ".go", ".java", ".c", ".cc", ".cpp", ".h", ".rb", ".php", ".md",
    ];
    let mut pieces = Vec::new();
    for path in listed
        .split('\0')
        .filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
    {
        // A clone may lack a large file.
        let text = git::print(folder, &["show", &format!("HEAD:{path}")]).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        pieces.extend(
            lines
                .chunks(LINES)
                .filter_map(|piece| shortened(&piece.join("\n"))),
        );
    }
    Ok(pieces)
}

fn shortened(text: &str) -> Option<String> {
    let text: String = text.trim().chars().take(LONGEST).collect();
    (text.split_whitespace().count() > 3).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::coprime_step;

    #[test]
    fn a_step_visits_every_place_once() {
        for count in [1, 2, 7_919, 15_838, 1_000] {
            let step = coprime_step(count);
            let mut seen: Vec<usize> = (0..count).map(|at| at * step % count).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..count), "{count}");
        }
    }
}
