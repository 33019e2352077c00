//! Which repository a folder is, in the usual cases and in the accidental and hostile ones.

use std::path::Path;

use memorax_core::repo::{
    Checkout, CheckoutKind, Decision, Facts, Question, Registry, Remote, identify,
};
use memorax_core::{ErrorKind, Evidence, Identity, RepositoryId, Timestamp};

use crate::fixture::Repository;

/// What the engine keeps: the registry, written after every decision as bytes.
#[derive(Default)]
struct Home {
    bytes: Vec<u8>,
    questions: Vec<Question>,
    answer: bool,
}

impl Home {
    fn registry(&self) -> Registry {
        Registry::from_bytes(&self.bytes).expect("the registry was written here")
    }

    fn decide(&mut self, facts: &Facts) -> Decision {
        let registry = self.registry();
        let decision = identify(&registry, facts, &mut |question| {
            self.questions.push(question.clone());
            self.answer
        });
        if let Some(registry) = &decision.registry {
            self.bytes = registry.to_bytes();
        }
        let again = identify(&self.registry(), facts, &mut |_| self.answer);
        assert_eq!(again.identity.id, decision.identity.id, "an identity stays");
        assert_eq!(
            again.registry, None,
            "what was written is not written again"
        );
        assert_eq!(
            self.registry().known(facts),
            Some(decision.identity.id),
            "the next look-up is quick"
        );
        decision
    }

    fn meet(&mut self, repository: &Repository) -> Identity {
        self.meet_path(&repository.path)
    }

    fn meet_path(&mut self, path: &Path) -> Identity {
        let checkout = Checkout::discover(path).expect("the folder can be read");
        let facts = Facts::read(&checkout).expect("the history can be read");
        let quick = Facts::quick(&checkout);
        let identity = self.decide(&facts).identity;
        assert_eq!(self.registry().known(&quick), Some(identity.id));
        identity
    }
}

fn with_origin(address: &str) -> Repository {
    let repository = Repository::with_commit();
    repository.git(&["remote", "add", "origin", address]);
    repository
}

/// Facts about a repository with commits, as if read from disk.
fn facts(path: &str, remotes: &[(&str, &str)], root: &str) -> Facts {
    let mut facts = Facts::new(path);
    let remotes = remotes.iter();
    facts.remotes = remotes
        .map(|(name, address)| Remote::new(*name, *address))
        .collect();
    facts.roots = Some(vec![root.to_owned()]);
    facts
}

#[test]
fn clones_of_one_remote_share() {
    let mut home = Home::default();
    let one = with_origin("git@example.org:team/app.git");
    let first = home.meet(&one);
    let other = with_origin("https://ada:secret@Example.org/team/app");
    other.commit("different.txt", "a history of its own\n");
    let second = home.meet(&other);
    assert_eq!(first.id, second.id);
    assert_eq!(
        second.evidence[0],
        Evidence::Remote("example.org/team/app".to_owned())
    );
    assert!(!String::from_utf8_lossy(&home.bytes).contains("secret"));
}

#[test]
fn a_clone_of_a_path_shares_with_what_it_was_cloned_from_in_either_order() {
    let original = Repository::with_commit();
    let clone = original.clone_to("clone", &[]);
    let mut home = Home::default();
    assert_eq!(home.meet(&original).id, home.meet(&clone).id);
    let mut home = Home::default();
    assert_eq!(home.meet(&clone).id, home.meet(&original).id);
}

#[test]
fn a_fork_shares_once_upstream_names_the_project() {
    let mut home = Home::default();
    let project = home.decide(&facts("/app/.git", &[("origin", "host/team/app")], "root"));
    let fork = home.decide(&facts("/fork/.git", &[("origin", "host/ada/app")], "root"));
    assert_ne!(
        project.identity.id, fork.identity.id,
        "other remote, other project"
    );
    assert!(
        fork.identity.warnings[0].contains("git remote add upstream"),
        "{:?}",
        fork.identity.warnings
    );
    let remotes = [("upstream", "host/team/app"), ("origin", "host/bob/app")];
    let named = home.decide(&facts("/bob/.git", &remotes, "root"));
    assert_eq!(named.identity.id, project.identity.id);
}

#[test]
fn adding_upstream_later_merges_nothing_and_says_so() {
    let mut home = Home::default();
    let project = home.decide(&facts("/app/.git", &[("origin", "host/team/app")], "root"));
    let fork = home.decide(&facts("/fork/.git", &[("origin", "host/ada/app")], "root"));
    let remotes = [("upstream", "host/team/app"), ("origin", "host/ada/app")];
    let later = home.decide(&facts("/fork/.git", &remotes, "root"));
    assert_eq!(later.identity.id, fork.identity.id);
    assert_eq!(
        later.identity.warnings,
        [format!(
            "remote `host/team/app` is also evidence of repository {}; the two were not merged",
            project.identity.id
        )]
    );
    assert_eq!(
        home.decide(&facts("/app/.git", &[("origin", "host/team/app")], "root"))
            .identity
            .id,
        project.identity.id
    );
}

#[test]
fn remotes_that_many_projects_have_in_common_are_no_evidence() {
    let mut home = Home::default();
    let template = ("template", "host/team/template");
    let one = [("origin", "host/team/one"), template];
    let two = [("origin", "host/team/two"), template];
    let one = home.decide(&facts("/one/.git", &one, "root of one"));
    let two = home.decide(&facts("/two/.git", &two, "root of two"));
    assert_ne!(one.identity.id, two.identity.id);
}

#[test]
fn a_copy_of_a_template_without_its_history_is_a_project_of_its_own() {
    let template = with_origin("https://example.org/team/template");
    let mut home = Home::default();
    let id = home.meet(&template).id;
    template.commit(".memorax/project.toml", &format!("id = \"{id}\"\n"));
    home.meet(&template);
    let copy = template.clone_to("copy", &[]);
    std::fs::remove_dir_all(copy.path.join(".git")).expect("the clone is ours");
    copy.git(&["init", "--quiet", "."]);
    copy.git(&["add", "--all"]);
    copy.git(&["commit", "--quiet", "--message", "Begin anew"]);
    let identity = home.meet(&copy);
    assert_ne!(identity.id, id);
    assert!(identity.warnings[0].contains("no remote and no root commit agrees"));
}

#[test]
fn a_hostile_clone_that_names_your_project_gets_nothing_without_a_yes() {
    let mut home = Home::default();
    let mine = home.decide(&facts(
        "/mine/.git",
        &[("origin", "host/me/secret")],
        "mine",
    ));
    let mut hostile = facts("/evil/.git", &[("origin", "host/evil/game")], "evil");
    hostile.committed = Some(mine.identity.id);
    let refused = home.decide(&hostile);
    assert!(refused.is_new);
    assert_ne!(refused.identity.id, mine.identity.id);
    assert_eq!(
        home.questions,
        [Question::CommittedId {
            id: mine.identity.id,
            place: "/mine/.git".to_owned()
        }]
    );
    hostile.path = "/moved/.git".to_owned();
    hostile.remotes[0].address = "host/me/new-address".to_owned();
    hostile.roots = None;
    home.answer = true;
    assert_eq!(
        home.decide(&hostile).identity.id,
        mine.identity.id,
        "a person said yes"
    );
}

#[test]
fn an_unclaimed_committed_id_is_not_taken_over() {
    let mut home = Home::default();
    let claimed = RepositoryId::new();
    let mut first = facts("/evil/.git", &[("origin", "host/evil/game")], "evil");
    first.committed = Some(claimed);
    assert_ne!(home.decide(&first).identity.id, claimed);
    let mut second = facts("/mine/.git", &[("origin", "host/me/secret")], "mine");
    second.committed = Some(claimed);
    let mine = home.decide(&second);
    assert!(mine.is_new, "who came first does not own the id");
}

#[test]
fn a_shallow_clone_is_known_by_its_remote_and_never_by_where_it_was_cut() {
    let full = with_origin("https://example.org/team/app");
    full.commit("second.txt", "second\n");
    let shallow = full.clone_to("shallow", &["--depth", "1"]);
    let checkout = shallow.checkout();
    let read = Facts::read(&checkout).expect("the history can be read");
    assert_eq!(read.roots, None, "the commit it was cut at is no root");
    let mut home = Home::default();
    let id = home.meet(&full).id;
    shallow.git(&["remote", "set-url", "origin", "git@example.org:team/app"]);
    assert_eq!(home.meet(&shallow).id, id);
}

#[test]
fn a_moved_folder_is_known_by_its_remote_or_its_root() {
    for remote in [None, Some("https://example.org/team/app")] {
        let repository = Repository::with_commit();
        if let Some(remote) = remote {
            repository.git(&["remote", "add", "origin", remote]);
        }
        let mut home = Home::default();
        let id = home.meet(&repository).id;
        let moved = repository.beside("moved");
        std::fs::rename(&repository.path, &moved).expect("the folder is ours");
        assert_eq!(home.meet_path(&moved).id, id);
    }
}

#[test]
fn a_moved_folder_without_evidence_is_new_and_was_warned_of() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    std::fs::create_dir(&here).expect("the temporary folder is writable");
    let mut home = Home::default();
    let first = home.meet_path(&here);
    assert!(first.warnings[0].contains("known by its path only"));
    std::fs::rename(&here, &there).expect("the folder is ours");
    assert_ne!(home.meet_path(&there).id, first.id);
}

#[test]
fn a_changed_remote_keeps_the_id_and_the_old_address() {
    let repository = with_origin("https://old.example.org/team/app");
    let mut home = Home::default();
    let id = home.meet(&repository).id;
    repository.git(&["remote", "set-url", "origin", "https://new.example.org/app"]);
    assert_eq!(home.meet(&repository).id, id);
    let old = home.decide(&facts(
        "/other/.git",
        &[("origin", "old.example.org/team/app")],
        "x",
    ));
    assert_eq!(
        old.identity.id, id,
        "clones that still have the old address are found"
    );
}

#[test]
fn another_repository_at_a_known_place_is_another_repository() {
    let mut home = Home::default();
    let mut first = facts("/src/app/.git", &[("origin", "host/team/one")], "one");
    first.born = Some(Timestamp::from_millis(1));
    let first = home.decide(&first);
    let mut second = facts("/src/app/.git", &[("origin", "host/team/two")], "two");
    second.born = Some(Timestamp::from_millis(2));
    assert_eq!(
        home.registry().known(&second),
        None,
        "the quick look-up notices"
    );
    let second = home.decide(&second);
    assert_ne!(first.identity.id, second.identity.id);
    let back = home.decide(&facts("/else/.git", &[("origin", "host/team/one")], "one"));
    assert_eq!(
        back.identity.id, first.identity.id,
        "its memories are still its own"
    );
}

#[test]
fn another_shallow_clone_at_a_known_place_is_another_repository() {
    let mut home = Home::default();
    let mut first = facts("/src/app/.git", &[("origin", "host/team/one")], "one");
    first.born = Some(Timestamp::from_millis(1));
    let first = home.decide(&first);
    let mut second = Facts::new("/src/app/.git");
    second.remotes = vec![Remote::new("origin", "host/team/two")];
    second.born = Some(Timestamp::from_millis(2));
    assert_ne!(home.decide(&second).identity.id, first.identity.id);
}

#[test]
fn a_history_begun_anew_needs_a_yes_to_keep_the_memory() {
    let mut home = Home::default();
    let first = home.decide(&facts("/scratch/.git", &[], "one"));
    home.answer = true;
    let kept = home.decide(&facts("/scratch/.git", &[], "two"));
    assert_eq!(kept.identity.id, first.identity.id);
    home.answer = false;
    let new = home.decide(&facts("/scratch/.git", &[], "three"));
    assert_ne!(new.identity.id, first.identity.id);
    assert_eq!(home.questions.len(), 2);
}

#[test]
fn a_rewritten_history_keeps_the_id() {
    let mut home = Home::default();
    let origin = [("origin", "host/team/app")];
    let first = home.decide(&facts("/app/.git", &origin, "one"));
    let rewritten = home.decide(&facts("/app/.git", &origin, "two"));
    assert_eq!(first.identity.id, rewritten.identity.id);
}

#[test]
fn an_empty_repository_keeps_its_id_when_it_gets_commits_and_a_remote() {
    let repository = Repository::new();
    let mut home = Home::default();
    let id = home.meet(&repository).id;
    repository.commit("README.md", "# App\n");
    assert_eq!(home.meet(&repository).id, id);
    repository.git(&["remote", "add", "origin", "https://example.org/team/app"]);
    assert_eq!(home.meet(&repository).id, id);
    let clone = with_origin("https://example.org/team/app");
    assert_eq!(home.meet(&clone).id, id);
}

#[test]
fn working_trees_share() {
    let repository = Repository::with_commit();
    let mut home = Home::default();
    let id = home.meet(&repository).id;
    let path = repository.beside("tree");
    let path = path.to_str().expect("temporary folders have plain names");
    repository.git(&["worktree", "add", "--quiet", path]);
    let tree = repository.at("tree");
    let checkout = tree.checkout();
    assert_eq!(checkout.kind(), CheckoutKind::Linked);
    assert_eq!(checkout.place(), repository.checkout().place());
    assert_eq!(home.meet(&tree).id, id);
}

#[test]
fn a_bare_repository_and_its_clone_share() {
    let repository = Repository::with_commit();
    let bare = repository.clone_to("bare.git", &["--bare"]);
    assert_eq!(bare.checkout().kind(), CheckoutKind::Bare);
    assert_eq!(
        bare.checkout().head().reference.as_deref(),
        Some("refs/heads/main")
    );
    let mut home = Home::default();
    let id = home.meet(&bare).id;
    assert_eq!(home.meet(&bare.clone_to("work", &[])).id, id);
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let library = Repository::with_commit();
    library.commit("lib.txt", "a library\n");
    let app = library.at("app");
    std::fs::create_dir(&app.path).expect("the temporary folder is writable");
    app.git(&["init", "--quiet", "."]);
    app.commit("app.txt", "an application\n");
    let source = library
        .path
        .to_str()
        .expect("temporary folders have plain names");
    app.git(&["submodule", "--quiet", "add", source, "lib"]);
    app.git(&["commit", "--quiet", "--message", "Add the library"]);
    let mut home = Home::default();
    let of_app = home.meet(&app).id;
    let of_module = home.meet_path(&app.path.join("lib")).id;
    assert_ne!(of_app, of_module);
    assert_eq!(
        home.meet(&library).id,
        of_module,
        "it is the library, wherever it stands"
    );
}

#[test]
fn sub_folders_files_and_git_folders_are_of_the_repository_around_them() {
    let repository = Repository::with_commit();
    repository.commit("web/ünï côde/app.ts", "export {}\n");
    let root = repository.checkout().root().to_path_buf();
    for inside in ["web", "web/ünï côde", "README.md", ".git", ".git/hooks"] {
        let path = repository.path.join(inside);
        std::fs::create_dir_all(&path).ok();
        let checkout = Checkout::discover(&path).expect("the folder can be read");
        assert_eq!(checkout.root(), root, "{inside}");
        assert_eq!(checkout.kind(), CheckoutKind::Main, "{inside}");
    }
}

#[test]
fn an_ignored_folder_is_of_the_repository_around_it_unless_it_names_itself() {
    let repository = Repository::with_commit();
    repository.commit(".gitignore", "/build/\n/lab/\n");
    repository.write("build/out.o", "");
    repository.write("lab/game/src/main.rs", "");
    let root = repository.checkout().root().to_path_buf();
    let build = Checkout::discover(&repository.path.join("build")).expect("can be read");
    assert_eq!(build.root(), root, "builds run inside ignored folders");
    repository.write("lab/game/.memorax/project.toml", "");
    let game = Checkout::discover(&repository.path.join("lab/game/src")).expect("can be read");
    assert_eq!(game.kind(), CheckoutKind::Folder);
    assert_eq!(game.root(), root.join("lab").join("game"));
    repository.write("web/.memorax/project.toml", "");
    let web = Checkout::discover(&repository.path.join("web")).expect("can be read");
    assert_eq!(web.root(), root, "a part of a repository is a path in it");
}

#[test]
fn a_repository_whose_branches_cannot_be_read_is_known_by_its_remote() {
    let repository = Repository::with_commit();
    repository.git(&["remote", "add", "origin", "https://example.org/team/app"]);
    repository.git(&["config", "core.repositoryFormatVersion", "1"]);
    repository.git(&["config", "extensions.refStorage", "files"]);
    let id = Home::default().meet(&repository);
    assert_eq!(id.warnings, Vec::<String>::new());
    // What git writes into such a repository for programs that do not know the format.
    let config = repository.path.join(".git/config");
    let text = std::fs::read_to_string(&config).expect("git wrote it");
    std::fs::write(&config, text.replace("= files", "= reftable")).expect("it is ours");
    std::fs::write(
        repository.path.join(".git/HEAD"),
        "ref: refs/heads/.invalid\n",
    )
    .expect("it is ours");
    let identity = Home::default().meet(&repository);
    assert_eq!(
        identity.evidence[0],
        Evidence::Remote("example.org/team/app".to_owned())
    );
    assert!(identity.warnings[0].contains("reftable"));
}

#[test]
fn what_is_not_there_is_not_found() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let error = Checkout::discover(&folder.path().join("nowhere")).expect_err("is not there");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn a_project_file_that_cannot_be_read_is_warned_of() {
    let repository = with_origin("https://example.org/team/app");
    repository.write(".memorax/project.toml", "id = \"not an id\"\n");
    let identity = Home::default().meet(&repository);
    assert_eq!(
        identity.warnings,
        ["`.memorax/project.toml`: `not an id` is not an id"]
    );
}

#[test]
fn a_registry_of_a_newer_program_is_refused() {
    let error = Registry::from_bytes(br#"{"version": 99, "what": 1}"#).expect_err("is newer");
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    let error = Registry::from_bytes(b"{").expect_err("is cut off");
    assert_eq!(error.kind(), ErrorKind::Corrupted);
}
