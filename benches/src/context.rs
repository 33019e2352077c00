//! What it costs to reach the file that matters: with the packet of a recall, and by searching without it.
//!
//! The search without a packet is simulated: the paths of all files are listed, the three rarest words of the task are
//! looked for, and the files that have most of them are read one after the other, until one is read that was edited. With
//! a packet, its files are read in their order first; where the right one is not among them, the search follows. A
//! tool's output, the list or one file, is cut at 30,000 characters, as agents' tools do.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use memorax_core::repo::Tree;
use memorax_core::retrieve::Weighted;
use memorax_core::text::words;
use memorax_core::{FileRole, Query, RECALL_BUDGET, Result, tokens_of};
use serde::{Deserialize, Serialize};

use crate::packet::Past;
use crate::ranking::{self, Named};
use crate::report;
use crate::statistics::{mean_of, median_of};

/// Words of the task that are looked for.
const WORDS: usize = 3;
/// Files that are read before the search is given up.
const READS: usize = 20;
/// Files that the packet names at most.
const FILES: usize = 10;
/// Characters of one output.
const OUTPUT: usize = 30_000;

/// Which tasks.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Tasks, one JSON object a line: those of `issue-loc` or of `session-recall`
    #[arg(long)]
    tasks: PathBuf,
    /// `owner/name=FOLDER` of a git repository; may be given several times. Sessions are of the first one
    #[arg(long, required = true, num_args = 1.., value_parser = ranking::named)]
    git: Vec<Named>,
    /// Report: `.json`, anything else is Markdown
    #[arg(long)]
    out: PathBuf,
    /// Tokens of a packet, at most
    #[arg(long, default_value_t = RECALL_BUDGET)]
    budget: usize,
    /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
    #[arg(long)]
    pub(crate) cache: Option<PathBuf>,
}

/// A task of either set.
#[derive(Debug, Deserialize)]
struct Task {
    repo: Option<String>,
    #[serde(alias = "base_commit")]
    base: String,
    #[serde(alias = "problem_statement")]
    query: String,
    #[serde(default, alias = "gold_edit")]
    gold_files: Gold,
}

/// Paths, as a list or as the text of one: `['a.py', 'b.py']`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Gold {
    List(Vec<String>),
    Text(String),
}

impl Default for Gold {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Gold {
    fn paths(&self) -> HashSet<&str> {
        match self {
            Self::List(paths) => paths.iter().map(String::as_str).collect(),
            Self::Text(text) => text.split('\'').skip(1).step_by(2).collect(),
        }
    }
}

/// What one way to the file cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Cost {
    tokens: usize,
    reads: usize,
    reached: bool,
}

/// Costs of all tasks, with a packet and without.
#[derive(Debug, Serialize)]
struct Report {
    tasks: usize,
    packet: Way,
    search: Way,
    /// The search without the list of all paths, for who knows the tree already.
    search_unlisted: Way,
    /// Tokens saved by the packet, task by task, and the standard error.
    saved: f32,
    saved_error: f32,
    /// Share of the tasks in which the packet named the file.
    named: f32,
    /// Mean tokens of the packet itself.
    packet_tokens: f32,
}

/// Costs of one way.
#[derive(Debug, Serialize)]
struct Way {
    median: usize,
    mean: f32,
    reads: f32,
    reached: f32,
}

/// Both ways of one task.
struct Pair {
    packet: Cost,
    search: Cost,
    unlisted: Cost,
    named: bool,
    packet_tokens: usize,
}

/// Walks both ways for every task of the given repositories, and reports.
pub(crate) fn run(plan: &Plan, cache: &Path) -> Result<()> {
    let text = ranking::read(&plan.tasks)?;
    let mut of_repository: BTreeMap<usize, Vec<Task>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("line {} of `{}`", number + 1, plan.tasks.display());
        let task: Task = ranking::parse(line, &place)?;
        let named = |name: &String| plan.git.iter().position(|it| it.name == *name);
        let repository = match &task.repo {
            Some(name) => named(name),
            None => Some(0),
        };
        let asks = !task.query.is_empty() && !task.gold_files.paths().is_empty();
        if let Some(repository) = repository.filter(|_| asks) {
            of_repository.entry(repository).or_default().push(task);
        }
    }
    let mut pairs = Vec::new();
    for (repository, tasks) in &of_repository {
        let mut commits: Vec<String> = tasks.iter().map(|task| task.base.clone()).collect();
        commits.dedup();
        let past = Past::new(&plan.git[*repository], cache, &commits)?;
        for task in tasks {
            pairs.push(both(&past, task, plan.budget)?);
        }
    }
    let report = summary(&pairs);
    if report::is_json(&plan.out) {
        return report::write(&plan.out, &report::json(&report)?);
    }
    report::write(&plan.out, &markdown(&report))
}

fn both(past: &Past, task: &Task, budget: usize) -> Result<Pair> {
    let gold = task.gold_files.paths();
    let query = Query::new(task.query.as_str()).budget(budget).files(FILES);
    let recall = past.recall(&task.base, &query, &Weighted::default())?;
    let view = past.replay.at(&task.base)?;
    let tree = past.tree(&task.base)?;
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for file in view.files()? {
        if matches!(file.role, FileRole::Generated | FileRole::Vendored) {
            continue;
        }
        if let Some(text) = tree
            .read(&file.path)
            .and_then(|text| String::from_utf8(text).ok())
        {
            texts.insert(&file.path, text);
        }
    }
    let named: Vec<&str> = recall.files.iter().map(|file| file.path.as_str()).collect();
    let list = tokens_of(cut(&texts.keys().copied().collect::<Vec<_>>().join("\n")));
    let (hits, found) = look(&task.query, &texts);
    let unlisted = read(&hits, &texts, &gold, &HashSet::new(), found);
    let search = Cost {
        tokens: unlisted.tokens + list,
        ..unlisted
    };
    let mut packet = read(&named, &texts, &gold, &HashSet::new(), recall.tokens);
    let by_packet = packet.reached;
    if !by_packet {
        let known: HashSet<&str> = named.iter().copied().collect();
        let rest = read(&hits, &texts, &gold, &known, list + found);
        packet = Cost {
            tokens: packet.tokens + rest.tokens,
            reads: packet.reads + rest.reads,
            reached: rest.reached,
        };
    }
    Ok(Pair {
        packet,
        search,
        unlisted,
        named: by_packet,
        packet_tokens: recall.tokens,
    })
}

/// Finds the files that have the rarest words of a task, those with most of them first; returns also what the output
/// costs, which is one line a file.
fn look<'a>(task: &str, texts: &BTreeMap<&'a str, String>) -> (Vec<&'a str>, usize) {
    let mut asked: Vec<String> = words(task)
        .into_iter()
        .filter(|word| word.len() > 2)
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let mut having: HashMap<&str, Vec<(&'a str, usize)>> = HashMap::new();
    for (path, text) in texts {
        let lower = text.to_lowercase();
        for word in &asked {
            let times = lower.matches(word.as_str()).count();
            if times > 0 {
                having
                    .entry(word.as_str())
                    .or_default()
                    .push((*path, times));
            }
        }
    }
    let mut rare: Vec<(&str, Vec<(&'a str, usize)>)> = having.into_iter().collect();
    rare.sort_by(|left, right| left.1.len().cmp(&right.1.len()).then(left.0.cmp(right.0)));
    rare.truncate(WORDS);
    let mut scores: BTreeMap<&'a str, (usize, usize)> = BTreeMap::new();
    for (path, times) in rare.into_iter().flat_map(|(_, files)| files) {
        let score = scores.entry(path).or_default();
        score.0 += 1;
        score.1 += times;
    }
    let mut found: Vec<(&'a str, (usize, usize))> = scores.into_iter().collect();
    found.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    let hits: Vec<&'a str> = found.into_iter().map(|(path, _)| path).collect();
    let output = tokens_of(cut(&hits.join("\n")));
    (hits, output)
}

/// Reads files in their order until one of them is right.
fn read(
    paths: &[&str],
    texts: &BTreeMap<&str, String>,
    gold: &HashSet<&str>,
    known: &HashSet<&str>,
    before: usize,
) -> Cost {
    let mut cost = Cost {
        tokens: before,
        ..Cost::default()
    };
    for path in paths
        .iter()
        .filter(|path| !known.contains(*path))
        .take(READS)
    {
        cost.reads += 1;
        cost.tokens += texts.get(path).map_or(0, |text| tokens_of(cut(text)));
        if gold.contains(path) {
            cost.reached = true;
            break;
        }
    }
    cost
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(OUTPUT)]
}

fn summary(pairs: &[Pair]) -> Report {
    let way = |cost: fn(&Pair) -> Cost| {
        let costs: Vec<Cost> = pairs.iter().map(cost).collect();
        Way {
            median: median_of(costs.iter().map(|cost| cost.tokens).collect()),
            mean: mean_of(costs.iter().map(|cost| cost.tokens as f32)).0,
            reads: mean_of(costs.iter().map(|cost| cost.reads as f32)).0,
            reached: mean_of(costs.iter().map(|cost| share(cost.reached))).0,
        }
    };
    let saved = |pair: &Pair| pair.search.tokens as f32 - pair.packet.tokens as f32;
    let (saved, saved_error) = mean_of(pairs.iter().map(saved));
    Report {
        tasks: pairs.len(),
        packet: way(|pair| pair.packet),
        search: way(|pair| pair.search),
        search_unlisted: way(|pair| pair.unlisted),
        saved,
        saved_error,
        named: mean_of(pairs.iter().map(|pair| share(pair.named))).0,
        packet_tokens: mean_of(pairs.iter().map(|pair| pair.packet_tokens as f32)).0,
    }
}

fn share(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

fn markdown(report: &Report) -> String {
    let mut text = format!(
        "# Tokens to the file that matters\n\n{} tasks. The packet names the file in {:.3} of them and takes {:.0} tokens \
         itself; it saves {:.0} ± {:.0} tokens a task.\n\n| way | median | mean | files read | reached |\n|---|---|---|---|---|\n",
        report.tasks, report.named, report.packet_tokens, report.saved, report.saved_error
    );
    for (name, way) in [
        ("packet, then search", &report.packet),
        ("list, search, read", &report.search),
        ("search, read", &report.search_unlisted),
    ] {
        let _infallible = writeln!(
            text,
            "| {name} | {} | {:.0} | {:.1} | {:.3} |",
            way.median, way.mean, way.reads, way.reached
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::{Gold, look, read};

    #[test]
    fn a_search_reads_what_has_most_rare_words_until_it_is_right() {
        let texts = BTreeMap::from([
            ("a.rs", "lease lease of the store".to_owned()),
            ("b.rs", "drain the lease".to_owned()),
            ("c.rs", "the store".to_owned()),
        ]);
        let (hits, output) = look("drain the lease", &texts);
        assert_eq!(hits, ["b.rs", "a.rs", "c.rs"]);
        let cost = read(
            &hits,
            &texts,
            &HashSet::from(["a.rs"]),
            &HashSet::new(),
            output,
        );
        assert!(
            cost.reached && cost.reads == 2 && cost.tokens > output,
            "{cost:?}"
        );
        let none = read(
            &hits,
            &texts,
            &HashSet::from(["d.rs"]),
            &HashSet::new(),
            output,
        );
        assert!(!none.reached && none.reads == 3, "{none:?}");
    }

    #[test]
    fn both_spellings_of_the_answer_are_read() {
        let text = Gold::Text("['a/b.py', 'c.py']".to_owned());
        assert_eq!(text.paths(), HashSet::from(["a/b.py", "c.py"]));
        let list: Gold = serde_json::from_str("[\"a.py\"]").expect("a list");
        assert_eq!(list.paths(), HashSet::from(["a.py"]));
    }
}
