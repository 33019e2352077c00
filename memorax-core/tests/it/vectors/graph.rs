//! Graphs of vectors: they find what a scan finds, follow other writers, and are built again where they are damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memorax_core::store::{Graph, Ledger, Volatile};
use memorax_core::{
    Action, Actor, Draft, Memorax, MemoryKind, Query, Result, StaticEmbedder, Trust,
};

use super::fixture::{Done, apart, exactly, ledger_on, pieces};
use crate::ledger::{edit_text, provenance};

const QUESTIONS: [&str; 8] = [
    "how is a file written so that it is whole or absent",
    "which words say nothing by themselves",
    "find the branch that was merged by squash",
    "lock held by another process",
    "parse the manifest of a package",
    "secrets in environment variables",
    "cut a text to a number of tokens",
    "symbols of a python file",
];

fn filled(texts: &[String]) -> Result<Ledger> {
    let ledger = ledger_on(Arc::new(Volatile::new()));
    let drafts: Vec<Draft> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let kind = if number.is_multiple_of(50) {
                MemoryKind::Decision
            } else {
                MemoryKind::Fact
            };
            apart(text, kind, None)
        })
        .collect();
    ledger.apply(&drafts)?;
    ledger.embed(&StaticEmbedder::new(), usize::MAX)?;
    Ok(ledger)
}

fn graph_of(
    ledger: &Ledger,
    graph: Option<Graph>,
) -> std::result::Result<Graph, Box<dyn std::error::Error>> {
    let graph = Graph::brought_up(graph, ledger, &StaticEmbedder::new(), 1, usize::MAX)?;
    graph.ok_or_else(|| "there are enough vectors".into())
}

fn nearest(ledger: &Ledger, graph: &Graph, question: &str) -> Result<Vec<String>> {
    let embedder = StaticEmbedder::new();
    let found = ledger.nearest_by(graph, &embedder, question, &[], 10, &|_| true)?;
    Ok(found.into_iter().map(|(memory, _)| memory.text).collect())
}

#[test]
fn a_graph_finds_what_exact_search_finds() -> Done {
    let texts = pieces(600)?;
    let ledger = filled(&texts)?;
    let graph = graph_of(&ledger, None)?;
    assert_eq!(graph.points(), texts.len());
    let mut right = 0;
    for question in QUESTIONS {
        let exact: Vec<&str> = exactly(&texts, question)?
            .into_iter()
            .take(10)
            .map(|(number, _)| texts[number].as_str())
            .collect();
        let found = nearest(&ledger, &graph, question)?;
        right += found
            .iter()
            .filter(|text| exact.contains(&text.as_str()))
            .count();
    }
    let wanted = QUESTIONS.len() * 10;
    assert!(
        right * 100 >= wanted * 98,
        "recall@10 is {right} of {wanted}"
    );
    // A filter that leaves little is exact.
    let embedder = StaticEmbedder::new();
    let kinds = [MemoryKind::Decision];
    assert_eq!(
        ledger.nearest_by(&graph, &embedder, QUESTIONS[0], &kinds, 8, &|_| true)?,
        ledger.nearest(&embedder, QUESTIONS[0], &kinds, 8, &|_| true)?
    );
    Ok(())
}

#[test]
fn a_graph_sees_what_others_wrote_since_and_forgets_what_they_removed() -> Done {
    let texts = pieces(400)?;
    let ledger = filled(&texts)?;
    let embedder = StaticEmbedder::new();
    let graph = graph_of(&ledger, None)?;
    let question = "the llamas of the travel agency are vaccinated in spring";
    let near = ledger.nearest(&embedder, QUESTIONS[3], &[], 2, &|_| true)?;
    let (edited, removed) = (near[0].0.id, near[1].0.id);
    ledger.apply(&[
        apart(
            "Llamas are vaccinated every spring.",
            MemoryKind::Fact,
            None,
        ),
        edit_text(edited, "The travel agency feeds its llamas hay.", None),
        Draft::new(Action::Delete { memory: removed }, provenance(9_000)),
    ])?;
    ledger.embed(&embedder, usize::MAX)?;
    let check = |graph: &Graph| -> Done {
        let found = nearest(&ledger, graph, question)?;
        assert_eq!(
            found[..2],
            [
                "Llamas are vaccinated every spring.",
                "The travel agency feeds its llamas hay."
            ]
        );
        let found = ledger.nearest_by(graph, &embedder, QUESTIONS[3], &[], 20, &|_| true)?;
        assert!(found.iter().all(|(memory, _)| memory.id != removed));
        assert_eq!(found.len(), 20);
        Ok(())
    };
    check(&graph)?;
    let graph = graph_of(&ledger, Some(graph))?;
    assert_eq!(graph.points(), texts.len() + 2, "two were put since");
    check(&graph)?;
    let decisions = ledger.nearest(&embedder, QUESTIONS[0], &[], 120, &|_| true)?;
    let deletions: Vec<Draft> = decisions
        .iter()
        .map(|(memory, _)| Draft::new(Action::Delete { memory: memory.id }, provenance(9_001)))
        .collect();
    ledger.apply(&deletions)?;
    let graph = graph_of(&ledger, Some(graph))?;
    let (alive, _) = ledger.embedded(&embedder)?;
    assert_eq!(
        graph.points() as u64,
        alive,
        "it is built anew without the dead"
    );
    Ok(())
}

#[test]
fn a_graph_is_kept_in_files_and_none_is_read_that_is_damaged_or_of_another_order() -> Done {
    let folder = tempfile::tempdir()?;
    let texts = pieces(300)?;
    let ledger = filled(&texts)?;
    let embedder = StaticEmbedder::new();
    let mut graph = graph_of(&ledger, None)?;
    graph.save(folder.path())?;
    let before = files(folder.path())?;
    graph.save(folder.path())?;
    assert_eq!(files(folder.path())?, before, "nothing changed");
    let expected = nearest(&ledger, &graph, QUESTIONS[0])?;
    let read = Graph::load(folder.path(), &ledger, &embedder)?.ok_or("it was saved")?;
    assert_eq!(read.points(), graph.points());
    assert_eq!(nearest(&ledger, &read, QUESTIONS[0])?, expected);
    // What was read can go on, and leaves no old file.
    ledger.apply(&[apart("Llamas are vaccinated.", MemoryKind::Fact, None)])?;
    ledger.embed(&embedder, 1)?;
    let mut grown = graph_of(&ledger, Some(read))?;
    grown.save(folder.path())?;
    let after = files(folder.path())?;
    assert_eq!(after.len(), before.len());
    assert_ne!(after, before);
    for file in &after {
        let bytes = fs::read(file)?;
        let mut damaged = bytes.clone();
        let Some(byte) = damaged.get_mut(bytes.len() / 2) else {
            continue;
        };
        *byte ^= 1;
        fs::write(file, &damaged)?;
        assert!(
            Graph::load(folder.path(), &ledger, &embedder)?.is_none(),
            "{} was damaged",
            file.display()
        );
        fs::remove_file(file)?;
        let found = Graph::load(folder.path(), &ledger, &embedder)?;
        assert!(found.is_none(), "{} was removed", file.display());
        fs::write(file, bytes)?;
    }
    assert!(Graph::load(folder.path(), &ledger, &embedder)?.is_some());
    ledger.derive_again()?;
    ledger.embed(&embedder, usize::MAX)?;
    assert!(
        Graph::load(folder.path(), &ledger, &embedder)?.is_none(),
        "ordinals may be others now"
    );
    Ok(())
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

#[test]
fn a_handle_makes_graphs_when_it_is_told_to_and_answers_the_same() -> Done {
    let world = tempfile::tempdir()?;
    let project = world.path().join("project");
    fs::create_dir(&project)?;
    let open = |threshold: u64| {
        Memorax::builder()
            .home(world.path().join("home"))
            .actor(Actor::new("ada", Trust::User))
            .hnsw_threshold(threshold)
            .open(&project)
    };
    let memory = open(100)?;
    let lines: Vec<String> = pieces(150)?
        .iter()
        .map(|text| serde_json::json!({ "kind": "fact", "text": text }).to_string())
        .collect();
    memory.restore(&mut lines.join("\n").as_bytes())?;
    let folder = world
        .path()
        .join("home/repos")
        .join(memory.identity().id.to_string())
        .join("index/vectors");
    let ask = |memory: &Memorax| -> Result<Vec<String>> {
        let mut texts = Vec::new();
        for question in QUESTIONS {
            let hits = memory.recall(&Query::new(question).files(0))?.hits;
            texts.extend(hits.into_iter().map(|hit| hit.memory.text));
        }
        Ok(texts)
    };
    let expected = ask(&memory)?;
    assert!(!expected.is_empty());
    assert!(
        !folder.exists(),
        "neither a write nor a recall makes a graph"
    );
    memory.embed(1_000)?;
    assert_eq!(files(&folder)?.len(), 4, "two files, the list and the lock");
    assert_eq!(ask(&memory)?, expected);
    let other = open(u64::MAX)?;
    other.remember("Llamas are vaccinated every spring.", MemoryKind::Fact)?;
    let recall = memory.recall(&Query::new("when are llamas vaccinated?"))?;
    assert_eq!(recall.hits.len(), 1, "another handle wrote it");
    assert_eq!(ask(&open(100)?)?, expected, "a new handle has no graph");
    Ok(())
}
