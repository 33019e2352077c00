//! What brings a lost registry back, and what leaves it: each repository's folder keeps what this installation knows of that
//! repository, and places that no longer exist are dropped.

use std::path::Path;

use super::{Known, Place, Registry};
use crate::{RepositoryId, Timestamp};

/// Milliseconds after which a place that is gone is dropped: long enough for a disk that is seldom connected.
const GONE: i64 = 90 * 24 * 60 * 60 * 1000;

/// A repository that was found again, and was left out because another one says the same of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contested {
    /// The repository that was left out.
    pub id: RepositoryId,
    /// The place or remote that both have.
    pub evidence: String,
    /// The other repository.
    pub other: RepositoryId,
}

impl Registry {
    /// Returns a document of one repository alone: what its own folder keeps.
    pub fn only(&self, id: RepositoryId) -> Option<Self> {
        let mut document = Self::default();
        document.repositories.push(self.get(id)?.clone());
        Some(document)
    }

    /// Adds repositories that were found again. One whose place or remote another repository has too is left out:
    /// nothing tells which of them is the one.
    pub fn join(&mut self, found: Vec<Known>) -> Vec<Contested> {
        let all: Vec<&Known> = self.repositories.iter().chain(&found).collect();
        let contested: Vec<Contested> = found
            .iter()
            .filter_map(|known| contest(known, &all))
            .collect();
        let is_left_out = |known: &Known| contested.iter().any(|other| other.id == known.id);
        let added = found.into_iter().filter(|known| !is_left_out(known));
        for known in added {
            if self.get(known.id).is_none() {
                self.repositories.push(known);
            }
        }
        contested
    }

    /// Notes which places are gone and drops those that were gone for ninety days; returns the dropped ones.
    ///
    /// What joins a folder that was moved stays: remotes, root commits and committed ids, and a place without which the
    /// same folder would not be known again.
    pub fn drop_gone(&mut self, now: Timestamp) -> Vec<String> {
        self.drop_gone_where(now, &|path| !Path::new(path).try_exists().unwrap_or(true))
    }

    fn drop_gone_where(&mut self, now: Timestamp, is_gone: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut dropped = Vec::new();
        for known in &mut self.repositories {
            let (remotes, has_roots) = (known.remotes.clone(), !known.roots.is_empty());
            known.places.retain_mut(|place| {
                if !is_gone(&place.path) {
                    place.gone = None;
                    return true;
                }
                let since = *place.gone.get_or_insert(now);
                let is_long = now.as_millis() - since.as_millis() >= GONE;
                let stays = !is_long || !is_known_without(place, &remotes, has_roots);
                if !stays {
                    dropped.push(place.path.clone());
                }
                stays
            });
        }
        dropped
    }
}

/// Says whether a folder with a place's evidence would be known again without the place.
fn is_known_without(place: &Place, remotes: &[String], has_roots: bool) -> bool {
    let same_remote = place.remotes.iter().any(|remote| remotes.contains(remote));
    same_remote || has_roots && (remotes.is_empty() || place.remotes.is_empty())
}

fn contest(known: &Known, all: &[&Known]) -> Option<Contested> {
    let places = known.places.iter().map(|place| place.path.as_str());
    let evidence: Vec<&str> = places
        .chain(known.remotes.iter().map(String::as_str))
        .collect();
    let others = all.iter().filter(|other| other.id != known.id);
    let mut claims = others.filter_map(|other| {
        let shared = evidence.iter().find(|text| other.has_remote(text))?;
        Some(Contested {
            id: known.id,
            evidence: (*shared).to_owned(),
            other: other.id,
        })
    });
    claims.next()
}

#[cfg(test)]
mod tests {
    use super::super::{Facts, identify};
    use super::*;

    fn met(registry: &Registry, facts: &Facts) -> (Registry, RepositoryId) {
        let decision = identify(registry, facts, &mut |_| false);
        let registry = decision.registry.unwrap_or_else(|| registry.clone());
        (registry, decision.identity.id)
    }

    #[test]
    fn a_place_is_dropped_when_it_was_gone_for_long_and_other_evidence_joins_it() {
        let day = |day: i64| Timestamp::from_millis(day * 24 * 60 * 60 * 1000);
        let mut clone = Facts::new("/src/clone/.git");
        clone.roots = Some(vec!["a".repeat(40)]);
        let (registry, with_root) = met(&Registry::default(), &clone);
        let (mut registry, path_only) = met(&registry, &Facts::new("/src/notes"));
        let gone = |path: &str| path.starts_with("/src");
        assert!(registry.drop_gone_where(day(0), &gone).is_empty());
        assert!(registry.drop_gone_where(day(89), &gone).is_empty());
        // The disk was connected once in between.
        registry.drop_gone_where(day(90), &|path| path == "/src/notes");
        assert!(registry.drop_gone_where(day(100), &gone).is_empty());
        let dropped = registry.drop_gone_where(day(190), &gone);
        assert_eq!(dropped, ["/src/clone/.git"]);
        clone.path = "/moved/clone/.git".to_owned();
        assert_eq!(met(&registry, &clone).1, with_root, "a moved folder joins");
        let notes = Facts::new("/src/notes");
        assert_eq!(met(&registry, &notes).1, path_only, "nothing else tells");
    }

    #[test]
    fn what_was_found_again_joins_unless_two_claim_one_place() {
        let (first, id) = met(&Registry::default(), &Facts::new("/src/app/.git"));
        let (second, other) = met(&Registry::default(), &Facts::new("/src/lib/.git"));
        let mut registry = Registry::default();
        let found = [&first, &second].map(|registry| registry.repositories[0].clone());
        assert!(registry.join(found.to_vec()).is_empty());
        assert_eq!(met(&registry, &Facts::new("/src/lib/.git")).1, other);

        let (rival, third) = met(&Registry::default(), &Facts::new("/src/app/.git"));
        let mut registry = Registry::default();
        let found = [first, rival].map(|registry| registry.repositories[0].clone());
        let contested = registry.join(found.to_vec());
        assert_eq!(
            contested.iter().map(|one| one.id).collect::<Vec<_>>(),
            [id, third]
        );
        assert!(registry.repositories.is_empty(), "{registry:?}");
    }
}
