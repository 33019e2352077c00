//! The judgement: which repository the facts speak of.
//!
//! Strongest first: remotes (`upstream` before `origin`), root commits, the committed id, the path. A common git
//! directory keeps its id whatever happens to its evidence, unless both its remotes and its roots say that another
//! repository stands there now. Two identities are never merged: the evidence is named in a warning instead.

use super::{Facts, Known, Place, Registry};
use crate::{Evidence, Identity, RepositoryId};

/// Something that only a person can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// The project's own file names a repository that is known, but no remote and no root commit agrees.
    /// Is it the same project?
    CommittedId {
        /// The repository that the file names.
        id: RepositoryId,
        /// Where that repository is.
        place: String,
    },
    /// Another history stands where a known repository was, and no remote tells. Is it the same project, begun anew?
    NewHistory {
        /// The repository that was there.
        id: RepositoryId,
        /// The place.
        place: String,
    },
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The identity, its evidence and its warnings.
    pub identity: Identity,
    /// Whether the identity was made now.
    pub is_new: bool,
    /// The registry to write; `None` if nothing in it changed.
    pub registry: Option<Registry>,
}

/// Decides which repository the facts speak of, and what the registry should remember of it.
///
/// `ask` is called for what only a person can decide; where no person is there, it answers `false`.
///
/// ```
/// use memorax_core::repo::{Facts, Registry, identify};
/// let decision = identify(&Registry::default(), &Facts::new("/src/app/.git"), &mut |_| false);
/// assert!(decision.is_new);
/// let registry = decision.registry.expect("a new place is remembered");
/// let again = identify(&registry, &Facts::new("/src/app/.git"), &mut |_| false);
/// assert_eq!(again.identity.id, decision.identity.id);
/// ```
pub fn identify(
    registry: &Registry,
    facts: &Facts,
    ask: &mut dyn FnMut(&Question) -> bool,
) -> Decision {
    let mut warnings = facts.warnings.clone();
    let found = at_place(registry, facts, ask, &mut warnings)
        .or_else(|| by_evidence(registry, facts, ask, &mut warnings));
    let (id, is_new) = match found {
        Some(known) => (known.id, false),
        None => (RepositoryId::new(), true),
    };
    warn_of_others(registry, facts, id, &mut warnings);
    let next = remember(registry, facts, id);
    let mut identity = Identity::new(id, evidence(&next, facts, id));
    if is_new && matches!(identity.evidence.as_slice(), [Evidence::Path(_)]) {
        warnings.push(format!(
            "`{}` is known by its path only: if it is moved, its memories do not follow",
            facts.path
        ));
    }
    identity.warnings = warnings;
    Decision {
        identity,
        is_new,
        registry: (next != *registry).then_some(next),
    }
}

/// Returns the repository of the place, unless another one stands there now.
fn at_place<'a>(
    registry: &'a Registry,
    facts: &Facts,
    ask: &mut dyn FnMut(&Question) -> bool,
    warnings: &mut Vec<String>,
) -> Option<&'a Known> {
    let known = registry.at(&facts.path)?;
    let addresses = facts.addresses();
    let same_remote = addresses.iter().any(|address| known.has_remote(address));
    let other_remote = !known.remotes.is_empty() && !addresses.is_empty() && !same_remote;
    let roots = facts.roots.as_deref().unwrap_or_default();
    let same_root = known.has_root(roots);
    let other_root = !known.roots.is_empty() && !roots.is_empty() && !same_root;
    if same_remote || same_root {
        return Some(known);
    }
    // In the directory that was met, one piece of evidence may change at a time: a moved remote, a rewritten history.
    // In a directory created anew, a single contradiction counts.
    let same_directory = known.places.iter().any(|place| place.is_same(facts));
    if other_remote && (other_root || !same_directory) {
        warnings.push(format!(
            "another repository ({}) stood at `{}` before; its memories stay with it",
            known.id, facts.path
        ));
        return None;
    }
    if !other_root {
        return Some(known);
    }
    let question = Question::NewHistory {
        id: known.id,
        place: facts.path.clone(),
    };
    if ask(&question) {
        return Some(known);
    }
    warnings.push(format!(
        "the history at `{}` is not the one that repository {} had there; its memories stay with it",
        facts.path, known.id
    ));
    None
}

fn by_evidence<'a>(
    registry: &'a Registry,
    facts: &Facts,
    ask: &mut dyn FnMut(&Question) -> bool,
    warnings: &mut Vec<String>,
) -> Option<&'a Known> {
    let addresses = facts.addresses();
    let by_remote = addresses.iter().find_map(|address| {
        let mut having = registry.repositories.iter();
        having.find(|known| known.has_remote(address))
    });
    if by_remote.is_some() {
        return by_remote;
    }
    // A clone of this very path was met before.
    let mut having = registry.repositories.iter();
    let cloned = having.find(|known| known.remotes.contains(&facts.path));
    if cloned.is_some() {
        return cloned;
    }
    let roots = facts.roots.as_deref().unwrap_or_default();
    let mut having = registry.repositories.iter();
    // Equal roots and different remotes are a fork: a project of its own until `upstream` names the other one.
    let by_root = having
        .find(|known| known.has_root(roots) && (known.remotes.is_empty() || addresses.is_empty()));
    if by_root.is_some() {
        return by_root;
    }
    let committed = facts.committed?;
    let named = registry
        .get(committed)
        .or_else(|| by_committed(registry, committed))?;
    let place = named.places.last().map(|place| place.path.clone());
    let question = Question::CommittedId {
        id: named.id,
        place: place.unwrap_or_default(),
    };
    if ask(&question) {
        return Some(named);
    }
    warnings.push(format!(
        "`.memorax/project.toml` names repository {committed}, but no remote and no root commit \
         agrees: this is a repository of its own"
    ));
    None
}

fn by_committed(registry: &Registry, committed: RepositoryId) -> Option<&Known> {
    let mut having = registry.repositories.iter();
    having.find(|known| known.committed.contains(&committed))
}

/// Names the other repositories that the evidence also speaks of.
fn warn_of_others(
    registry: &Registry,
    facts: &Facts,
    id: RepositoryId,
    warnings: &mut Vec<String>,
) {
    let addresses = facts.addresses();
    let roots = facts.roots.as_deref().unwrap_or_default();
    for other in registry.repositories.iter().filter(|known| known.id != id) {
        if let Some(address) = addresses.iter().find(|address| other.has_remote(address)) {
            warnings.push(format!(
                "remote `{address}` is also evidence of repository {}; the two were not merged",
                other.id
            ));
        } else if other.has_root(roots) {
            warnings.push(format!(
                "repository {} has the same root commit and another remote, like a fork: \
                 `git remote add upstream` makes clones share its memories",
                other.id
            ));
        }
    }
}

/// Adds the facts to what is known of `id`. Evidence of another repository is left with that one.
fn remember(registry: &Registry, facts: &Facts, id: RepositoryId) -> Registry {
    let mut next = registry.clone();
    for other in next.repositories.iter_mut().filter(|known| known.id != id) {
        other.places.retain(|place| place.path != facts.path);
    }
    if next.get(id).is_none() {
        next.repositories.push(Known::new(id));
    }
    let (mut of_id, others): (Vec<_>, Vec<_>) = next
        .repositories
        .iter_mut()
        .partition(|known| known.id == id);
    let Some(known) = of_id.first_mut() else {
        return next;
    };
    let addresses = facts.addresses().into_iter().map(str::to_owned).collect();
    match known
        .places
        .iter_mut()
        .find(|place| place.path == facts.path)
    {
        Some(place) => {
            place.born = facts.born.or(place.born);
            place.remotes = addresses;
            place.gone = None;
        }
        None => known.places.push(Place {
            path: facts.path.clone(),
            born: facts.born,
            remotes: addresses,
            gone: None,
        }),
    }
    for address in facts.addresses() {
        if !known.has_remote(address) && !others.iter().any(|other| other.has_remote(address)) {
            known.remotes.push(address.to_owned());
        }
    }
    for root in facts.roots.iter().flatten() {
        if !known.roots.contains(root) {
            known.roots.push(root.clone());
        }
    }
    if let Some(committed) = facts.committed
        && !known.committed.contains(&committed)
        && !others
            .iter()
            .any(|other| other.id == committed || other.committed.contains(&committed))
    {
        known.committed.push(committed);
    }
    next
}

/// Lists the facts that speak for `id`, strongest first.
fn evidence(registry: &Registry, facts: &Facts, id: RepositoryId) -> Vec<Evidence> {
    let Some(known) = registry.get(id) else {
        return Vec::new();
    };
    let remotes = facts
        .addresses()
        .into_iter()
        .filter(|address| known.has_remote(address))
        .map(|address| Evidence::Remote(address.to_owned()));
    let roots = facts.roots.iter().flatten();
    let roots = roots.map(|root| Evidence::RootCommit(root.clone()));
    let committed = facts
        .committed
        .filter(|committed| *committed == id || known.committed.contains(committed))
        .map(|committed| Evidence::CommittedId(committed.to_string()));
    remotes
        .chain(roots)
        .chain(committed)
        .chain([Evidence::Path(facts.path.clone())])
        .collect()
}
