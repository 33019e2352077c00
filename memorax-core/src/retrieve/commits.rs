//! Past commits that did or said something of the kind.

use std::collections::HashSet;

use crate::repo::{CommitSelection, RepositoryView};
use crate::{PastCommit, Result, Signal, Source};

use crate::text::informativeness;

use super::Analysis;

/// Commits that are looked at for each one that is wanted.
const LOOK: usize = 6;
/// Issues and pull requests that are looked at.
const REPORTS: usize = 8;
/// Share of what a query's words say that a message must have.
const SHARE: f32 = 0.4;
/// What words say at most: a longer query asks for more than one message says.
const MOST_ASKED: f32 = 4.0;
/// What the shared words must say at least: more than one rare word does.
const LEAST: f32 = 1.1;
/// Words that say less than this are in the messages of every project.
const INFORMATIVE: f32 = 0.35;

/// Finds at most `limit` commits whose messages speak of what the query speaks of, best first.
///
/// A commit fits that has two fifths of what the query's informative words say, and more than one word's worth of it, or
/// that names an issue of the query or is named by it. Merges never fit: what they brought in does.
pub(super) fn related(
    view: &dyn RepositoryView,
    analysis: &Analysis,
    limit: usize,
) -> Result<Vec<PastCommit>> {
    if limit == 0 || analysis.words.is_empty() {
        return Ok(Vec::new());
    }
    let asked = asked(analysis);
    let wanted: f32 = asked.iter().map(|word| informativeness(word)).sum();
    let hits = view.commits(&CommitSelection::Words(&analysis.words), limit * LOOK)?;
    let reports = view.issues(&analysis.words, REPORTS)?;
    let mut found = Vec::new();
    for hit in hits {
        let commit = hit.commit;
        let issue = analysis.entities.issues.iter().find(|issue| {
            let mut words = commit
                .subject
                .split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '#' | '-')));
            words.any(|word| word == issue.as_str())
        });
        let named = analysis
            .entities
            .commits
            .iter()
            .find(|id| commit.id.starts_with(id.as_str()));
        // What a report says, the commit that settled it need not repeat.
        let report = reports
            .iter()
            .find(|report| report.commits.contains(&hit.age));
        let message = format!("{}\n{}", commit.subject, commit.body);
        let mut words: HashSet<String> = crate::text::words(&message).into_iter().collect();
        words.extend(
            report
                .iter()
                .flat_map(|report| report.words.iter().cloned()),
        );
        let mut shared: Vec<&str> = asked
            .iter()
            .copied()
            .filter(|word| words.contains(*word))
            .collect();
        shared.sort_unstable();
        let fits = says_enough(&shared, wanted);
        if issue.is_none() && named.is_none() && !fits {
            continue;
        }
        let mut detail = match issue.or(named) {
            Some(name) => name.clone(),
            None => shared.join(", "),
        };
        if let Some(report) = report {
            let issue = &report.issue;
            detail = format!("#{} {}; {detail}", issue.number, issue.title);
        }
        let why = vec![Signal::new(Source::History, hit.score, detail)];
        found.push(PastCommit::new(
            commit.id,
            commit.subject,
            commit.at,
            hit.score,
            why,
        ));
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}

/// Says whether somebody reported to the forge what the query speaks of.
pub(super) fn is_reported(view: &dyn RepositoryView, analysis: &Analysis) -> Result<bool> {
    let asked = asked(analysis);
    let wanted: f32 = asked.iter().map(|word| informativeness(word)).sum();
    let reports = view.issues(&analysis.words, 1)?;
    Ok(reports.first().is_some_and(|report| {
        let words = report.words.iter().map(String::as_str);
        let shared: Vec<&str> = words.filter(|word| asked.contains(word)).collect();
        says_enough(&shared, wanted)
    }))
}

/// Returns the words of a query that say something.
fn asked(analysis: &Analysis) -> HashSet<&str> {
    let words = analysis.words.iter().map(|word| word.word.as_str());
    words
        .filter(|word| {
            informativeness(word) >= INFORMATIVE && !word.bytes().all(|byte| byte.is_ascii_digit())
        })
        .collect()
}

/// Says whether shared words are enough of what a query says.
fn says_enough(shared: &[&str], wanted: f32) -> bool {
    let told: f32 = shared.iter().map(|word| informativeness(word)).sum();
    told >= LEAST && told >= SHARE * wanted.min(MOST_ASKED)
}
