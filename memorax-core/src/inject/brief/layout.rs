//! Fitting sections into a budget: each has its share, and what one leaves the others may take.

use super::{Brief, fence};
use crate::{MemoryId, tokens_of};

/// Sections in the order in which they are read, with their share of the budget in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    About,
    Entries,
    Map,
    Commands,
    Rules,
    Conventions,
    CommitStyle,
    Decisions,
    Rejections,
    Preferences,
    Failures,
    Progress,
    HotSpots,
    Direction,
    Milestones,
}

impl Place {
    fn share(self) -> usize {
        match self {
            Self::Map => 22,
            Self::Commands => 10,
            Self::Entries | Self::Decisions => 9,
            Self::About | Self::Rejections => 8,
            Self::Direction => 7,
            Self::Rules | Self::Conventions => 6,
            Self::Milestones => 5,
            Self::Progress | Self::HotSpots => 4,
            Self::Preferences | Self::Failures => 3,
            Self::CommitStyle => 2,
        }
    }
}

/// A heading and lines, the most important first.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) place: Place,
    pub(super) heading: String,
    pub(super) lines: Vec<Line>,
}

/// One line of a brief, and the memory that it tells.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) memory: Option<MemoryId>,
}

impl Line {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            memory: None,
        }
    }
}

impl Section {
    pub(super) fn new(place: Place, heading: impl Into<String>, lines: Vec<Line>) -> Self {
        Self {
            place,
            heading: heading.into(),
            lines,
        }
    }

    /// Tokens of the heading, or of the line at `index`; the newline counts.
    fn cost(&self, index: usize) -> usize {
        let heading = if index == 0 {
            tokens_of(&self.heading) + 1
        } else {
            0
        };
        heading + tokens_of(&self.lines[index].text) + 1
    }
}

/// Takes lines by share, then gives what is left line by line to the sections in their order.
pub(super) fn fit(sections: &[Section], budget: usize) -> Brief {
    let Some(available) = budget.checked_sub(fence::cost()) else {
        return Brief::default();
    };
    let mut left = available;
    let mut taken = vec![0; sections.len()];
    for (section, taken) in sections.iter().zip(&mut taken) {
        let mut share = available * section.place.share() / 100;
        while *taken < section.lines.len() {
            let cost = section.cost(*taken);
            if cost > share.min(left) {
                break;
            }
            share -= cost;
            left -= cost;
            *taken += 1;
        }
    }
    let mut grew = true;
    while grew {
        grew = false;
        for (section, taken) in sections.iter().zip(&mut taken) {
            if *taken < section.lines.len() && section.cost(*taken) <= left {
                left -= section.cost(*taken);
                *taken += 1;
                grew = true;
            }
        }
    }
    write(sections, &taken)
}

fn write(sections: &[Section], taken: &[usize]) -> Brief {
    let mut body = String::new();
    let mut memories = Vec::new();
    for (section, taken) in sections.iter().zip(taken).filter(|(_, taken)| **taken > 0) {
        if !section.heading.is_empty() {
            body.push_str(&section.heading);
            body.push('\n');
        }
        for line in &section.lines[..*taken] {
            body.push_str(&line.text);
            body.push('\n');
            memories.extend(line.memory);
        }
    }
    if body.is_empty() {
        return Brief::default();
    }
    let text = fence::around(&body);
    Brief {
        tokens: tokens_of(&text),
        text,
        memories,
    }
}
