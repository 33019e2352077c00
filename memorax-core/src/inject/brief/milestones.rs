//! Milestones: how the project came to be what it is, as a short dated list.

use std::collections::BTreeMap;

use super::fence::safe_cut;
use super::layout::{Line, Place, Section};
use crate::{Milestone, MilestoneKind};

/// Tokens of the whole brief for each line, and fewest and most lines.
const TOKENS_A_LINE: usize = 150;
const FEWEST: usize = 4;
const MOST: usize = 14;
/// Share of the lines that one kind may take.
const SHARE: f32 = 0.5;
/// Longest line, in characters.
const LONGEST: usize = 130;
/// Digits of a commit's id that are printed.
const DIGITS: usize = 8;

/// Tells the weightiest milestones, newest first; kinds take turns where one has too many.
pub(super) fn section(milestones: &[Milestone], budget: usize) -> Option<Section> {
    let most = (budget / TOKENS_A_LINE).clamp(FEWEST, MOST);
    let of_kind = ((most as f32 * SHARE) as usize).max(1);
    let mut ranked: Vec<usize> = (0..milestones.len()).collect();
    ranked.sort_by(|left, right| {
        milestones[*right]
            .weight
            .total_cmp(&milestones[*left].weight)
            .then(left.cmp(right))
    });
    let mut counts: BTreeMap<MilestoneKind, usize> = BTreeMap::new();
    ranked.retain(|at| {
        let count = counts.entry(milestones[*at].kind).or_default();
        *count += 1;
        *count <= of_kind
    });
    ranked.truncate(most);
    ranked.sort_unstable();
    let lines: Vec<Line> = ranked.iter().map(|at| line(&milestones[*at])).collect();
    // The first commit alone tells nothing.
    (lines.len() > 1).then(|| {
        Section::new(
            Place::Milestones,
            "## Milestones of the history, newest first",
            lines,
        )
    })
}

fn line(milestone: &Milestone) -> Line {
    let id: String = milestone.commit.chars().take(DIGITS).collect();
    let request = milestone
        .request
        .map_or_else(String::new, |number| format!(", #{number}"));
    Line::new(format!(
        "- {} {} ({id}{request})",
        milestone.at.date(),
        safe_cut(&milestone.what, LONGEST)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn the_weightiest_are_told_by_date_and_no_kind_crowds_out_the_others() {
        let mut milestones: Vec<Milestone> = (0..10_u8)
            .map(|day| {
                let kind = if day == 7 {
                    MilestoneKind::Moved
                } else {
                    MilestoneKind::Release
                };
                let at = Timestamp::from_millis(i64::from(20 - day) * 86_400_000);
                let mut milestone = Milestone::new(kind, format!("m{day}"), "0123456789", at);
                milestone.weight = 10.0 - f32::from(day);
                milestone
            })
            .collect();
        milestones[7].request = Some(5);
        let section = section(&milestones, 600).expect("there are many");
        let lines: Vec<&str> = section
            .lines
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        assert_eq!(
            lines,
            [
                "- 1970-01-21 m0 (01234567)",
                "- 1970-01-20 m1 (01234567)",
                "- 1970-01-14 m7 (01234567, #5)",
            ]
        );
    }
}
