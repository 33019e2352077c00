//! Finds commits: by words of their messages, the newest, or those that changed a file.

use super::layout::NONE;
use super::open::View;
use super::search::{bm25, idf};
use crate::repo::history::{Place, Record, hex};
use crate::repo::{CommitHit, CommitSelection, QueryWord};
use crate::{CommitInfo, Result, Timestamp};

/// How much the length of a message counts: the usual value of BM25.
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
        let count = self.order()?.len();
        let average = self.meta.message_words as f32 / (self.meta.messages as f32).max(1.0);
        let mut scores = vec![0.0_f32; count];
        for query in words {
            let found = self.saying(&query.word)?;
            let idf = idf(found.len(), self.meta.messages as usize);
            for (age, times, place) in found {
                let words = self.history[place.segment as usize].length(place.ordinal)?;
                let length = words as f32 / average;
                scores[age as usize] += bm25(query.weight * idf, times as f32, length, B);
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

    /// Returns the commits behind this view whose messages have a word: age, how often, and place.
    pub(super) fn saying(&self, word: &str) -> Result<Vec<(u32, u32, Place)>> {
        let mut found = Vec::new();
        for (number, (segment, ages)) in self.history.iter().zip(self.ages()?).enumerate() {
            let Some(postings) = segment.words.find(&segment.container, word)? else {
                continue;
            };
            postings
                .each(|ordinal, times| {
                    let age = ages.get(ordinal as usize).copied().unwrap_or(NONE);
                    if age != NONE {
                        let place = Place {
                            segment: number as u32,
                            ordinal,
                        };
                        found.push((age, times, place));
                    }
                })
                .ok_or_else(|| segment.container.damage())?;
        }
        Ok(found)
    }

    /// Returns the age of each commit of each segment; [`NONE`] for those that are not behind this view.
    fn ages(&self) -> Result<&[Vec<u32>]> {
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
        let record = self.record_at(place)?;
        Ok(CommitHit {
            age,
            score,
            files: self.list(&self.commit_files, age)?,
            commit: self.describe(record),
        })
    }

    /// Reads the commit that is kept at a place.
    pub(in crate::repo) fn record_at(&self, place: Place) -> Result<Record> {
        self.history[place.segment as usize].record(place.ordinal)
    }

    /// Returns what is told of a commit.
    pub(in crate::repo) fn describe(&self, record: Record) -> CommitInfo {
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
