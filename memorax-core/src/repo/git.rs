//! Where a folder stands in git: its root, its common git directory, what is checked out.
//!
//! Read with `gix`, never with a `git` process. [`Checkout::discover`] reads HEAD and little else, because every recall
//! pays for it; everything else is read when it is asked for.

mod history;
mod names;
mod place;
mod references;
mod remote;

use std::path::{Path, PathBuf};

pub(crate) use history::object_id;
pub use references::{LogEntry, Reference};
pub use remote::{Remote, normalise_address};

use crate::{Error, ErrorKind, Result, Timestamp};

/// File in which a project can name itself.
pub(crate) const PROJECT_FILE: &str = ".memorax/project.toml";

/// What kind of place a checkout is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CheckoutKind {
    /// A folder without git.
    Folder,
    /// A repository without a working tree.
    Bare,
    /// The main working tree of a repository, or of a submodule.
    Main,
    /// A working tree made by `git worktree add`.
    Linked,
}

/// What is checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head {
    /// Full name of the branch that is worked on, also while it is being rebased or bisected; `None` if no branch is.
    pub reference: Option<String>,
    /// Commit that is checked out; `None` before the first commit and without git.
    pub commit: Option<String>,
    /// Whether HEAD names a commit instead of the branch: detached, or in the middle of a rebase or bisection.
    pub detached: bool,
}

/// A folder as git sees it.
///
/// ```
/// use memorax_core::repo::{Checkout, CheckoutKind};
/// # let folder = std::env::temp_dir().join(format!("memorax-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let checkout = Checkout::discover(&folder)?;
/// if checkout.kind() == CheckoutKind::Folder {
///     assert_eq!(checkout.head().reference, None, "a folder without git has no branch");
/// }
/// # std::fs::remove_dir(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Checkout {
    root: PathBuf,
    common: Option<PathBuf>,
    kind: CheckoutKind,
    head: Head,
    repository: Option<gix::Repository>,
    hide: Option<names::Hide>,
}

impl Checkout {
    /// Finds the repository around `path`, which may be a file, or the folder itself where there is none.
    ///
    /// A folder that the repository around it ignores belongs to that repository, unless it names itself in
    /// `.memorax/project.toml`: then it is a folder without git.
    ///
    /// # Errors
    /// `NotFound` where nothing is at `path`; `Io` where the repository cannot be read.
    pub fn discover(path: &Path) -> Result<Self> {
        let folder = place::existing_folder(path)?;
        let Some(repository) = open_around(&folder)? else {
            return Ok(Self::folder(folder));
        };
        let common = place::canonical(repository.common_dir())?;
        let (root, kind) = match repository.workdir() {
            None => (place::canonical(repository.git_dir())?, CheckoutKind::Bare),
            Some(tree) if repository.git_dir() == repository.common_dir() => {
                (place::canonical(tree)?, CheckoutKind::Main)
            }
            Some(tree) => (place::canonical(tree)?, CheckoutKind::Linked),
        };
        if let Some(own) = project_inside(&folder, &root)
            && is_ignored(&repository, &root, &own)
        {
            return Ok(Self::folder(own));
        }
        let head = read_head(&repository)?;
        Ok(Self {
            root,
            common: Some(common),
            kind,
            head,
            repository: Some(repository),
            hide: None,
        })
    }

    fn folder(root: PathBuf) -> Self {
        Self {
            root,
            common: None,
            kind: CheckoutKind::Folder,
            head: Head::default(),
            repository: None,
            hide: None,
        }
    }

    /// Returns the canonical root: of the working tree, of the bare repository, or of the folder without git.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the canonical git directory that all working trees of the repository share; `None` without git.
    pub fn common_directory(&self) -> Option<&Path> {
        self.common.as_deref()
    }

    /// Returns the path that the identity is kept for: the common git directory, or the folder without git.
    /// Written with `/` on every system.
    pub fn place(&self) -> String {
        place::text(self.common.as_deref().unwrap_or(&self.root))
    }

    /// Returns when the place was created, where the file system tells: a hint that another repository stands there now.
    pub fn born(&self) -> Option<Timestamp> {
        place::born(self.common.as_deref().unwrap_or(&self.root))
    }

    /// Returns what kind of place it is.
    pub fn kind(&self) -> CheckoutKind {
        self.kind
    }

    /// Returns what was checked out when the checkout was discovered.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Says whether the history ends early, so that commits without parents are not roots.
    pub fn is_shallow(&self) -> bool {
        self.repository
            .as_ref()
            .is_some_and(|repository| repository.is_shallow().unwrap_or(true))
    }

    /// Says whether the user owns the repository, or listed it in `safe.directory`. What an unowned repository says
    /// about itself, such as its remotes, is no evidence.
    pub fn is_trusted(&self) -> bool {
        self.repository
            .as_ref()
            .is_none_or(|repository| repository.git_dir_trust() == gix::sec::Trust::Full)
    }

    /// Returns the `.git` of a folder that is no repository nevertheless: its HEAD is missing, or the folder that it names is.
    /// Git ignores it, and so do we, but a person should know.
    pub fn unusable_git(&self) -> Option<PathBuf> {
        let git = self.root.join(".git");
        (self.kind == CheckoutKind::Folder && git.symlink_metadata().is_ok()).then_some(git)
    }

    /// Says whether the branches can be read: not where they are stored in the `reftable` format.
    pub fn has_readable_branches(&self) -> bool {
        self.repository
            .as_ref()
            .is_some_and(|repository| !is_reftable(repository))
    }

    /// Returns the open repository; `None` without git.
    pub(crate) fn repository(&self) -> Option<&gix::Repository> {
        self.repository.as_ref()
    }
}

/// Opens the repository around a folder, ignoring `GIT_DIR`: a git hook's environment must not redirect another folder.
fn open_around(folder: &Path) -> Result<Option<gix::Repository>> {
    let mut options = gix::discover::upwards::Options {
        match_ceiling_dir_or_error: false,
        ..Default::default()
    }
    .apply_environment();
    options.match_ceiling_dir_or_error = false;
    let found = gix::ThreadSafeRepository::discover_opts(
        folder,
        options,
        gix::sec::trust::Mapping::default(),
    );
    match found {
        Ok(repository) => {
            let mut repository = repository.to_thread_local();
            // Commits are read again and again by merge bases and walks. The cache grows only with what is read; 32 MB hold
            // some 50,000 commits.
            repository.object_cache_size_if_unset(32 << 20);
            Ok(Some(repository))
        }
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(Error::new(
            ErrorKind::Io,
            format!(
                "cannot open the git repository around `{}`",
                folder.display()
            ),
        )
        .with_source(error)
        .with_hint("git status")),
    }
}

/// Says whether discovery ended without finding a repository, as opposed to finding a broken one.
fn is_absent(error: &gix::Error) -> bool {
    use gix::discover::upwards::Error::{
        NoGitRepository, NoGitRepositoryWithinCeiling, NoGitRepositoryWithinFs,
    };
    error
        .downcast_any_ref::<gix::discover::upwards::Error>()
        .is_some_and(|cause| {
            matches!(
                cause,
                NoGitRepository { .. }
                    | NoGitRepositoryWithinCeiling { .. }
                    | NoGitRepositoryWithinFs { .. }
            )
        })
}

/// Finds the nearest folder from `folder` up to but without `root` that names itself.
fn project_inside(folder: &Path, root: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .take_while(|above| *above != root && above.starts_with(root))
        .find(|above| above.join(PROJECT_FILE).is_file())
        .map(Path::to_path_buf)
}

fn is_ignored(repository: &gix::Repository, root: &Path, folder: &Path) -> bool {
    let Ok(inside) = folder.strip_prefix(root) else {
        return false;
    };
    let Ok(index) = repository.index_or_empty() else {
        return false;
    };
    repository
        .excludes(
            &index,
            None,
            gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped,
        )
        .ok()
        .and_then(|mut stack| {
            let entry = stack
                .at_path(inside, Some(gix::index::entry::Mode::DIR))
                .ok()?;
            Some(entry.is_excluded())
        })
        .unwrap_or(false)
}

fn is_reftable(repository: &gix::Repository) -> bool {
    repository
        .config_snapshot()
        .string("extensions.refStorage")
        .is_some_and(|format| format.starts_with(b"reftable"))
}

fn read_head(repository: &gix::Repository) -> Result<Head> {
    let head = match repository.head() {
        Ok(head) => head,
        // Such a repository has no branches for us: its memories hold for all of it.
        Err(_) if is_reftable(repository) => return Ok(Head::default()),
        Err(error) => {
            let message = format!("cannot read HEAD of `{}`", repository.git_dir().display());
            return Err(Error::new(ErrorKind::Io, message)
                .with_source(error)
                .with_hint("git status"));
        }
    };
    let detached = head.is_detached();
    let reference = if detached {
        branch_in_progress(repository.git_dir())
    } else {
        head.referent_name().map(|name| name.as_bstr().to_string())
    };
    Ok(Head {
        reference,
        commit: head.id().map(|id| id.to_hex().to_string()),
        detached,
    })
}

/// Reads which branch git will come back to: HEAD is detached during a rebase or a bisection, but the work is that
/// branch's.
fn branch_in_progress(git_directory: &Path) -> Option<String> {
    let read = |name: &str| std::fs::read_to_string(git_directory.join(name)).ok();
    let rebased = read("rebase-merge/head-name")
        .or_else(|| read("rebase-apply/head-name"))
        .map(|name| name.trim().to_owned())
        .filter(|name| name.starts_with("refs/heads/"));
    rebased.or_else(|| {
        // Bisection stores the short name, or the commit if HEAD was detached before.
        let start = read("BISECT_START")?.trim().to_owned();
        let is_commit = start.len() >= 40 && start.bytes().all(|byte| byte.is_ascii_hexdigit());
        (!start.is_empty() && !is_commit).then(|| format!("refs/heads/{start}"))
    })
}
