//! Means and their errors.

/// Returns the mean of some figures and its standard error; nothing of both where there are no figures.
pub(crate) fn mean_of(figures: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let count = figures.clone().count().max(1) as f32;
    let mean = figures.clone().sum::<f32>() / count;
    let squares: f32 = figures.map(|figure| (figure - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Returns the middle figure; 0 where there is none.
pub(crate) fn median_of(mut figures: Vec<usize>) -> usize {
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{mean_of, median_of};

    #[test]
    fn the_error_of_a_mean_falls_with_the_root_of_the_count() {
        let few = [0.0, 1.0];
        let (mean, error) = mean_of(few.iter().copied());
        assert!((mean - 0.5).abs() < 1e-6 && (error - 0.5).abs() < 1e-6);
        assert!(mean_of(few.iter().cycle().take(200).copied()).1 < 0.04);
        assert_eq!(median_of(vec![9, 1, 4]), 4);
    }
}
