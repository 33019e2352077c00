//! What history says about files: past commits vote for what they changed, files that change together vouch for
//! each other.

use crate::Result;
use crate::repo::{CommitSelection, QueryWord, RepositoryView};

/// Commits that vote; research on five histories used 40 throughout.
const VOTERS: usize = 40;
/// Age in commits at which a vote counts 1/e.
const VOTE_AGE: f32 = 600.0;
/// Commits with more files say nothing about which files belong to what they say, or together.
const MOST_FILES: usize = 30;
/// Commits of one seed that are looked at, newest first.
const SEED_COMMITS: usize = 200;

/// Votes of commits for files.
#[derive(Debug, Default)]
pub(super) struct Votes {
    /// Sum of votes by file.
    pub(super) plain: Vec<f32>,
    /// Sum of votes by file, each decayed by its age.
    pub(super) decayed: Vec<f32>,
    /// The commit with the greatest decayed vote, by file: abbreviated id and subject.
    pub(super) best: Vec<Option<(f32, String)>>,
}

/// Lets the commits whose messages fit vote: `(s / smax)^2 / sqrt(files)`.
pub(super) fn votes(
    view: &dyn RepositoryView,
    words: &[QueryWord],
    ignored: &[bool],
) -> Result<Votes> {
    let mut votes = Votes {
        plain: vec![0.0; ignored.len()],
        decayed: vec![0.0; ignored.len()],
        best: vec![None; ignored.len()],
    };
    if words.is_empty() {
        return Ok(votes);
    }
    let mut hits = view.commits(&CommitSelection::Words(words), VOTERS + VOTERS / 2)?;
    hits.retain(|hit| hit.commit.paths.len().max(hit.files.len()) <= MOST_FILES);
    hits.truncate(VOTERS);
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    for hit in &hits {
        let files: Vec<usize> = hit
            .files
            .iter()
            .map(|file| *file as usize)
            .filter(|file| ignored.get(*file) == Some(&false))
            .collect();
        if best <= 0.0 || files.is_empty() {
            continue;
        }
        let vote = (hit.score / best).powi(2) / (files.len() as f32).sqrt();
        let decayed = vote * (-(hit.age as f32) / VOTE_AGE).exp();
        for file in files {
            votes.plain[file] += vote;
            votes.decayed[file] += decayed;
            let slot = &mut votes.best[file];
            if slot.as_ref().is_none_or(|(score, _)| decayed > *score) {
                let id: String = hit.commit.id.chars().take(8).collect();
                *slot = Some((decayed, format!("{id} {}", hit.commit.subject)));
            }
        }
    }
    Ok(votes)
}

/// Scores files by how often they changed together with the seeds: `P(f | seed) = c / (n + 2)`, a pair in a commit of
/// k files counting `1 / log2(1 + k)`; the k-th seed counts `1 / k`.
pub(super) fn cochange(
    view: &dyn RepositoryView,
    seeds: &[usize],
    ignored: &[bool],
) -> Result<Vec<(f32, Option<usize>)>> {
    let mut scores = vec![(0.0, None); ignored.len()];
    for (place, &seed) in seeds.iter().enumerate() {
        let Ok(file) = u32::try_from(seed) else {
            continue;
        };
        let hits = view.commits(&CommitSelection::Touching(file), SEED_COMMITS)?;
        let mut together = std::collections::BTreeMap::<usize, f32>::new();
        for hit in &hits {
            let width = hit.commit.paths.len().max(hit.files.len());
            if !(2..=MOST_FILES).contains(&width) {
                continue;
            }
            for other in hit.files.iter().map(|other| *other as usize) {
                if other != seed && ignored.get(other) == Some(&false) {
                    *together.entry(other).or_default() += 1.0 / (1.0 + width as f32).log2();
                }
            }
        }
        for (other, count) in together {
            let (score, from) = &mut scores[other];
            let part = count / (hits.len() as f32 + 2.0) / (1.0 + place as f32);
            if from.is_none() {
                *from = Some(seed);
            }
            *score += part;
        }
    }
    Ok(scores)
}
