//! What happened: the story of a place, and milestones.

use std::io;

use memorax_core::{Milestone, PlaceState, Story, StoryCommit, StoryEvent, StoryIssue};

use super::phrase::{commit, count, one_line, short};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Lists milestones, newest first.
pub(crate) fn milestones(page: &mut Page<'_>, milestones: &[Milestone]) -> io::Result<()> {
    let mut table = Table::new(0);
    for milestone in milestones {
        let request = milestone
            .request
            .map_or_else(String::new, |number| format!(" (#{number})"));
        table.row([
            Cell::new(Tone::Faint, milestone.at.date()),
            Cell::new(Tone::Faint, commit(&milestone.commit)),
            Cell::new(Tone::Accent, milestone.kind.as_str().replace('_', " ")),
            Cell::plain(format!("{}{request}", milestone.what)),
        ]);
    }
    table.write(page)
}

/// Tells the story of a place.
pub(crate) fn story(page: &mut Page<'_>, story: &Story) -> io::Result<()> {
    let name = match &story.symbol {
        Some(symbol) => format!("{symbol} in {}", story.path),
        None => story.path.clone(),
    };
    let title = page.tone(Tone::Strong, one_line(&name)).to_string();
    let state = match story.state {
        PlaceState::Alive => String::new(),
        PlaceState::Moved => format!(", which `{}` is called now", one_line(&story.asked)),
        PlaceState::Gone => ", which is gone".to_owned(),
        other => format!(", {other}"),
    };
    page.line(format_args!("{title} ({}{state})", story.kind))?;
    let mut table = Table::new(2);
    if let Some(born) = &story.born {
        table.pair("born", brief_of(born));
    }
    if !story.former.is_empty() {
        table.pair("before", story.former.join(", "));
    }
    if let Some(last) = &story.last {
        let label = match story.state {
            PlaceState::Gone => "gone",
            _ => "last",
        };
        table.pair(label, brief_of(last));
    }
    table.pair(
        "changed",
        format!(
            "by {}, {} in the last year of the history",
            count(story.changes, "commit", "commits"),
            story.lately
        ),
    );
    let people: Vec<String> = story
        .people
        .iter()
        .map(|person| format!("{} ({})", person.name, person.commits))
        .collect();
    if !people.is_empty() {
        table.pair("known by", people.join(", "));
    }
    let companions: Vec<String> = story
        .companions
        .iter()
        .map(|companion| format!("{} ({})", companion.path, companion.together))
        .collect();
    if !companions.is_empty() {
        table.pair("changes with", companions.join(", "));
    }
    table.write(page)?;
    if !story.commits.is_empty() {
        page.gap()?;
        page.heading("Commits that mattered")?;
    }
    for told in &story.commits {
        tell(page, told)?;
    }
    if !story.memories.is_empty() {
        page.gap()?;
        page.heading("Memories about it")?;
        let mut table = Table::new(2);
        for memory in &story.memories {
            table.row([
                Cell::new(Tone::Faint, short(memory.id)),
                Cell::new(Tone::Accent, memory.kind.as_str()),
                Cell::plain(&memory.title),
            ]);
        }
        table.write(page)?;
    }
    for note in &story.notes {
        page.gap()?;
        let note = page.tone(Tone::Faint, one_line(note)).to_string();
        page.line(note)?;
    }
    Ok(())
}

fn brief_of(told: &StoryCommit) -> String {
    format!(
        "{} {} {} ({})",
        told.at.date(),
        commit(&told.id),
        one_line(&told.subject),
        told.author
    )
}

fn tell(page: &mut Page<'_>, told: &StoryCommit) -> io::Result<()> {
    let date = page.tone(Tone::Faint, told.at.date()).to_string();
    let id = page.tone(Tone::Faint, commit(&told.id)).to_string();
    let event = match (told.event, &told.from) {
        (StoryEvent::Changed, _) => String::new(),
        (event, Some(from)) => format!(" [{event} from {}]", one_line(from)),
        (event, None) => format!(" [{event}]"),
    };
    let event = page.tone(Tone::Accent, event).to_string();
    page.line(format_args!(
        "  {date}  {id}  {}{event}",
        one_line(&told.subject)
    ))?;
    let mut facts = vec![one_line(&told.author), count(told.files, "file", "files")];
    facts.extend(told.request.iter().map(issue));
    facts.extend(told.issues.iter().map(issue));
    facts.extend(told.people.iter().map(|person| one_line(person)));
    if let Some(by) = &told.reverted {
        facts.push(format!("taken back by {}", commit(by)));
    }
    if let Some(id) = &told.reverts {
        facts.push(format!("takes back {}", commit(id)));
    }
    let facts = page.tone(Tone::Faint, facts.join(", ")).to_string();
    page.line(format_args!("      {facts}"))
}

fn issue(issue: &StoryIssue) -> String {
    match (&issue.title, &issue.state) {
        (title, _) if title.is_empty() => format!("#{}", issue.number),
        (title, Some(state)) => format!("#{} {} ({state})", issue.number, one_line(title)),
        (title, None) => format!("#{} {}", issue.number, one_line(title)),
    }
}
