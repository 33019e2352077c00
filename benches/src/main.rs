//! The evaluation harness: real histories in, figures with their errors out.

mod abstain;
mod calibrate;
mod code_search;
mod cost;
mod embed;
mod git;
mod history_files;
mod issue_loc;
mod learn_abstain;
mod learn_files;
mod live;
mod ranking;
mod report;
mod stale;
mod weights;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use memorax_core::StaticEmbedder;
use memorax_core::retrieve::Weighted;

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
        /// Git repository; may be given several times
        #[arg(long, required = true, num_args = 1..)]
        git: Vec<PathBuf>,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
        /// Newest queries of each history that are asked
        #[arg(long, default_value_t = 2000)]
        queries: usize,
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
        #[command(flatten)]
        answers: Answers,
    },
    /// Learn the weights of the evidence about files from histories; prints what they give on each history left out
    LearnFiles {
        /// `name=FOLDER` of a git repository; may be given several times
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named)]
        git: Vec<ranking::Named>,
        /// Report as JSON
        #[arg(long)]
        out: PathBuf,
        /// Newest queries of each history that are learned from
        #[arg(long, default_value_t = 400)]
        queries: usize,
        /// Pull back to the weights set by hand
        #[arg(long, default_value_t = 0.01)]
        pull: f32,
        /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
        #[arg(long)]
        cache: Option<PathBuf>,
    },
    /// A repository's own prompts and those of others: what is answered, and how sure the answer is
    Abstain {
        /// Git repository, as folder or `name=FOLDER`; may be given several times, two at least
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named_or_folder)]
        git: Vec<ranking::Named>,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
        /// Own prompts of each repository, from the later half of its history, and as many of the others
        #[arg(long, default_value_t = 100)]
        prompts: usize,
        /// Also write every prompt with what was seen of it, one JSON object a line
        #[arg(long)]
        answers: Option<PathBuf>,
        /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
        #[arg(long)]
        cache: Option<PathBuf>,
    },
    /// Learn when an answer helps from histories; prints what it gives on each history left out
    LearnAbstain {
        /// Git repository, as folder or `name=FOLDER`; may be given several times
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named_or_folder)]
        git: Vec<ranking::Named>,
        /// Report as JSON
        #[arg(long)]
        out: PathBuf,
        /// Own prompts of each repository, from all its history, and as many of the others
        #[arg(long, default_value_t = 70)]
        prompts: usize,
        /// Also write every prompt with what was seen of it, one JSON object a line
        #[arg(long)]
        answers: Option<PathBuf>,
        /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
        #[arg(long)]
        cache: Option<PathBuf>,
    },
    /// Memories of a commit, 500 commits later: which of what they cite is dead, moved or changed, and what is said of it
    Stale {
        /// Git repository, as folder or `name=FOLDER`; may be given several times
        #[arg(long, required = true, num_args = 1.., value_parser = ranking::named_or_folder)]
        git: Vec<ranking::Named>,
        /// Report: `.json`, anything else is Markdown
        #[arg(long)]
        out: PathBuf,
        /// Commits at which memories are written, of each history
        #[arg(long, default_value_t = 6)]
        points: usize,
        /// Commits between writing and reading
        #[arg(long, default_value_t = 500)]
        later: usize,
    },
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
            variants,
            cache,
        } => {
            let cache = cache_or_default(cache.as_deref());
            let plan = history_files::Plan {
                cache: &cache,
                most: *queries,
                variants,
            };
            let mut rows = Vec::new();
            for folder in git {
                rows.extend(history_files::run(folder, &plan)?);
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
            answers,
        } => answers.write(|cache, retriever| code_search::run(annotations, git, cache, retriever)),
        Measure::LearnFiles {
            git,
            out,
            queries,
            pull,
            cache,
        } => {
            let cache = cache_or_default(cache.as_deref());
            let learned = learn_files::run(git, &cache, *queries, *pull)?;
            report::lines(out, &[learned])
        }
        Measure::Abstain {
            git,
            out,
            prompts,
            answers,
            cache,
        } => {
            let plan = abstain::Plan {
                prompts: *prompts,
                from: 0.5,
                learns: false,
            };
            let asked = abstain::ask(git, &cache_or_default(cache.as_deref()), plan)?;
            if let Some(answers) = answers {
                report::lines(answers, &asked)?;
            }
            let summary = abstain::report(&asked);
            report::figures(out, &summary, &summary.markdown())
        }
        Measure::LearnAbstain {
            git,
            out,
            prompts,
            answers,
            cache,
        } => {
            let plan = abstain::Plan {
                prompts: *prompts,
                from: 0.0,
                learns: true,
            };
            let mut asked = abstain::ask(git, &cache_or_default(cache.as_deref()), plan)?;
            let learned = learn_abstain::learn(&mut asked);
            if let Some(answers) = answers {
                report::lines(answers, &asked)?;
            }
            report::lines(out, &[learned])
        }
        Measure::Stale {
            git,
            out,
            points,
            later,
        } => {
            let rows = stale::run(git, *points, *later)?;
            report::figures(out, &rows, &stale::markdown(&rows))
        }
        Measure::Cost { git, out, memories } => report::cost(out, &cost::run(git, memories)?),
        Measure::Embed { task, model, out } => report::embed(out, &embedders(model, task)?),
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
    models.iter().map(|folder| model(folder, task)).collect()
}

#[cfg(feature = "onnx")]
fn model(folder: &Path, task: &Path) -> memorax_core::Result<embed::Row> {
    embed::run(task, &memorax_core::OnnxEmbedder::open(folder)?)
}

#[cfg(not(feature = "onnx"))]
fn model(folder: &Path, _: &Path) -> memorax_core::Result<embed::Row> {
    let message = format!(
        "this program cannot run the model in `{}`",
        folder.display()
    );
    Err(
        memorax_core::Error::new(memorax_core::ErrorKind::InvalidInput, message)
            .with_hint("cargo run --release -p memorax-bench --features onnx"),
    )
}
