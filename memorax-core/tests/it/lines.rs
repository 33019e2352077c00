//! Memory follows branches: one test for each thing that people do with them.

use memorax_core::repo::{observe, with_changes};
use memorax_core::store::{HeadFacts, visible};
use memorax_core::{Landing, Line, LineId, LineState, Timestamp};
use proptest::prelude::*;

use crate::fixture::{Repository, prose};
use crate::memory::{Memory, feature};

#[test]
fn what_is_learned_before_the_first_commit_stays() {
    let repository = Repository::new();
    let mut memory = Memory::new();
    let before = memory.remember(&repository);
    assert_eq!(memory.line(before).tip, None);
    let first = repository.commit("README.md", "# App\n");
    assert_eq!(memory.remember(&repository), before);
    assert_eq!(memory.line(before).tip, Some(first));
}

#[test]
fn a_branch_renamed_before_the_first_commit_keeps_its_line() {
    let repository = Repository::new();
    let mut memory = Memory::new();
    let before = memory.remember(&repository);
    repository.git(&["branch", "--move", "trunk"]);
    assert_eq!(memory.remember(&repository), before);
    repository.git(&["branch", "--move", "stem"]);
    repository.commit("README.md", "# App\n");
    assert_eq!(memory.remember(&repository), before);
    assert_eq!(memory.line(before).name(), "stem");
}

#[test]
fn a_branch_sees_what_it_was_cut_from_and_not_the_other_way_round() {
    let (repository, mut memory, main, feature) = feature();
    assert!(memory.sees(&repository, main) && memory.sees(&repository, feature));
    repository.git(&["switch", "--quiet", "main"]);
    assert!(
        !memory.sees(&repository, feature),
        "open work is not common"
    );
    assert_eq!(memory.remember(&repository), main);
    assert!(
        memory.seen(&repository).others.contains(&feature),
        "open work elsewhere is known to be elsewhere"
    );
    let line = memory.line(feature);
    assert_eq!(line.parent, Some(main));
    assert_ne!(line.fork, line.tip, "the branch has a commit of its own");
}

#[test]
fn a_branch_never_seen_before_sees_its_parents_without_a_write() {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    let main = memory.remember(&repository);
    repository.git(&["switch", "--quiet", "--create", "new"]);
    let count = memory.lines.len();
    assert!(memory.sees(&repository, main));
    assert_eq!(memory.lines.len(), count, "a reader writes nothing");
}

#[test]
fn a_rebase_changes_nothing() {
    let (repository, mut memory, main, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", &prose("something else", 3));
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "feature"]);
    repository.git(&["rebase", "--quiet", "main"]);
    assert_eq!(memory.remember(&repository), feature);
    assert!(memory.sees(&repository, main));
    assert_eq!(
        memory.line(feature).tip,
        Some(repository.git(&["rev-parse", "HEAD"]))
    );
    assert_eq!(
        memory.decide(&repository),
        Vec::<String>::new(),
        "nothing landed"
    );
}

#[test]
fn in_the_middle_of_a_rebase_the_branch_is_still_the_own_one() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("feature.txt", "in the way\n");
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "feature"]);
    repository.git_stops(&["rebase", "--quiet", "main"]);
    assert!(
        repository.checkout().head().detached,
        "the rebase stopped at the conflict"
    );
    assert_eq!(memory.remember(&repository), feature);
}

#[test]
fn an_amended_commit_changes_nothing() {
    let (repository, mut memory, _, feature) = feature();
    repository.write("feature.txt", &prose("the amended feature", 8));
    repository.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    assert_eq!(memory.remember(&repository), feature);
}

#[test]
fn a_renamed_branch_keeps_its_line() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["branch", "--move", "better-name"]);
    assert_eq!(memory.remember(&repository), feature);
    assert_eq!(memory.line(feature).name(), "better-name");
    assert_eq!(memory.line(feature).missing, None);
}

#[test]
fn a_renamed_branch_without_commits_of_its_own_keeps_its_line() {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "--create", "one"]);
    let one = memory.remember(&repository);
    repository.git(&["branch", "--move", "two"]);
    repository.commit("two.txt", "two\n");
    assert_eq!(memory.remember(&repository), one);
}

#[test]
fn a_branch_renamed_from_elsewhere_keeps_its_line() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["branch", "--move", "feature", "better-name"]);
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "better-name"]);
    assert_eq!(memory.remember(&repository), feature);
    assert_eq!(memory.line(feature).missing, None);
}

#[test]
fn a_clone_that_lags_behind_takes_nothing_back() {
    let (repository, mut memory, _, feature) = feature();
    let clone = repository.clone_to("clone", &["--branch", "feature"]);
    let newest = repository.commit("feature.txt", &prose("the feature goes on", 3));
    memory.observe(&repository);
    assert_eq!(memory.remember(&clone), feature);
    assert_eq!(memory.line(feature).tip, Some(newest.clone()));
    clone.git(&["pull", "--quiet"]);
    assert_eq!(memory.remember(&clone), feature);
    assert_eq!(memory.line(feature).tip, Some(newest));
}

#[test]
fn a_renamed_default_branch_keeps_its_line() {
    let (repository, mut memory, main, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["branch", "--move", "trunk"]);
    assert_eq!(memory.remember(&repository), main);
    repository.git(&["switch", "--quiet", "feature"]);
    assert!(memory.sees(&repository, main));
    assert_eq!(memory.remember(&repository), feature);
}

#[test]
fn a_name_used_again_is_a_new_line() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["branch", "--quiet", "-D", "feature"]);
    repository.git(&["switch", "--quiet", "--create", "feature"]);
    repository.commit("feature.txt", &prose("another feature", 5));
    let again = memory.remember(&repository);
    assert_ne!(again, feature, "the log of the branch begins anew");
    assert!(!memory.sees(&repository, feature));
    assert!(memory.line(feature).missing.is_some());
}

#[test]
fn a_name_used_again_after_a_merge_is_a_new_line() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--no-ff", "--no-edit", "feature"]);
    memory.decide(&repository);
    repository.git(&["branch", "--quiet", "--delete", "feature"]);
    repository.git(&["switch", "--quiet", "--create", "feature"]);
    let again = memory.remember(&repository);
    assert_ne!(again, feature);
    assert!(
        memory.sees(&repository, feature),
        "it landed in what was branched from"
    );
}

#[test]
fn a_branch_cut_from_one_that_was_never_seen_has_it_as_its_parent() {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    repository.git(&["switch", "--quiet", "--create", "lower"]);
    repository.commit("lower.txt", "lower\n");
    repository.git(&["switch", "--quiet", "--create", "upper"]);
    repository.commit("upper.txt", "upper\n");
    let upper = memory.remember(&repository);
    repository.git(&["switch", "--quiet", "lower"]);
    let lower = memory.remember(&repository);
    assert_eq!(memory.line(upper).parent, Some(lower));
    assert_eq!(memory.lines.len(), 3);
}

#[test]
fn a_detached_head_sees_what_it_contains() {
    let (repository, mut memory, main, feature) = feature();
    repository.git(&["switch", "--quiet", "--detach"]);
    assert!(memory.sees(&repository, main) && memory.sees(&repository, feature));
    repository.commit("more.txt", "more\n");
    assert!(memory.sees(&repository, feature));
    assert_eq!(
        memory.remember(&repository),
        feature,
        "the nearest one is the own one"
    );
    repository.git(&["switch", "--quiet", "--detach", "main"]);
    assert!(memory.sees(&repository, main) && !memory.sees(&repository, feature));
}

#[test]
fn a_detached_head_before_every_tip_sees_the_default_branch() {
    let repository = Repository::with_commit();
    let old = repository.git(&["rev-parse", "HEAD"]);
    repository.commit("later.txt", "later\n");
    let mut memory = Memory::new();
    let main = memory.remember(&repository);
    repository.git(&["switch", "--quiet", "--detach", &old]);
    assert_eq!(memory.seen(&repository).own, Some(main));
}

#[test]
fn two_working_trees_share_their_lines() {
    let (repository, mut memory, main, feature) = feature();
    let path = repository.beside("tree");
    let path = path.to_str().expect("temporary folders have plain names");
    repository.git(&["worktree", "add", "--quiet", "-b", "side", path, "main"]);
    let tree = repository.at("tree");
    let side = memory.remember(&tree);
    assert!(memory.sees(&tree, main) && !memory.sees(&tree, feature));
    tree.commit("side.txt", "side\n");
    assert_eq!(memory.remember(&tree), side);
    assert_eq!(memory.remember(&repository), feature);
    assert_eq!(memory.line(side).missing, None, "the other tree has it");
    assert_eq!(memory.line(side).parent, Some(main));
}

#[test]
fn a_shallow_clone_shares_the_lines_and_lands_nothing_by_mistake() {
    let (repository, mut memory, main, feature) = feature();
    repository.commit("second.txt", &prose("the second file", 4));
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    memory.observe(&repository);
    let clone = repository.clone_to("shallow", &["--depth", "1", "--no-single-branch"]);
    assert!(clone.checkout().is_shallow());
    assert_eq!(memory.remember(&clone), main);
    clone.git(&["switch", "--quiet", "feature"]);
    assert_eq!(memory.remember(&clone), feature);
    assert!(memory.sees(&clone, main));
    assert_eq!(memory.decide(&clone), Vec::<String>::new());
    assert_eq!(memory.line(main).missing, None);
}

#[test]
fn a_branch_of_another_clone_is_not_missing_here() {
    let (repository, mut memory, _, feature) = feature();
    let clone = repository.clone_to("clone", &["--branch", "main", "--single-branch"]);
    memory.observe(&clone);
    assert_eq!(memory.line(feature).missing, None);
}

#[test]
fn two_clones_with_a_branch_of_one_name_have_a_line_each() {
    let (repository, mut memory, _, first) = feature();
    let clone = repository.clone_to("clone", &["--branch", "main", "--single-branch"]);
    clone.git(&["switch", "--quiet", "--create", "feature"]);
    clone.commit("unrelated.txt", "unrelated\n");
    let second = memory.remember(&clone);
    assert_ne!(first, second);
    clone.commit("unrelated.txt", "still unrelated\n");
    assert_eq!(memory.remember(&clone), second);
    repository.commit("feature.txt", &prose("the feature goes on", 3));
    assert_eq!(memory.remember(&repository), first);
}

#[test]
fn two_processes_that_meet_a_branch_at_once_make_one_line_of_it() {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "--create", "feature"]);
    let checkout = repository.checkout();
    let one = observe(&checkout, &memory.lines, memory.now).expect("history can be read");
    let other = observe(&checkout, &memory.lines, memory.now).expect("history can be read");
    memory.lines = with_changes(&memory.lines, &one, memory.now);
    memory.lines = with_changes(&memory.lines, &other, memory.now);
    repository.commit("feature.txt", "a feature\n");
    memory.remember(&repository);
    let seen = memory.seen(&repository);
    for change in one.iter().chain(&other) {
        assert!(
            seen.sees(Some(change.line)),
            "nothing that was learned is lost"
        );
    }
}

/// A family of lines: parents point to earlier ones, landings to any.
fn families(prefix: &'static str) -> impl Strategy<Value = Vec<Line>> {
    let one = (
        any::<[u8; 16]>(),
        0..4_usize,
        any::<prop::sample::Index>(),
        0..4_u8,
    );
    prop::collection::vec(one, 1..8).prop_map(move |seeds| {
        let mut lines: Vec<Line> = Vec::new();
        for (bytes, parent, into, state) in seeds {
            let name = format!("refs/heads/{prefix}{}", lines.len());
            let mut line = Line::new(LineId::from_bytes(bytes), name, Timestamp::default());
            line.parent = lines.get(parent).map(|parent| parent.id);
            line.state = match state {
                0 if !lines.is_empty() => LineState::Landed {
                    into: lines[into.index(lines.len())].id,
                    evidence: Landing::Person,
                    commit: None,
                },
                1 => LineState::Archived,
                _ => LineState::Open,
            };
            lines.push(line);
        }
        lines
    })
}

proptest! {
    #[test]
    fn unrelated_lines_neither_hide_nor_reveal(
        lines in families("ours-"),
        others in families("theirs-"),
        head in any::<prop::sample::Index>(),
    ) {
        let head = &lines[head.index(lines.len())];
        let facts = HeadFacts::on(head.reference.clone(), head.tip.clone());
        let alone = visible(&lines, &facts);
        prop_assert!(alone.sees(Some(head.id)), "the own line is seen");
        prop_assert!(alone.sees(None), "what has no line is seen");
        let both: Vec<Line> = others.iter().chain(&lines).cloned().collect();
        let together = visible(&both, &facts);
        prop_assert_eq!(&alone.lines, &together.lines);
        prop_assert_eq!(alone.own, together.own);
    }
}
