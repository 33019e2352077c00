//! How near the meaning of a memory is to that of a question, by the vectors of an embedder.

use super::NearMemory;

/// Cosines of the built-in table: what any two texts about software have, and what only says the same in other words has.
const TABLE: [f32; 2] = [0.30, 0.60];
/// The same of a sentence model, with room for those that were not measured.
const MODEL: [f32; 2] = [0.25, 0.60];
/// What the ids of the built-in tables begin with.
const TABLE_ID: &str = "memorax-static/";

/// Returns how near two meanings are: 0 for what any two texts share, 1 for the same in other words.
pub(super) fn nearness(near: &NearMemory) -> f32 {
    let [low, high] = if near.embedder.starts_with(TABLE_ID) {
        TABLE
    } else {
        MODEL
    };
    ((near.cosine - low) / (high - low)).clamp(0.0, 1.0)
}
