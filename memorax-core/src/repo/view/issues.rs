//! Issues that were read from a forge: found by their words, tied to the commits that name them.

use super::open::View;
use crate::repo::forge::{Issue, Kept};
use crate::repo::history::{hex, numbers_of};
use crate::repo::{IssueHit, QueryWord};
use crate::{Result, StoryIssue};

/// Issues that speak for commits.
const SPEAKERS: usize = 8;
/// How much of the best commit's score the best issue gives to the commits that name it.
const SHARE: f32 = 0.6;
/// Most commits that one issue is tied to: more only mention it.
const TIED: usize = 12;

impl View {
    fn reports(&self) -> Option<&Kept> {
        let open = || self.folder.as_deref().and_then(Kept::open);
        self.issues.get_or_init(open).as_ref()
    }

    pub(super) fn find_issues(&self, words: &[QueryWord], limit: usize) -> Result<Vec<IssueHit>> {
        let Some(kept) = self.reports() else {
            return Ok(Vec::new());
        };
        kept.search(words, limit)?
            .into_iter()
            .map(|found| {
                let issue = &kept.issues[found.issue];
                let mut hit = IssueHit::new(issue.told(), found.score, self.tied(issue)?);
                hit.words = found.words;
                Ok(hit)
            })
            .collect()
    }

    pub(super) fn issue_of(&self, number: u64, request: bool) -> Option<StoryIssue> {
        let kept = self.reports()?;
        let named = || kept.issues.iter().filter(|issue| issue.number == number);
        let found = named()
            .find(|issue| issue.request == request)
            .or_else(|| named().next())?;
        Some(found.told())
    }

    /// Lets the issues that fit speak for the commits that name them: what a report says in its own words, a fix
    /// rarely repeats.
    pub(super) fn add_issues(&self, words: &[QueryWord], scores: &mut [f32]) -> Result<()> {
        let hits = self.find_issues(words, SPEAKERS)?;
        let best = hits.first().map_or(0.0, |hit| hit.score);
        let top = scores.iter().copied().fold(0.0, f32::max);
        let top = if top > 0.0 { top } else { best };
        for hit in hits {
            for age in hit.commits {
                if let Some(score) = scores.get_mut(age as usize) {
                    *score += SHARE * top * hit.score / best;
                }
            }
        }
        Ok(())
    }

    /// Returns the ages of the commits that an issue became or that name it, youngest first.
    fn tied(&self, issue: &Issue) -> Result<Vec<u32>> {
        let mut ages = Vec::new();
        for (age, _, place) in self.saying(&issue.number.to_string())? {
            let record = self.record_at(place)?;
            let names = |text: &str| numbers_of(text).contains(&issue.number);
            if issue.commit.as_deref() == Some(hex(&record.id).as_str())
                || names(&record.subject)
                || names(&record.body)
            {
                ages.push(age);
            }
        }
        ages.sort_unstable();
        ages.dedup();
        ages.truncate(TIED);
        Ok(ages)
    }
}
