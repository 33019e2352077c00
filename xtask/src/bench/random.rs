//! Reproducible choices.

use std::time::Duration;

/// A small generator (xorshift64*, Vigna 2016): the same seed gives the same choices.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        // The state must not be zero; the factor spreads neighbouring seeds.
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        mixed as usize % end
    }

    /// Returns one of several.
    pub(super) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// Returns a time of at most so many milliseconds.
    pub(super) fn milliseconds(&mut self, most: usize) -> Duration {
        Duration::from_millis(self.below(most + 1) as u64)
    }
}
