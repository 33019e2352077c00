//! Learns when an answer helps: a logistic sum over the signs, measured on each repository by what the others taught.

use std::collections::BTreeMap;

use memorax_core::retrieve::{Calibration, Sign};
use serde::Serialize;

use crate::abstain::{self, Prompt, Report};
use crate::calibrate;

/// Pull of the weights towards nothing.
const PULL: f64 = 1.0;
/// Share of the foreign prompts that must get nothing: more than is promised, since other repositories are other ones.
const SILENT: f32 = 0.93;

/// What was learned.
#[derive(Debug, Serialize)]
pub(crate) struct Learned {
    pub(crate) bias: f32,
    pub(crate) weights: BTreeMap<Sign, f32>,
    pub(crate) least: f32,
    /// On each repository with what was learned on the others.
    pub(crate) left_out: Report,
}

/// Learns from prompts; they get the confidence and the silence of what was learned without their repository.
pub(crate) fn learn(prompts: &mut [Prompt]) -> Learned {
    let mut names: Vec<String> = Vec::new();
    for prompt in &*prompts {
        if !names.contains(&prompt.repository) {
            names.push(prompt.repository.clone());
        }
    }
    for name in &names {
        let others: Vec<&Prompt> = prompts
            .iter()
            .filter(|prompt| prompt.repository != *name)
            .collect();
        let calibration = calibrate::fit(&others, PULL);
        for prompt in prompts
            .iter_mut()
            .filter(|prompt| prompt.repository == *name)
        {
            prompt.confidence = calibration.confidence(&prompt.signs);
        }
    }
    let least = threshold(prompts);
    for prompt in &mut *prompts {
        prompt.silent = prompt.confidence < least;
    }
    let all: Vec<&Prompt> = prompts.iter().collect();
    let Calibration { bias, weights, .. } = calibrate::fit(&all, PULL);
    Learned {
        bias,
        weights: weights.into_iter().collect(),
        least,
        left_out: abstain::report(prompts),
    }
}

/// Returns the confidence below which [`SILENT`] of the foreign prompts lie.
fn threshold(prompts: &[Prompt]) -> f32 {
    let mut foreign: Vec<f32> = prompts
        .iter()
        .filter(|prompt| !prompt.own)
        .map(|prompt| prompt.confidence)
        .collect();
    foreign.sort_by(f32::total_cmp);
    let place = (foreign.len() as f32 * SILENT) as usize;
    foreign.get(place).copied().unwrap_or(1.0)
}
