//! Chooses what is told of a trail.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Trail, TrailStep};
use crate::repo::history::{
    closed_by, name_alone, numbers_of, people_of, request_of, undone_by, without_number,
};
use crate::{Companion, Knower, PlaceKind, Story, StoryCommit, StoryEvent, StoryIssue, Timestamp};

/// Most people and companions that are told.
const PEOPLE: usize = 8;
const COMPANIONS: usize = 8;
/// Commits with more files say nothing about what belongs together; and fewest common changes that do.
const WIDE: usize = 30;
const TOGETHER: usize = 2;
/// Most characters of a message's body that are told.
const BODY: usize = 600;
/// Most issues of one commit.
const ISSUES: usize = 6;
const YEAR: i64 = 365 * 86_400;

/// Looks up an issue or pull request by its number.
type IssueOf<'a> = dyn Fn(u64, bool) -> Option<StoryIssue> + 'a;

/// How a story is told.
#[derive(Clone, Copy)]
pub struct StoryOptions<'a> {
    /// Most commits.
    pub limit: usize,
    /// What is known of an issue or, where the second argument says so, of a pull request.
    pub issue: &'a IssueOf<'a>,
    /// Says whether a file is there now.
    pub is_file: &'a dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for StoryOptions<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("StoryOptions")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Tells the story of a place from the commits that touched it.
pub fn tell(asked: &str, trail: &Trail, options: &StoryOptions<'_>) -> Story {
    let mut story = Story::new(asked, trail.kind, &trail.path, trail.state);
    story.former.clone_from(&trail.former);
    let (steps, twice) = once(&trail.steps);
    if twice > 0 {
        story.notes.push(format!(
            "{twice} commits say the same as others (picked or rebased) and are counted once"
        ));
    }
    if trail.unread > 0 {
        story.notes.push(format!(
            "{} older commits touched it and were only counted",
            trail.unread
        ));
    }
    story.changes = steps.len() + trail.unread;
    let since = trail.newest - YEAR;
    let lately = steps.iter().filter(|step| seconds(step) >= since);
    story.lately = lately.count();
    let undone = Undone::new(&steps);
    let commit = |step: &TrailStep| told(step, options, &undone);
    story.born = steps
        .iter()
        .rev()
        .find(|step| step.event == StoryEvent::Born)
        .or_else(|| {
            let last = steps.last();
            last.filter(|step| step.event == StoryEvent::Moved && trail.unread == 0)
        })
        .map(|step| commit(step));
    story.last = steps.first().map(|step| commit(step));
    story.people = people(&steps);
    story.companions = companions(&steps, trail, options);
    let mut ranked: Vec<(usize, f32)> = steps
        .iter()
        .enumerate()
        .map(|(position, step)| (position, worth(step, &undone)))
        .collect();
    ranked.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    ranked.truncate(options.limit);
    // Oldest first.
    ranked.sort_by_key(|(position, _)| std::cmp::Reverse(*position));
    story.commits = ranked
        .iter()
        .map(|(position, _)| commit(steps[*position]))
        .collect();
    story
}

/// Leaves out commits that were picked, rebased or merged twice: same author, same moment of writing, same subject.
fn once(steps: &[TrailStep]) -> (Vec<&TrailStep>, usize) {
    let mut seen = HashSet::new();
    let kept: Vec<&TrailStep> = steps
        .iter()
        .filter(|step| {
            let commit = &step.commit;
            seen.insert((
                commit.author.as_str(),
                commit.at,
                without_number(&commit.subject),
            ))
        })
        .collect();
    let twice = steps.len() - kept.len();
    (kept, twice)
}

fn seconds(step: &TrailStep) -> i64 {
    step.commit.committed.as_millis() / 1000
}

/// Which commits of a trail take back which others.
struct Undone {
    /// By the commit that was taken back, the one that did.
    by: HashMap<String, String>,
    reverts: HashMap<String, String>,
}

impl Undone {
    fn new(steps: &[&TrailStep]) -> Self {
        let mut undone = Self {
            by: HashMap::new(),
            reverts: HashMap::new(),
        };
        for (position, step) in steps.iter().enumerate() {
            let commit = &step.commit;
            let Some(undoing) = undone_by(&commit.subject, &commit.body) else {
                continue;
            };
            let older = &steps[position + 1..];
            let by_id = undoing.commit.as_deref().and_then(|start| {
                older
                    .iter()
                    .find(|other| other.commit.id.starts_with(start))
            });
            let by_subject = || {
                let subject = undoing.subject.as_deref()?;
                older.iter().find(|other| {
                    without_number(&other.commit.subject).eq_ignore_ascii_case(subject)
                })
            };
            if let Some(target) = by_id.or_else(by_subject) {
                let (target, id) = (target.commit.id.clone(), commit.id.clone());
                undone.by.insert(target.clone(), id.clone());
                undone.reverts.insert(id, target);
            } else if let Some(start) = undoing.commit {
                undone.reverts.insert(commit.id.clone(), start);
            }
        }
        undone
    }
}

fn told(step: &TrailStep, options: &StoryOptions<'_>, undone: &Undone) -> StoryCommit {
    let commit = &step.commit;
    let known = |number: u64, title: String, request: bool| {
        (options.issue)(number, request).unwrap_or_else(|| StoryIssue::new(number, title))
    };
    let merged = step
        .merge
        .as_ref()
        .and_then(|(subject, body)| request_of(subject, body));
    let request = request_of(&commit.subject, &commit.body)
        .or(merged)
        .map(|(number, title)| known(number, title, true));
    let mut numbers = closed_by(&format!("{}\n{}", commit.subject, commit.body));
    for number in numbers_of(&format!("{}\n{}", commit.subject, commit.body)) {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers.retain(|number| {
        request
            .as_ref()
            .is_none_or(|request| request.number != *number)
    });
    numbers.truncate(ISSUES);
    let body: String = commit.body.chars().take(BODY).collect();
    StoryCommit {
        id: commit.id.clone(),
        subject: commit.subject.clone(),
        body: without_addresses(&body),
        author: name_alone(&commit.author),
        at: commit.committed,
        event: step.event,
        from: step.from.clone(),
        files: commit.paths.len(),
        request,
        issues: numbers
            .into_iter()
            .map(|number| known(number, String::new(), false))
            .collect(),
        people: people_of(&commit.body)
            .into_iter()
            .map(|(role, name)| format!("{role} {name}"))
            .collect(),
        reverted: undone.by.get(&commit.id).cloned(),
        reverts: undone.reverts.get(&commit.id).cloned(),
    }
}

/// Leaves out trailers, which are told by themselves, and addresses.
pub(in crate::repo) fn without_addresses(body: &str) -> String {
    let lines = body
        .lines()
        .filter(|line| !crate::repo::history::is_trailer(line));
    let clean = |line: &str| -> String {
        let words = line.split(' ').filter(|word| !is_address(word));
        words.collect::<Vec<_>>().join(" ")
    };
    lines
        .map(clean)
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}

fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    word.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains('/') && !name.contains('/')
    })
}

/// Says how much a commit matters to the story.
fn worth(step: &TrailStep, undone: &Undone) -> f32 {
    let commit = &step.commit;
    let body = commit.body.chars().count() as f32;
    let files = commit.paths.len() as f32;
    let mut worth = (1.0 + body / 80.0).ln() + (1.0 + files.min(60.0)).ln() * 0.4;
    worth += match step.event {
        StoryEvent::Born | StoryEvent::Moved | StoryEvent::Gone => 3.0,
        StoryEvent::Changed => 0.0,
    };
    if undone.by.contains_key(&commit.id) || undone.reverts.contains_key(&commit.id) {
        worth += 2.0;
    }
    if request_of(&commit.subject, &commit.body).is_some() || step.merge.is_some() {
        worth += 0.3;
    }
    if commit.paths.len() > 100 && step.event == StoryEvent::Changed {
        worth -= 1.5;
    }
    let lower = commit.subject.to_lowercase();
    let small = [
        "typo",
        "bump",
        "fmt",
        "format",
        "lint",
        "whitespace",
        "changelog",
        "release",
        "wip",
        "clippy",
    ];
    if small.iter().any(|word| lower.contains(word)) || is_bot(&commit.author) {
        worth -= 1.5;
    }
    worth
}

fn is_bot(author: &str) -> bool {
    let author = author.to_lowercase();
    [
        "[bot]",
        "dependabot",
        "renovate",
        "pre-commit-ci",
        "github-actions",
    ]
    .iter()
    .any(|name| author.contains(name))
}

fn people(steps: &[&TrailStep]) -> Vec<Knower> {
    let mut people: BTreeMap<String, Knower> = BTreeMap::new();
    for step in steps.iter().filter(|step| !is_bot(&step.commit.author)) {
        let mut names = vec![name_alone(&step.commit.author)];
        let others = people_of(&step.commit.body);
        names.extend(
            others
                .into_iter()
                .filter(|(role, _)| *role == "co-author")
                .map(|(_, name)| name),
        );
        names.sort();
        names.dedup();
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            let at = step.commit.committed;
            let knower = people
                .entry(name.clone())
                .or_insert_with(|| Knower::new(name, 0, Timestamp::default()));
            knower.commits += 1;
            knower.last = knower.last.max(at);
        }
    }
    let mut people: Vec<Knower> = people.into_values().collect();
    people.sort_by(|left, right| {
        right
            .commits
            .cmp(&left.commits)
            .then(right.last.cmp(&left.last))
            .then_with(|| left.name.cmp(&right.name))
    });
    people.truncate(PEOPLE);
    people
}

fn companions(steps: &[&TrailStep], trail: &Trail, options: &StoryOptions<'_>) -> Vec<Companion> {
    let own = |path: &str| {
        let is_below = |place: &str| {
            path.strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match trail.kind {
            PlaceKind::Folder => {
                is_below(&trail.path) || trail.former.iter().any(|old| is_below(old))
            }
            _ => path == trail.path,
        }
    };
    let mut together: BTreeMap<&str, usize> = BTreeMap::new();
    for step in steps {
        if (2..=WIDE).contains(&step.commit.paths.len()) {
            for path in step.commit.paths.iter().filter(|path| !own(path)) {
                *together.entry(path).or_default() += 1;
            }
        }
    }
    let mut companions: Vec<Companion> = together
        .into_iter()
        .filter(|(path, count)| *count >= TOGETHER && (options.is_file)(path))
        .map(|(path, count)| Companion::new(path, count))
        .collect();
    companions.sort_by(|left, right| {
        right
            .together
            .cmp(&left.together)
            .then_with(|| left.path.cmp(&right.path))
    });
    companions.truncate(COMPANIONS);
    companions
}
