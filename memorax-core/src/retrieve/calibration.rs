//! When to say nothing about files: the signs become a probability, and a probability that is too small becomes silence.

use super::{Sign, Signs};

/// Turns signs into the probability that an answer helps, by a logistic sum, and says which probability is enough.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// What the sum begins with.
    pub bias: f32,
    /// What each sign counts; one that is not named counts nothing.
    pub weights: Vec<(Sign, f32)>,
    /// Least probability with which anything is answered.
    pub least: f32,
}

impl Default for Calibration {
    /// Learned by the command in `BENCHMARKS.md` under "Saying nothing", on histories that are in no benchmark.
    fn default() -> Self {
        Self {
            bias: -4.049,
            weights: vec![
                (Sign::Known, 0.215),
                (Sign::Telling, -0.437),
                (Sign::Together, 0.309),
                (Sign::Pointed, 1.394),
                (Sign::Amount, 3.832),
                (Sign::Path, 1.769),
                (Sign::Message, 0.824),
                (Sign::Said, 3.966),
                (Sign::Names, 1.414),
                (Sign::Strangers, -2.593),
                (Sign::Near, 5.294),
                (Sign::Peak, 1.451),
                (Sign::Lead, 1.178),
                (Sign::Sources, 2.012),
                (Sign::Length, -2.028),
                (Sign::Size, -3.477),
            ],
            least: 0.34,
        }
    }
}

impl Calibration {
    /// Returns the probability that the files help that were found with these signs.
    pub fn confidence(&self, signs: &Signs) -> f32 {
        let parts = self.weights.iter();
        let sum: f32 = parts.map(|(sign, weight)| weight * signs.get(*sign)).sum();
        1.0 / (1.0 + (-(self.bias + sum)).exp())
    }

    /// Says whether a sign counts at all.
    pub fn weighs(&self, sign: Sign) -> bool {
        let mut weights = self.weights.iter();
        weights.any(|(other, weight)| *other == sign && *weight != 0.0)
    }

    /// Says whether a probability is enough to answer.
    pub fn is_enough(&self, confidence: f32) -> bool {
        confidence >= self.least
    }
}
