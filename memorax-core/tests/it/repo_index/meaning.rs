//! Vectors of chunks by another embedder than the built-in one: made in steps, kept by blob, never mixed.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memorax_core::repo::{
    CommitSelection, EmbedRequest, EmbeddedView, Indexer, Progress, RepoIndexer, RepositoryView,
    VectorCount,
};
use memorax_core::{Embedder, ErrorKind, InitOptions, Memorax, Query, Result};

use super::support::{cached, index};
use crate::fixture::Repository;

type TestResult = std::result::Result<(), Box<dyn Error>>;

/// Knows two meanings, heat and water, by words that share nothing; slow, and remembers what it was asked.
#[derive(Debug, Default)]
struct Weather {
    id: &'static str,
    seen: Mutex<Vec<String>>,
}

impl Weather {
    fn named(id: &'static str) -> Self {
        Self {
            id,
            seen: Mutex::default(),
        }
    }

    fn seen(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Embedder for Weather {
    fn id(&self) -> &str {
        self.id
    }

    fn dimensions(&self) -> usize {
        3
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(texts.iter().map(|text| (*text).to_owned()));
        let has = |text: &str, words: [&str; 2]| {
            f32::from(u8::from(words.iter().any(|word| text.contains(word))))
        };
        let vector = |text: &&str| {
            vec![
                has(text, ["scorch", "sunburn"]),
                has(text, ["drench", "puddle"]),
                0.2,
            ]
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// Twelve files of one chunk, of which the first says `puddle` and the last is imported by all others.
fn repository() -> Repository {
    let repository = Repository::with_commit();
    for number in 0..11 {
        let word = if number == 0 { "puddle" } else { "gravel" };
        let text = format!("import hub\n\ndef part{number}():\n    return hub.{word}({number})\n");
        repository.write(&format!("part{number}.py"), &text);
    }
    repository.write("hub.py", "def gravel(number):\n    return number\n");
    repository.commit("README.md", "# Parts\n\nSome parts.\n");
    repository
}

fn embed_at_most(
    root: &Path,
    cache: &Path,
    embedder: &dyn Embedder,
    most: usize,
) -> Result<VectorCount> {
    Indexer::new().embed(&EmbedRequest {
        root,
        cache,
        embedder,
        most,
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
    })
}

fn nearest(view: &dyn RepositoryView, embedder: &dyn Embedder, text: &str) -> Result<String> {
    let all: Vec<u32> = (0..view.files()?.len() as u32).collect();
    let scores = view.nearness_by(embedder, text, &all)?;
    let best = scores
        .iter()
        .max_by(|left, right| left.score.total_cmp(&right.score));
    Ok(best.map_or_else(String::new, |hit| {
        view.files().expect("they were just read")[hit.file as usize]
            .path
            .clone()
    }))
}

#[test]
fn a_meaning_is_found_by_vectors_of_the_embedder_alone() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let embedder = Weather::named("weather/1");
    let all: Vec<u32> = (0..view.files()?.len() as u32).collect();
    let before = view.nearness_by(&embedder, "drench", &all)?;
    assert_eq!(before, view.nearness("drench", &all)?);
    assert!(
        embedder.seen().is_empty(),
        "it is not run where no chunk has vectors of it"
    );
    let count = embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    assert_eq!((count.embedded, count.chunks), (13, 13));
    assert_eq!(nearest(&*view, &embedder, "drench")?, "part0.py");
    Ok(())
}

#[test]
fn what_matters_most_is_embedded_first_and_nothing_twice() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let embedder = Weather::named("weather/1");
    let count = embed_at_most(&repository.path, cache.path(), &embedder, 2)?;
    assert_eq!(count, VectorCount::new(13, 2));
    assert_eq!(view.vectors_of("weather/1")?, count);
    let first = embedder.seen();
    assert!(
        first.iter().any(|text| text.starts_with("def gravel")),
        "all import it: {first:?}"
    );
    embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    let rest = embedder.seen();
    assert_eq!(rest.len(), 11);
    assert!(rest.iter().all(|text| !first.contains(text)));
    Ok(())
}

#[test]
fn a_stopped_run_keeps_what_it_did() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let embedder = Weather::named("weather/1");
    let (interrupt, told) = (AtomicBool::new(false), AtomicUsize::new(0));
    let progress = |step: Progress| {
        assert_eq!((step.stage, step.total), ("embedding", Some(13)));
        if told.fetch_add(1, Ordering::Relaxed) == 4 {
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let error = Indexer::new()
        .embed(&EmbedRequest {
            root: &repository.path,
            cache: cache.path(),
            embedder: &embedder,
            most: usize::MAX,
            interrupt: &interrupt,
            progress: &progress,
        })
        .expect_err("it was stopped");
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert_eq!(view.vectors_of("weather/1")?, VectorCount::new(13, 5));
    embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    assert_eq!(view.vectors_of("weather/1")?, VectorCount::new(13, 13));
    assert_eq!(embedder.seen().len(), 13, "nothing was embedded twice");
    Ok(())
}

#[test]
fn vectors_of_two_embedders_are_never_mixed() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let (one, other) = (Weather::named("weather/1"), Weather::named("weather/2"));
    embed_at_most(&repository.path, cache.path(), &one, usize::MAX)?;
    assert_eq!(view.vectors_of("weather/2")?, VectorCount::new(13, 0));
    let all: Vec<u32> = (0..view.files()?.len() as u32).collect();
    assert_eq!(
        view.nearness_by(&other, "drench", &all)?,
        view.nearness("drench", &all)?
    );
    assert!(other.seen().is_empty());
    Ok(())
}

#[test]
fn only_a_changed_file_is_embedded_again() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    index(&repository.path, cache.path())?;
    let embedder = Weather::named("weather/1");
    embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    embedder.seen();
    repository.write("part3.py", "def part3():\n    return 'sunburn'\n");
    let view = index(&repository.path, cache.path())?;
    assert_eq!(view.vectors_of("weather/1")?, VectorCount::new(13, 12));
    embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    assert_eq!(embedder.seen(), ["def part3():\n    return 'sunburn'\n"]);
    assert_eq!(nearest(&*view, &embedder, "scorch")?, "part3.py");
    Ok(())
}

#[test]
fn many_small_steps_are_joined() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let embedder = Weather::named("weather/1");
    for _ in 0..13 {
        embed_at_most(&repository.path, cache.path(), &embedder, 1)?;
    }
    assert_eq!(view.vectors_of("weather/1")?, VectorCount::new(13, 13));
    let files = cached(cache.path()).into_iter();
    let files = files.filter(|path| path.to_string_lossy().contains("vectors-"));
    assert!(files.count() <= 8, "each step made a file of its own");
    Ok(())
}

#[test]
fn a_full_cache_gets_no_vectors_and_a_damaged_file_is_made_again() -> TestResult {
    let repository = repository();
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let embedder = Weather::named("weather/1");
    let full = Indexer::new().limit(1);
    let count = full.embed(&EmbedRequest {
        root: &repository.path,
        cache: cache.path(),
        embedder: &embedder,
        most: usize::MAX,
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
    })?;
    assert_eq!(count, VectorCount::new(13, 0));
    embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    Indexer::new().sweep(&repository.path, cache.path())?;
    assert_eq!(view.vectors_of("weather/1")?, VectorCount::new(13, 13));
    for path in cached(cache.path()) {
        if path.to_string_lossy().contains("vectors-") {
            std::fs::write(&path, "nothing")?;
        }
    }
    assert_eq!(view.vectors_of("weather/1")?, VectorCount::new(13, 0));
    let again = embed_at_most(&repository.path, cache.path(), &embedder, usize::MAX)?;
    assert_eq!(again, VectorCount::new(13, 13));
    full.sweep(&repository.path, cache.path())?;
    assert_eq!(
        view.vectors_of("weather/1")?,
        VectorCount::new(13, 0),
        "vectors go first where there is too little room"
    );
    Ok(())
}

#[test]
fn an_embedder_that_gives_other_vectors_than_it_promises_is_refused() -> TestResult {
    #[derive(Debug)]
    struct Short;
    impl Embedder for Short {
        fn id(&self) -> &'static str {
            "short/1"
        }
        fn dimensions(&self) -> usize {
            3
        }
        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            Ok(texts.iter().map(|_| vec![1.0, 2.0]).collect())
        }
    }
    let repository = repository();
    let cache = tempfile::tempdir()?;
    index(&repository.path, cache.path())?;
    let error = embed_at_most(&repository.path, cache.path(), &Short, 5)
        .expect_err("two numbers are not three");
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(error.to_string().contains("short/1"), "{error}");
    Ok(())
}

#[test]
fn init_makes_the_vectors_and_a_quick_question_does_not_run_the_embedder() -> TestResult {
    let repository = repository();
    let home = tempfile::tempdir()?;
    let embedder = Arc::new(Weather::named("weather/1"));
    let memory = Memorax::builder()
        .home(home.path())
        .embedder(embedder.clone())
        .open(&repository.path)?;
    let init = memory.init(&InitOptions {
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
    })?;
    let chunks = init.chunks.ok_or("the embedder is not the built-in one")?;
    assert_eq!(
        (chunks.embedder.as_str(), chunks.chunks, chunks.embedded),
        ("weather/1", 13, 13)
    );
    let view = memory.status()?.view.ok_or("it was just indexed")?;
    assert_eq!(view.chunks, Some(chunks));
    embedder.seen();
    memory.recall(&Query::new("what does part3 return, gravel or puddle?").quick(true))?;
    assert!(
        embedder.seen().is_empty(),
        "a hook does not wait for a model"
    );
    memory.recall(&Query::new("what does part3 return, gravel or puddle?"))?;
    assert!(!embedder.seen().is_empty());
    Ok(())
}

#[test]
fn a_view_with_an_embedder_says_everything_else_as_before() -> TestResult {
    let repository = repository();
    repository.git(&["mv", "part1.py", "piece1.py"]);
    repository.git(&["commit", "--quiet", "-m", "Rename a part"]);
    repository.git(&["rm", "--quiet", "part2.py"]);
    repository.git(&["commit", "--quiet", "-m", "Drop a part"]);
    repository.git(&["revert", "--no-edit", "HEAD"]);
    let cache = tempfile::tempdir()?;
    let view = index(&repository.path, cache.path())?;
    let same = EmbeddedView::new(&*view, None);
    assert_eq!(same.info(), view.info());
    assert_eq!(same.files()?, view.files()?);
    assert_eq!(same.structure()?, view.structure()?);
    assert_eq!(same.symbols(0)?, view.symbols(0)?);
    assert_eq!(same.milestones()?, view.milestones()?);
    assert_eq!(same.reverts()?, view.reverts()?);
    assert_eq!(same.past_paths()?, view.past_paths()?);
    assert!(!view.past_paths()?.is_empty(), "a file was renamed");
    let newest = CommitSelection::Newest;
    assert_eq!(same.commits(&newest, 9)?, view.commits(&newest, 9)?);
    let trail = |view: &dyn RepositoryView| -> Result<String> {
        Ok(format!("{:?}", view.trail("piece1.py")?))
    };
    assert_eq!(trail(&same)?, trail(&*view)?);
    let all: Vec<u32> = (0..view.files()?.len() as u32).collect();
    assert!(!view.nearness("gravel", &all)?.is_empty());
    assert_eq!(same.nearness("gravel", &all)?, [], "it has no embedder");
    Ok(())
}
