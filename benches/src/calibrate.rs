//! Logistic regression, and how well probabilities tell what comes true.

use memorax_core::retrieve::{Calibration, Sign};
use serde::Serialize;

use crate::abstain::Prompt;

/// Bins of the calibration error.
const BINS: usize = 10;
/// Drawings with which standard errors are estimated.
const DRAWINGS: usize = 200;
/// Steps of Newton's method; it converges in about six.
const STEPS: usize = 25;

/// A figure and its standard error.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Error {
    pub(crate) value: f32,
    pub(crate) standard_error: f32,
}

/// Returns ten bins of equal width: how many, the mean probability, and the share that came true.
pub(crate) fn bins(judged: &[(f32, bool)]) -> Vec<(usize, f32, f32)> {
    let mut bins = vec![(0_usize, 0.0_f32, 0.0_f32); BINS];
    for (probability, true_) in judged {
        let place = ((probability * BINS as f32) as usize).min(BINS - 1);
        bins[place].0 += 1;
        bins[place].1 += probability;
        bins[place].2 += f32::from(*true_);
    }
    for (count, sum, truths) in &mut bins {
        *sum /= (*count).max(1) as f32;
        *truths /= (*count).max(1) as f32;
    }
    bins
}

/// Returns the expected calibration error: how far the mean probability of a bin is from what came true, by size.
pub(crate) fn calibration_error(judged: &[(f32, bool)]) -> Error {
    with_error(judged, |judged| {
        let sum: f32 = bins(judged)
            .iter()
            .map(|(count, mean, truths)| *count as f32 * (mean - truths).abs())
            .sum();
        sum / judged.len().max(1) as f32
    })
}

/// Returns the area under the receiver's curve: how often what is true is more probable than what is not.
pub(crate) fn area(judged: &[(f32, bool)]) -> Error {
    with_error(judged, |judged| {
        let mut sorted = judged.to_vec();
        sorted.sort_by(|left, right| left.0.total_cmp(&right.0));
        let truths = sorted.iter().filter(|(_, true_)| *true_).count();
        let others = sorted.len() - truths;
        if truths == 0 || others == 0 {
            return 0.5;
        }
        let (mut below, mut sum) = (0.0_f64, 0.0_f64);
        for equal in sorted.chunk_by(|left, right| left.0.total_cmp(&right.0).is_eq()) {
            let ones = equal.iter().filter(|(_, true_)| *true_).count() as f64;
            let zeros = equal.len() as f64 - ones;
            sum += ones * (below + zeros / 2.0);
            below += zeros;
        }
        (sum / (truths as f64 * others as f64)) as f32
    })
}

/// Estimates the standard error by drawing again with replacement; always in the same way.
fn with_error(judged: &[(f32, bool)], figure: impl Fn(&[(f32, bool)]) -> f32) -> Error {
    let value = figure(judged);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut squares = 0.0;
    let mut sum = 0.0;
    for _ in 0..DRAWINGS {
        let drawn: Vec<(f32, bool)> = (0..judged.len())
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                judged[(state % judged.len() as u64) as usize]
            })
            .collect();
        let again = figure(&drawn);
        sum += again;
        squares += again * again;
    }
    let count = DRAWINGS as f32;
    let mean = sum / count;
    Error {
        value,
        standard_error: (squares / count - mean * mean).max(0.0).sqrt(),
    }
}

/// Fits the probability of a right answer to prompts; `pull` draws the weights towards nothing.
pub(crate) fn fit(prompts: &[&Prompt], pull: f64) -> Calibration {
    let count = Sign::ALL.len() + 1;
    let rows: Vec<(Vec<f64>, f64)> = prompts
        .iter()
        .map(|prompt| {
            let mut row = vec![1.0];
            row.extend(
                Sign::ALL
                    .iter()
                    .map(|sign| f64::from(prompt.signs.get(*sign))),
            );
            (row, f64::from(u8::from(prompt.right)))
        })
        .collect();
    let mut weights = vec![0.0; count];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; count];
        let mut curve = vec![vec![0.0; count]; count];
        for (row, right) in &rows {
            let sum: f64 = row
                .iter()
                .zip(&weights)
                .map(|(value, weight)| value * weight)
                .sum();
            let probability = 1.0 / (1.0 + (-sum).exp());
            let spread = probability * (1.0 - probability);
            for left in 0..count {
                slope[left] += (right - probability) * row[left];
                for right in 0..count {
                    curve[left][right] += spread * row[left] * row[right];
                }
            }
        }
        for place in 1..count {
            slope[place] -= pull * weights[place];
            curve[place][place] += pull;
        }
        curve[0][0] += 1e-9;
        for (weight, step) in weights.iter_mut().zip(solve(curve, slope)) {
            *weight += step;
        }
    }
    let mut calibration = Calibration::default();
    calibration.bias = weights[0] as f32;
    calibration.weights = Sign::ALL
        .iter()
        .zip(&weights[1..])
        .map(|(sign, weight)| (*sign, *weight as f32))
        .collect();
    calibration
}

/// Solves a system of equations with a positive definite matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut values: Vec<f64>) -> Vec<f64> {
    let count = values.len();
    for pivot in 0..count {
        for row in pivot + 1..count {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot].clone();
            for (cell, above) in matrix[row].iter_mut().zip(above).skip(pivot) {
                *cell -= factor * above;
            }
            values[row] -= factor * values[pivot];
        }
    }
    for pivot in (0..count).rev() {
        for column in pivot + 1..count {
            values[pivot] -= matrix[pivot][column] * values[column];
        }
        values[pivot] /= matrix[pivot][pivot];
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{area, calibration_error};

    #[test]
    fn probabilities_that_come_true_have_no_error() {
        let mut judged = vec![(0.25, false); 75];
        judged.extend(vec![(0.25, true); 25]);
        judged.extend(vec![(0.85, true); 85]);
        judged.extend(vec![(0.85, false); 15]);
        let error = calibration_error(&judged);
        assert!(
            error.value < 1e-4 && error.standard_error > 0.0,
            "{error:?}"
        );
        let area = area(&judged).value;
        assert!(
            (area - (85.0 * (75.0 + 7.5) + 25.0 * 37.5) / (110.0 * 90.0)).abs() < 1e-4,
            "{area}"
        );
    }
}
