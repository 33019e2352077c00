//! How near the meaning of a memory is to that of a question, by the vectors of an embedder.

use super::NearMemory;

/// Cosines of the built-in table: what many texts of a project have, and what hardly any two have that do not say the same.
const TABLE: [f32; 2] = [0.15, 0.5];
/// The same of a sentence model.
const MODEL: [f32; 2] = [0.15, 0.5];
/// What the ids of the built-in tables begin with.
const TABLE_ID: &str = "memorax-static/";

/// Returns how near two meanings are: 0 for what many texts share, 1 for the same in other words, more where hardly a doubt
/// is left.
pub(super) fn nearness(near: &NearMemory) -> f32 {
    let [low, high] = if near.embedder.starts_with(TABLE_ID) {
        TABLE
    } else {
        MODEL
    };
    ((near.cosine - low) / (high - low)).max(0.0)
}
