//! The trait that finds procedures in what agents did.

use crate::{Result, Skill, Trajectory};

/// Finds procedures that worked, and says how they change what is known.
///
/// ```
/// use memorax_core::{Event, EventKind, Result, Skill, SkillChange, SkillExtractor, Trajectory};
///
/// /// Takes every session with a green test for a procedure.
/// #[derive(Debug)]
/// struct Greens;
///
/// impl SkillExtractor for Greens {
///     fn extract(&self, run: &Trajectory, known: &[Skill]) -> Result<Vec<SkillChange>> {
///         let green = run.events.iter().any(|event| event.kind == EventKind::Test && event.exit == Some(0));
///         let skill = Skill::new(run.session.clone(), "always");
///         Ok(if green && !known.contains(&skill) { vec![SkillChange::Add(skill)] } else { Vec::new() })
///     }
/// }
///
/// let mut run = Trajectory::new("codex", "first");
/// assert_eq!(Greens.extract(&run, &[])?, []);
/// let mut test = Event::new(EventKind::Test, "12 passed");
/// test.exit = Some(0);
/// run.events.push(test);
/// assert_eq!(Greens.extract(&run, &[])?, [SkillChange::Add(Skill::new("first", "always"))]);
/// # Ok::<(), memorax_core::Error>(())
/// ```
pub trait SkillExtractor: Send + Sync + 'static {
    /// Reads one session beside what is known; returns changes, and writes nothing. Called after a session ended.
    fn extract(&self, run: &Trajectory, known: &[Skill]) -> Result<Vec<SkillChange>>;
}

/// How a session changes the known procedures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkillChange {
    /// A new procedure.
    Add(Skill),
    /// A known procedure, by name, with other steps.
    Revise(Skill),
    /// A known procedure, by name, was followed, and worked or did not.
    Score {
        /// Its name.
        name: String,
        /// Whether it worked.
        worked: bool,
    },
}
