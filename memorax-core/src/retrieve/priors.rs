//! Which kinds of memories help with which intents.

use crate::MemoryKind;

use super::Intent;

/// How well a kind fits an intent, 0 to 1, before anything is known about the text.
///
/// Set by hand from what each kind is for; learned weights may replace it.
pub(super) fn prior(intent: Intent, kind: MemoryKind) -> f32 {
    use MemoryKind as Kind;
    match (intent, kind) {
        (Intent::Fix, Kind::Failure)
        | (Intent::Feature | Intent::General, Kind::Skill)
        | (Intent::Test, Kind::Command)
        | (Intent::Continue, Kind::Progress)
        | (Intent::Review, Kind::Convention) => 1.0,
        (Intent::Refactor, Kind::Decision | Kind::Convention | Kind::Rejection)
        | (Intent::Question, Kind::Fact | Kind::Decision)
        | (Intent::Review, Kind::Rejection)
        | (Intent::Docs, Kind::Convention) => 0.9,
        (Intent::Feature, Kind::Convention | Kind::Decision | Kind::Rejection)
        | (Intent::Test, Kind::Convention | Kind::Skill)
        | (Intent::Docs | Intent::Review, Kind::Preference | Kind::Decision)
        | (Intent::Question, Kind::Command | Kind::Convention) => 0.7,
        (Intent::Fix, Kind::Skill | Kind::Rejection | Kind::Command)
        | (Intent::Test, Kind::Failure)
        | (Intent::Continue, Kind::Decision)
        | (Intent::Docs, Kind::Fact) => 0.6,
        (Intent::Continue | Intent::Review | Intent::Docs, Kind::Command | Kind::Skill)
        | (Intent::Fix | Intent::Feature | Intent::Refactor | Intent::Test, Kind::Progress) => 0.3,
        _ => 0.5,
    }
}
