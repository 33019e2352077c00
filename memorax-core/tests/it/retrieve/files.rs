//! Which files come first, and why.

use std::sync::Arc;

use memorax_core::repo::{
    CommitHit, CommitSelection, Field, FileScore, QueryWord, RepositoryView, Structure,
};
use memorax_core::retrieve::{Context, NoMemories, NoTree, Retriever, Sight, Weighted};
use memorax_core::{
    CommitInfo, FileInfo, FileRole, Query, Recall, Result, Source, Symbol, SymbolKind, Timestamp,
    ViewInfo,
};

/// A view in which every file has the words of a given text.
#[derive(Debug)]
struct View {
    info: ViewInfo,
    files: Vec<FileInfo>,
    texts: Vec<&'static str>,
    commits: Vec<(&'static str, Vec<u32>)>,
}

impl View {
    fn new(files: &[(&str, FileRole, &'static str)], commits: &[(&'static str, &[u32])]) -> Self {
        Self {
            info: ViewInfo::default(),
            files: files
                .iter()
                .map(|(path, role, _)| FileInfo::new(*path, *role))
                .collect(),
            texts: files.iter().map(|(_, _, text)| *text).collect(),
            commits: commits
                .iter()
                .map(|(subject, files)| (*subject, files.to_vec()))
                .collect(),
        }
    }

    fn hit(&self, age: usize, score: f32) -> CommitHit {
        let (subject, files) = &self.commits[age];
        let mut commit = CommitInfo::new(format!("{age:040}"), *subject, Timestamp::from_millis(0));
        commit.paths = files
            .iter()
            .map(|file| self.files[*file as usize].path.clone())
            .collect();
        CommitHit {
            age: age as u32,
            score,
            files: files.clone(),
            commit,
        }
    }
}

fn overlap(text: &str, words: &[QueryWord]) -> f32 {
    let known = memorax_core::text::words(text);
    words
        .iter()
        .filter(|word| known.contains(&word.word))
        .map(|word| word.weight)
        .sum()
}

impl RepositoryView for View {
    fn info(&self) -> &ViewInfo {
        &self.info
    }

    fn files(&self) -> Result<&[FileInfo]> {
        Ok(&self.files)
    }

    fn search(&self, field: Field, words: &[QueryWord], limit: usize) -> Result<Vec<FileScore>> {
        let mut found: Vec<FileScore> = (0..)
            .zip(&self.files)
            .map(|(file, info)| {
                let text = match field {
                    Field::Code => self.texts[file as usize],
                    Field::Path => &info.path,
                    _ => "",
                };
                FileScore {
                    file,
                    score: overlap(text, words),
                    line: 1,
                }
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        found.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then(left.file.cmp(&right.file))
        });
        found.truncate(limit);
        Ok(found)
    }

    fn commits(&self, selection: &CommitSelection<'_>, limit: usize) -> Result<Vec<CommitHit>> {
        let score = |age: usize| match selection {
            CommitSelection::Words(words) => overlap(self.commits[age].0, words),
            CommitSelection::Touching(file) => {
                f32::from(u8::from(self.commits[age].1.contains(file)))
            }
            _ => 1.0,
        };
        Ok((0..self.commits.len())
            .filter(|age| score(*age) > 0.0)
            .map(|age| self.hit(age, score(age)))
            .take(limit)
            .collect())
    }

    fn structure(&self) -> Result<Arc<Structure>> {
        let symbols = self
            .files
            .iter()
            .map(|_| vec![Symbol::new("drain_inbox", SymbolKind::Function, 3, 8)])
            .collect();
        Ok(Arc::new(Structure::new(symbols, Vec::new())))
    }
}

fn ask(view: &View, query: &Query) -> Result<Recall> {
    let sight = Sight::default();
    let context = Context::new(&NoMemories, &NoTree, &sight, Timestamp::from_millis(0)).view(view);
    Weighted::default().retrieve(&context, query)
}

fn paths(recall: &Recall) -> Vec<&str> {
    recall.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn history_finds_what_words_do_not() -> Result<()> {
    let view = View::new(
        &[
            ("src/inbox.rs", FileRole::Source, "drain inbox writer"),
            ("src/spool.rs", FileRole::Source, "fold records"),
            ("src/unrelated.rs", FileRole::Source, "colours"),
        ],
        &[
            ("Drain the inbox before the spool", &[0, 1]),
            ("Change colours", &[2]),
        ],
    );
    let recall = ask(&view, &Query::new("drain the inbox"))?;
    assert_eq!(paths(&recall), ["src/inbox.rs", "src/spool.rs"]);
    let spool = &recall.files[1];
    let history = spool
        .why
        .iter()
        .find(|signal| signal.source == Source::History);
    assert_eq!(
        history.map(|signal| signal.detail.as_str()),
        Some("00000000 Drain the inbox before the spool")
    );
    assert_eq!(recall.files[0].symbols, ["drain_inbox 3-8"]);
    Ok(())
}

#[test]
fn tests_come_last_unless_they_are_asked_for() -> Result<()> {
    let view = View::new(
        &[
            ("inbox.rs", FileRole::Source, "drain inbox"),
            (
                "tests/inbox.rs",
                FileRole::Test,
                "drain inbox drain inbox test",
            ),
        ],
        &[],
    );
    assert_eq!(
        paths(&ask(&view, &Query::new("where is the inbox drained?"))?)[0],
        "inbox.rs"
    );
    assert_eq!(
        paths(&ask(&view, &Query::new("which test drains the inbox?"))?)[0],
        "tests/inbox.rs"
    );
    Ok(())
}

#[test]
fn ties_go_to_the_smaller_path_and_records_of_changes_are_left_out() -> Result<()> {
    let view = View::new(
        &[
            ("CHANGELOG.md", FileRole::Document, "drain inbox"),
            ("src/a.rs", FileRole::Source, "drain inbox"),
            ("src/b.rs", FileRole::Source, "drain inbox"),
        ],
        &[],
    );
    let recall = ask(&view, &Query::new("drain the inbox"))?;
    assert_eq!(paths(&recall), ["src/a.rs", "src/b.rs"]);
    assert_eq!(
        ask(&view, &Query::new("drain the inbox"))?.files,
        recall.files
    );
    let named = ask(&view, &Query::new("mention the inbox in CHANGELOG.md"))?;
    assert_eq!(paths(&named)[0], "CHANGELOG.md");
    Ok(())
}

#[test]
fn tasks_about_something_else_meet_silence() -> Result<()> {
    let view = View::new(
        &[("src/inbox.rs", FileRole::Source, "drain inbox cook")],
        &[("Drain the inbox", &[0])],
    );
    let recall = ask(
        &view,
        &Query::new("what shall we cook for dinner with lentils and spinach"),
    )?;
    assert_eq!(paths(&recall), [""; 0]);
    Ok(())
}
