//! Times of one thing done many times.

use std::fmt;
use std::time::Duration;

/// Times, shortest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample(Vec<Duration>);

impl FromIterator<Duration> for Sample {
    fn from_iter<T: IntoIterator<Item = Duration>>(times: T) -> Self {
        let mut times: Vec<Duration> = times.into_iter().collect();
        times.sort_unstable();
        Self(times)
    }
}

impl Sample {
    /// Returns how many times there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the shortest time that at least `percent` of all do not exceed; zero where nothing was measured.
    pub(super) fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.0.len() * percent).div_ceil(100).max(1);
        self.0.get(rank - 1).copied().unwrap_or_default()
    }

    pub(super) fn median(&self) -> Duration {
        self.percentile(50)
    }

    pub(super) fn longest(&self) -> Duration {
        self.percentile(100)
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "n {}, p50 {}, p95 {}, max {}",
            self.count(),
            shown(self.median()),
            shown(self.percentile(95)),
            shown(self.longest()),
        )
    }
}

/// Writes a time with three digits.
pub(super) fn shown(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    match milliseconds {
        _ if milliseconds < 10.0 => format!("{milliseconds:.2} ms"),
        _ if milliseconds < 100.0 => format!("{milliseconds:.1} ms"),
        _ if milliseconds < 1000.0 => format!("{milliseconds:.0} ms"),
        _ => format!("{:.2} s", milliseconds / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Sample;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let sample: Sample = (1..=20).rev().map(Duration::from_millis).collect();
        let found = [50, 95, 100].map(|percent| sample.percentile(percent).as_millis());
        assert_eq!(found, [10, 19, 20]);
        assert_eq!(Sample::default().longest(), Duration::ZERO);
    }
}
