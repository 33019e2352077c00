//! Counts of tests, read from the summary lines of the test runners.

use std::fmt;
use std::ops::AddAssign;

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    /// One check that passed or failed.
    pub(crate) fn one(passed: bool) -> Self {
        Self {
            passed: u64::from(passed),
            failed: u64::from(!passed),
            skipped: 0,
        }
    }

    /// Reads `test result: ok. 3 passed; 0 failed; 1 ignored; ...` of cargo's runner.
    pub(crate) fn of_cargo(line: &str) -> Option<Self> {
        line.strip_prefix("test result: ")
            .map(|rest| Self::of_words(rest, "ignored"))
    }

    /// Reads `=== 2 failed, 3 passed, 1 skipped in 0.12s ===` or its short form of pytest.
    pub(crate) fn of_pytest(line: &str) -> Option<Self> {
        let inside = line.trim_matches(['=', ' ']);
        let (counts, seconds) = inside.rsplit_once(" in ")?;
        let tally = Self::of_words(counts, "skipped");
        (seconds.starts_with(|first: char| first.is_ascii_digit()) && tally != Self::default())
            .then_some(tally)
    }

    /// Reads one of the closing lines of Node's runner: `ℹ pass 3`, `ℹ fail 0`, `ℹ skipped 0`.
    pub(crate) fn of_node(line: &str) -> Option<Self> {
        let (word, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
        let number = number.parse().ok()?;
        let mut tally = Self::default();
        match word {
            "pass" => tally.passed = number,
            "fail" | "cancelled" => tally.failed = number,
            "skipped" | "todo" => tally.skipped = number,
            _ => return None,
        }
        Some(tally)
    }

    fn of_words(text: &str, skipped: &str) -> Self {
        let mut tally = Self::default();
        let words: Vec<&str> = text
            .split([' ', ';', ','])
            .filter(|word| !word.is_empty())
            .collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else {
                continue;
            };
            match pair[1] {
                "passed" => tally.passed += number,
                "failed" | "error" | "errors" => tally.failed += number,
                word if word == skipped => tally.skipped += number,
                _ => {}
            }
        }
        tally
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(formatter, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn tally(passed: u64, failed: u64, skipped: u64) -> Tally {
        Tally {
            passed,
            failed,
            skipped,
        }
    }

    #[test]
    fn summary_lines_of_the_three_runners_are_counted() {
        let cargo = "test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.41s";
        assert_eq!(Tally::of_cargo(cargo), Some(tally(12, 2, 1)));
        let pytest = "=========== 1 failed, 20 passed, 3 skipped, 1 error in 1.02s ===========";
        assert_eq!(Tally::of_pytest(pytest), Some(tally(20, 2, 3)));
        assert_eq!(Tally::of_pytest("6 passed in 0.31s"), Some(tally(6, 0, 0)));
        assert_eq!(Tally::of_node("ℹ pass 9"), Some(tally(9, 0, 0)));
        assert_eq!(Tally::of_node("ℹ cancelled 1"), Some(tally(0, 1, 0)));
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in [
            "12 passed; 2 failed",
            "waiting in 3 steps",
            "test a ... ok",
            "ℹ tests 9",
            "ℹ duration_ms 81.2",
        ] {
            assert_eq!(Tally::of_cargo(line), None, "{line}");
            assert_eq!(Tally::of_pytest(line), None, "{line}");
            assert_eq!(Tally::of_node(line), None, "{line}");
        }
    }
}
