//! What was done on a branch becomes common when the branch lands, however it lands.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use memorax_core::repo::{Compared, LandingContext, decide, decide_with};
use memorax_core::{ErrorKind, Landing, LineState};

use crate::fixture::{Repository, prose};
use crate::memory::{Memory, feature};

#[test]
fn what_landed_by_a_merge_is_common() {
    let (repository, mut memory, main, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    repository.git(&["merge", "--quiet", "--no-ff", "--no-edit", "feature"]);
    let merge = repository.git(&["rev-parse", "HEAD"]);
    repository.commit("later.txt", "later\n");
    let said = memory.decide(&repository);
    assert_eq!(
        said,
        [format!(
            "`feature` was merged into `main` ({})",
            &merge[..7]
        )]
    );
    assert!(memory.sees(&repository, feature));
    assert_eq!(
        memory.line(feature).state,
        LineState::Landed {
            into: main,
            evidence: Landing::Reachable,
            commit: Some(merge)
        }
    );
}

#[test]
fn what_landed_by_a_fast_forward_is_common() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--ff-only", "feature"]);
    memory.decide(&repository);
    assert_eq!(memory.evidence(feature), Some(Landing::Reachable));
}

#[test]
fn a_fast_forward_that_was_not_seen_before_is_told_from_a_branch_just_cut() {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "--create", "fast"]);
    let fast = memory.remember(&repository);
    assert_eq!(
        memory.decide(&repository),
        Vec::<String>::new(),
        "it was only just cut"
    );
    repository.commit("fast.txt", "fast\n");
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--ff-only", "fast"]);
    memory.decide(&repository);
    assert_eq!(memory.evidence(fast), Some(Landing::Reachable));
}

#[test]
fn a_branch_that_only_follows_its_parent_has_not_landed() {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "--create", "idle"]);
    let idle = memory.remember(&repository);
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    repository.git(&["switch", "--quiet", "idle"]);
    repository.git(&["merge", "--quiet", "--ff-only", "main"]);
    assert_eq!(memory.decide(&repository), Vec::<String>::new());
    assert_eq!(memory.line(idle).state, LineState::Open);
}

#[test]
fn what_landed_by_a_squash_is_common() {
    let (repository, mut memory, _, feature) = feature();
    repository.commit("second.txt", &prose("the second file", 4));
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("README.md", "# App\n\nOther first words.\n");
    repository.git(&["merge", "--quiet", "--squash", "feature"]);
    repository.git(&["commit", "--quiet", "--message", "Add the feature"]);
    let squash = repository.git(&["rev-parse", "HEAD"]);
    let said = memory.decide(&repository);
    assert_eq!(
        said,
        [format!(
            "`feature` was squashed into `main` as {}",
            &squash[..7]
        )]
    );
    assert_eq!(memory.evidence(feature), Some(Landing::PatchId));
    assert!(memory.sees(&repository, feature));
}

#[test]
fn a_squash_with_edits_landed_probably_and_can_be_undone() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--squash", "feature"]);
    let edited = prose("the feature", 9) + "a last sentence was reworded in review\n";
    repository.commit_as("feature.txt", &edited, "Add the feature");
    memory.decide(&repository);
    assert_eq!(memory.evidence(feature), Some(Landing::AddedLines));
    assert_eq!(memory.line(feature).state.as_str(), "probably landed");
    let position = memory.lines.iter().position(|line| line.id == feature);
    let line = &mut memory.lines[position.expect("the line is there")];
    line.state = LineState::Open;
    line.held = true;
    assert_eq!(
        memory.decide(&repository),
        Vec::<String>::new(),
        "a person said no"
    );
}

#[test]
fn half_of_the_lines_are_no_evidence() {
    let (repository, mut memory, _, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("feature.txt", &prose("the feature", 5));
    assert_eq!(memory.decide(&repository), Vec::<String>::new());
    assert_eq!(memory.line(feature).state, LineState::Open);
}

#[test]
fn what_landed_by_cherry_picks_is_common_once_all_of_it_did() {
    let (repository, mut memory, _, feature) = feature();
    let first = repository.git(&["rev-parse", "HEAD"]);
    let second = repository.commit("second.txt", &prose("the second file", 4));
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    repository.git(&["cherry-pick", &second]);
    assert_eq!(
        memory.decide(&repository),
        Vec::<String>::new(),
        "one of two commits"
    );
    repository.git(&["cherry-pick", &first]);
    memory.decide(&repository);
    assert_eq!(memory.evidence(feature), Some(Landing::Commits));
}

#[test]
fn what_a_forge_rebased_is_common_though_the_branch_is_deleted() {
    let (repository, mut memory, _, feature) = feature();
    repository.commit("second.txt", &prose("the second file", 4));
    memory.observe(&repository);
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    repository.git(&["cherry-pick", "main..feature"]);
    repository.git(&["branch", "--quiet", "-D", "feature"]);
    memory.decide(&repository);
    assert_eq!(memory.evidence(feature), Some(Landing::Commits));
}

#[test]
fn a_pull_request_squashed_with_many_edits_landed_probably() {
    let (repository, mut memory, _, feature) = feature();
    memory.pull_requests.insert(feature, 12);
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit_as(
        "feature.txt",
        &prose("all words are others", 9),
        "Add it (#12)",
    );
    memory.decide(&repository);
    assert_eq!(memory.evidence(feature), Some(Landing::PullRequest));
}

#[test]
fn a_branch_that_went_on_after_its_pull_request_is_open() {
    let (repository, mut memory, _, feature) = feature();
    memory.pull_requests.insert(feature, 12);
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit_as(
        "feature.txt",
        &prose("all words are others", 9),
        "Add it (#12)",
    );
    repository.git(&["switch", "--quiet", "feature"]);
    repository.commit("second.txt", &prose("the second file", 4));
    assert_eq!(memory.decide(&repository), Vec::<String>::new());
    assert_eq!(memory.line(feature).state, LineState::Open);
}

#[test]
fn a_remote_branch_deleted_after_a_squash_is_found_in_what_was_fetched() {
    let forge = Repository::with_commit();
    forge.git(&["switch", "--quiet", "--create", "feature"]);
    forge.commit("feature.txt", &prose("the feature", 10));
    forge.git(&["switch", "--quiet", "main"]);
    let clone = forge.clone_to("clone", &[]);
    let mut memory = Memory::new();
    memory.observe(&clone);
    clone.git(&["switch", "--quiet", "feature"]);
    let feature = memory.remember(&clone);
    clone.git(&["switch", "--quiet", "main"]);
    clone.git(&["branch", "--quiet", "-D", "feature"]);
    memory.observe(&clone);
    assert_eq!(
        memory.line(feature).missing,
        None,
        "the remote still has it"
    );
    forge.git(&["merge", "--quiet", "--squash", "feature"]);
    forge.git(&["commit", "--quiet", "--message", "Add the feature"]);
    forge.git(&["branch", "--quiet", "-D", "feature"]);
    clone.git(&["fetch", "--quiet", "--prune"]);
    memory.decide(&clone);
    assert_eq!(
        memory.evidence(feature),
        Some(Landing::PatchId),
        "`main` was fetched and not yet pulled"
    );
}

#[test]
fn stacked_branches_land_one_after_the_other() {
    let (repository, mut memory, main, lower) = feature();
    repository.git(&["switch", "--quiet", "--create", "upper"]);
    repository.commit("upper.txt", &prose("the upper part", 6));
    let upper = memory.remember(&repository);
    assert_eq!(memory.line(upper).parent, Some(lower));
    assert!(memory.sees(&repository, lower) && memory.sees(&repository, main));
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--squash", "feature"]);
    repository.git(&["commit", "--quiet", "--message", "Add the lower part"]);
    memory.decide(&repository);
    assert_eq!(memory.evidence(lower), Some(Landing::PatchId));
    assert_eq!(memory.line(upper).state, LineState::Open);
    // The second pull request shows what the first one has not.
    repository.commit_as(
        "upper.txt",
        &prose("the upper part", 6),
        "Add the upper part",
    );
    memory.decide(&repository);
    assert_eq!(memory.evidence(upper), Some(Landing::PatchId));
    assert!(memory.sees(&repository, upper) && memory.sees(&repository, lower));
}

#[test]
fn a_branch_that_is_gone_for_two_weeks_is_archived_and_comes_back() {
    let (repository, mut memory, _, feature) = feature();
    let tip = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["branch", "--quiet", "-D", "feature"]);
    memory.decide(&repository);
    assert!(memory.line(feature).missing.is_some());
    memory.pass(13);
    assert_eq!(memory.decide(&repository), Vec::<String>::new());
    memory.pass(1);
    assert_eq!(
        memory.decide(&repository),
        ["`feature` is gone since 2023-11-14 and did not land"]
    );
    assert_eq!(memory.line(feature).state, LineState::Archived);
    repository.git(&["switch", "--quiet", "--create", "feature", &tip]);
    assert_eq!(memory.remember(&repository), feature);
    assert_eq!(memory.line(feature).state, LineState::Open);
}

#[test]
fn a_branch_that_goes_on_after_landing_is_a_new_line_which_sees_the_old_one() {
    let (repository, mut memory, main, feature) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--squash", "feature"]);
    repository.git(&["commit", "--quiet", "--message", "Add the feature"]);
    memory.decide(&repository);
    repository.git(&["switch", "--quiet", "feature"]);
    assert_eq!(
        memory.remember(&repository),
        feature,
        "nothing was added yet"
    );
    repository.commit("third.txt", &prose("the third file", 4));
    let on = memory.remember(&repository);
    assert_ne!(on, feature);
    assert!(memory.sees(&repository, feature) && memory.sees(&repository, main));
    repository.git(&["switch", "--quiet", "main"]);
    assert!(memory.sees(&repository, feature) && !memory.sees(&repository, on));
    repository.commit("third.txt", &prose("the third file", 4));
    memory.decide(&repository);
    assert_eq!(memory.evidence(on), Some(Landing::PatchId));
}

#[test]
fn an_interrupted_decision_writes_nothing() {
    let (repository, mut memory, _, _) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    let checkout = memory.observe(&repository);
    let context = LandingContext {
        now: memory.now,
        interrupt: &AtomicBool::new(true),
        pull_requests: &BTreeMap::new(),
    };
    let error = decide(&checkout, &memory.lines, &context).expect_err("the flag is raised");
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

#[test]
fn a_branch_is_compared_again_only_when_something_changed() {
    let (repository, mut memory, _, _) = feature();
    repository.git(&["switch", "--quiet", "main"]);
    repository.commit("other.txt", "meanwhile\n");
    let pull_requests = BTreeMap::new();
    let ask = |memory: &mut Memory, compared: &mut Compared| {
        let checkout = memory.observe(&repository);
        let context = LandingContext {
            now: memory.now,
            interrupt: &AtomicBool::new(false),
            pull_requests: &pull_requests,
        };
        decide_with(&checkout, &memory.lines, &context, compared).expect("history can be read")
    };
    let mut compared = Compared::default();
    assert_eq!(ask(&mut memory, &mut compared), []);
    assert!(compared.is_changed() && compared.left() == 0);

    // No work is allowed from here on: what is known needs none.
    let mut again = Compared::from_bytes(&compared.to_bytes()).limit(0);
    assert_eq!(ask(&mut memory, &mut again), []);
    assert_eq!((again.left(), again.is_changed()), (0, false));

    repository.git(&["merge", "--quiet", "--squash", "feature"]);
    repository.git(&["commit", "--quiet", "--message", "Squash"]);
    assert_eq!(ask(&mut memory, &mut again), []);
    assert_eq!(again.left(), 1, "a line that was not come to is counted");
    let mut whole = Compared::from_bytes(&again.to_bytes());
    assert_eq!(
        ask(&mut memory, &mut whole).len(),
        1,
        "the landing is found"
    );
    assert!(
        whole.to_bytes().is_empty(),
        "what landed is not asked again"
    );
}
