//! Finds commits: by words of their messages, the newest, or those that changed a file.

use super::layout::NONE;
use super::open::View;
use super::search::idf;
use crate::repo::history::{Place, Record, hex};
use crate::repo::{CommitHit, CommitSelection, QueryWord};
use crate::{CommitInfo, Result, Timestamp};

/// The usual values of BM25.
const K1: f32 = 1.2;
const B: f32 = 0.75;

impl View {
    pub(super) fn find_commits(
        &self,
        selection: &CommitSelection<'_>,
        limit: usize,
    ) -> Result<Vec<CommitHit>> {
        let ages: Vec<(u32, f32)> = match *selection {
            CommitSelection::Words(words) => self.rank_commits(words, limit)?,
            CommitSelection::Newest => (0..self.order()?.len().min(limit) as u32)
                .map(|age| (age, 1.0))
                .collect(),
            CommitSelection::Touching(file) => {
                if file as usize >= self.rows.len() {
                    return Ok(Vec::new());
                }
                self.list(&self.touches, file)?
                    .into_iter()
                    .take(limit)
                    .map(|age| (age, 1.0))
                    .collect()
            }
        };
        let order = self.order()?;
        ages.into_iter()
            .filter_map(|(age, score)| order.get(age as usize).map(|place| (age, score, *place)))
            .map(|(age, score, place)| self.hit(age, score, place))
            .collect()
    }

    fn rank_commits(&self, words: &[QueryWord], limit: usize) -> Result<Vec<(u32, f32)>> {
        let ages = self.ages()?;
        let count = self.order()?.len();
        let average = self.meta.message_words as f32 / (self.meta.messages as f32).max(1.0);
        let mut scores = vec![0.0_f32; count];
        for query in words {
            let mut found = Vec::new();
            for (segment, ages) in self.history.iter().zip(ages) {
                let Some(postings) = segment.words.find(&segment.container, &query.word)? else {
                    continue;
                };
                let mut commits = Vec::new();
                postings
                    .each(|ordinal, times| commits.push((ordinal, times)))
                    .ok_or_else(|| segment.container.damage())?;
                for (ordinal, times) in commits {
                    let age = ages.get(ordinal as usize).copied().unwrap_or(NONE);
                    if age != NONE {
                        found.push((age, times as f32, segment.length(ordinal)? as f32));
                    }
                }
            }
            let idf = idf(found.len(), self.meta.messages as usize);
            for (age, times, length) in found {
                let norm = K1 * (1.0 - B + B * length / average);
                scores[age as usize] += query.weight * idf * times * (K1 + 1.0) / (times + norm);
            }
        }
        let mut ranked: Vec<(u32, f32)> = scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .map(|(age, score)| (age as u32, score))
            .collect();
        ranked
            .sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        ranked.truncate(limit);
        Ok(ranked)
    }

    /// Returns the age of each commit of each segment; [`NONE`] for those that are not behind this view.
    pub(super) fn ages(&self) -> Result<&[Vec<u32>]> {
        if let Some(ages) = self.ages.get() {
            return Ok(ages);
        }
        let mut ages: Vec<Vec<u32>> = self
            .history
            .iter()
            .map(|segment| vec![NONE; segment.len()])
            .collect();
        for (age, place) in self.order()?.iter().enumerate() {
            let slot = ages
                .get_mut(place.segment as usize)
                .and_then(|segment| segment.get_mut(place.ordinal as usize))
                .ok_or_else(|| self.container.damage())?;
            *slot = age as u32;
        }
        Ok(self.ages.get_or_init(|| ages))
    }

    fn hit(&self, age: u32, score: f32, place: Place) -> Result<CommitHit> {
        let record = self.history[place.segment as usize].record(place.ordinal)?;
        Ok(CommitHit {
            age,
            score,
            files: self.list(&self.commit_files, age)?,
            commit: self.describe(record),
        })
    }

    fn describe(&self, record: Record) -> CommitInfo {
        let time = |seconds: i64| Timestamp::from_millis(seconds.saturating_mul(1000));
        let at = time(record.authored);
        let mut info = CommitInfo::new(hex(&record.id), record.subject, at);
        info.committed = time(record.committed);
        info.body = record.body;
        info.author = record.author;
        info.paths = record
            .changes
            .into_iter()
            .filter_map(|change| {
                let path = change.path.strip_prefix(&self.meta.prefix)?;
                Some(path.to_owned())
            })
            .collect();
        info
    }
}
