//! The evaluation harness: real histories in, figures with their errors out.

mod code_search;
mod context;
mod cost;
mod described;
mod dialogue;
mod embed;
mod git;
mod history_files;
mod issue_loc;
mod learn_files;
mod live;
mod packet;
mod ranking;
mod report;
mod session_recall;
mod statistics;
mod vectors;
mod weights;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use memorax_core::retrieve::Weighted;
use memorax_core::{EmbedderChoice, StaticEmbedder};

#[derive(Debug, Parser)]
#[command(
    name = "memorax-bench",
    version,
    about = "Measures memory and retrieval on real data"
)]
struct Arguments {
    #[command(subcommand)]
    measure: Measure,
}

/// How a task set is answered, and where the answers go.
#[derive(Debug, Args)]
struct Answers {
    /// Answers, one JSON object a line
    #[arg(long)]
    out: PathBuf,
    /// Weights to use in place of the shipped ones, such as `code=2,path=0`
    #[arg(long = "try")]
    variant: Option<String>,
    /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
    #[arg(long)]
    cache: Option<PathBuf>,
}

impl Answers {
    /// Answers a task set with the chosen weights, and writes the answers down.
    fn write<T: serde::Serialize>(
        &self,
        answer: impl Fn(&Path, &Weighted) -> memorax_core::Result<Vec<T>>,
    ) -> memorax_core::Result<()> {
        let retriever = weights::weighted(self.variant.as_deref().unwrap_or_default())?;
        let cache = cache_or_default(self.cache.as_deref());
        report::lines(&self.out, &answer(&cache, &retriever)?)
    }
}

#[derive(Debug, Subcommand)]
enum Measure {
    /// Commit message -> files it changed, with strictly earlier knowledge
    HistoryFiles {
        /// `FOLDER` or `name=FOLDER` of a git repository; may be given several times. The name is also that of its cache
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named_or_folder)]
        git: Vec<ranking::Named>,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
        /// Newest queries of each history; the later half of them is asked
        #[arg(long, default_value_t = 2000)]
        queries: usize,
        /// Measure also what remains without history, and with history alone
        #[arg(long)]
        ablations: bool,
        /// Other weights to measure beside the shipped ones, such as `code=2,path=0`; may be given several times
        #[arg(long = "try")]
        variants: Vec<String>,
        /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
        #[arg(long)]
        cache: Option<PathBuf>,
    },
    /// Issue text -> file to edit, at the issue's base commit; score the answers with the task set's own scorer
    IssueLoc {
        /// Tasks, one JSON object a line
        #[arg(long)]
        tasks: PathBuf,
        /// `owner/name=FOLDER` of a git repository; may be given several times
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named)]
        git: Vec<ranking::Named>,
        #[command(flatten)]
        answers: Answers,
    },
    /// Search text -> files, at each repository's pinned revision; score the answers with the task set's own scorer
    CodeSearch {
        /// Folder with `repos.json` and `annotations/`
        #[arg(long)]
        annotations: PathBuf,
        /// `owner+name=FOLDER` of a git repository; may be given several times
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named)]
        git: Vec<ranking::Named>,
        /// `static`, `none` or `onnx:FOLDER`; a model embeds the files of the best answers without it, and keeps the
        /// vectors in the cache
        #[arg(long, default_value = "static")]
        embedder: EmbedderChoice,
        #[command(flatten)]
        answers: Answers,
    },
    /// Learn the weights of the evidence about files; says what they give on each repository left out
    LearnFiles(learn_files::Plan),
    /// First prompt of a session -> files that it edits, commands that it runs; from the repository and its history alone;
    /// score the answers with the task set's own scorer
    SessionRecall(session_recall::Plan),
    /// Tokens to the file that matters, with a packet and by searching
    Context(context::Plan),
    /// Question about a long conversation -> turns that answer it
    Dialogue(dialogue::Plan),
    /// Time and bytes of an index; recall with many memories
    Cost {
        /// Git repository
        #[arg(long)]
        git: PathBuf,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
        /// How many memories, ascending
        #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
        memories: Vec<usize>,
    },
    /// Nearest memories by vectors against exact search: messages and pieces of code of real histories
    Vectors {
        /// Git repository; may be given several times
        #[arg(long, required = true, num_args = 1..)]
        git: Vec<PathBuf>,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
        /// Numbers of memories that are measured
        #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
        memories: Vec<usize>,
        /// Also by graphs (needs the feature `hnsw`)
        #[arg(long)]
        graph: bool,
    },
    /// Question -> passage by vectors alone, with the built-in embedder or a model
    Embed {
        /// Lines of `{"query": ..., "text": ...}`; `query` may be missing
        #[arg(long)]
        task: PathBuf,
        /// Folder with `model.onnx` and `tokenizer.json`; may be given several times [default: the built-in embedder]
        #[arg(long)]
        model: Vec<PathBuf>,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
    },
    /// Takes the write lock of a store and keeps it until the input ends
    #[command(hide = true)]
    Hold {
        /// The store, `<folder>/<space>.redb`
        store: PathBuf,
    },
    /// Writes memories until it is killed, prints the id and the microseconds of each
    #[command(hide = true)]
    Write {
        /// Word that no other writer uses
        name: String,
        /// Folder of the repository
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
    /// Forks with an open handle and writes on both sides, prints the microseconds of all
    #[command(hide = true)]
    Fork {
        /// How many memories each side writes
        count: usize,
        /// Folder of the repository
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
    /// Asks every line of the input, prints the microseconds of each answer
    #[command(hide = true)]
    Ask {
        /// How often each line is asked, after once to get warm
        #[arg(long, default_value_t = 1)]
        rounds: usize,
        /// Folder of the repository
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::fail(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> memorax_core::Result<()> {
    match &arguments.measure {
        Measure::HistoryFiles {
            git,
            out,
            queries,
            ablations,
            variants,
            cache,
        } => {
            let cache = cache_or_default(cache.as_deref());
            let plan = history_files::Plan {
                cache: &cache,
                most: *queries,
                ablations: *ablations,
                variants,
            };
            let mut rows = Vec::new();
            for repository in git {
                rows.extend(history_files::run(repository, &plan)?);
            }
            report::history_files(out, &rows)
        }
        Measure::IssueLoc {
            tasks,
            git,
            answers,
        } => answers.write(|cache, retriever| issue_loc::run(tasks, git, cache, retriever)),
        Measure::CodeSearch {
            annotations,
            git,
            embedder,
            answers,
        } => {
            let embedder = embedder.open()?;
            answers.write(|cache, retriever| {
                code_search::run(annotations, git, cache, retriever, embedder.as_deref())
            })
        }
        Measure::LearnFiles(plan) => {
            learn_files::run(plan, &cache_or_default(plan.cache.as_deref()))
        }
        Measure::SessionRecall(plan) => {
            session_recall::run(plan, &cache_or_default(plan.cache.as_deref()))
        }
        Measure::Context(plan) => context::run(plan, &cache_or_default(plan.cache.as_deref())),
        Measure::Dialogue(plan) => dialogue::run(plan),
        Measure::Cost { git, out, memories } => report::cost(out, &cost::run(git, memories)?),
        Measure::Embed { task, model, out } => report::embed(out, &embedders(model, task)?),
        Measure::Vectors {
            git,
            out,
            memories,
            graph,
        } => report::vectors(out, &vectors::run(git, memories, *graph)?),
        Measure::Hold { store } => live::hold(store),
        Measure::Write { name, folder } => live::write(folder, name),
        Measure::Fork { count, folder } => live::fork(folder, *count),
        Measure::Ask { rounds, folder } => live::ask(folder, *rounds),
    }
}

fn cache_or_default(cache: Option<&Path>) -> PathBuf {
    cache.map_or_else(
        || std::env::temp_dir().join("memorax-bench"),
        Path::to_owned,
    )
}

fn embedders(models: &[PathBuf], task: &Path) -> memorax_core::Result<Vec<embed::Row>> {
    if models.is_empty() {
        return Ok(vec![embed::run(task, &StaticEmbedder::new())?]);
    }
    let mut rows = Vec::new();
    for folder in models {
        if let Some(embedder) = EmbedderChoice::Onnx(folder.clone()).open()? {
            rows.push(embed::run(task, &*embedder)?);
        }
    }
    Ok(rows)
}
