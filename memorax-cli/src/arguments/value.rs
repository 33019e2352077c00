//! Values that several commands take.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use memorax_core::{MemoryKind, Verdict};

/// Names of states, as [`memorax_core::Status::as_str`] gives them.
pub(crate) const STATUSES: [&str; 5] = ["active", "pending", "superseded", "invalid", "archived"];

/// Reads a kind; completions and error messages know all of them.
pub(crate) fn kind() -> impl TypedValueParser<Value = MemoryKind> {
    PossibleValuesParser::new(MemoryKind::ALL.iter().map(|kind| kind.as_str()))
        .try_map(|name| name.parse())
}

/// Reads the name of a state.
pub(crate) fn status() -> PossibleValuesParser {
    PossibleValuesParser::new(STATUSES)
}

/// Reads an opinion.
pub(crate) fn verdict() -> impl TypedValueParser<Value = Verdict> {
    PossibleValuesParser::new(Verdict::ALL.iter().map(|verdict| verdict.as_str()))
        .try_map(|name| name.parse())
}
