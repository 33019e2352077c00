//! Time: wall-clock moments, the hybrid logical clock's stamps, and the clock that is passed in.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::OperationId;
use crate::{Error, ErrorKind, Result};

/// A moment in milliseconds since 1970-01-01T00:00:00Z, printed as RFC 3339.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Builds a moment from milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the UTC date as `YYYY-MM-DD`, the form in which ages are printed.
    ///
    /// ```
    /// use memorax_core::Timestamp;
    /// assert_eq!(Timestamp::from_millis(1_700_000_000_000).date(), "2023-11-14");
    /// ```
    pub fn date(self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => fmt::Display::fmt(&moment, formatter),
            Err(_) => write!(formatter, "@{}ms", self.0),
        }
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        text.parse::<jiff::Timestamp>()
            .map(|moment| Self(moment.as_millisecond()))
            .map_err(|error| {
                Error::new(
                    ErrorKind::InvalidInput,
                    format!("`{text}` is not a time such as 2026-01-31T12:00:00Z"),
                )
                .with_source(error)
            })
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_i64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(serde::de::Error::custom)
        } else {
            i64::deserialize(deserializer).map(Self)
        }
    }
}

/// Source of the current time; passed in so that tests and replays are exact.
pub trait Clock: Send + Sync + 'static {
    /// Returns the current moment. Called on any thread, once for every operation.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that stands still, for tests and replays.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// When and by which operation a field was written: hybrid logical time, ties broken by the operation's random id.
///
/// The time is 48 bits of milliseconds and 16 bits of counter (Kulkarni et al. 2014), so that it never runs
/// backwards within a store even when the wall clock does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stamp {
    /// Hybrid logical time.
    pub time: HybridTime,
    /// The operation that wrote.
    pub operation: OperationId,
}

impl Stamp {
    /// Builds a stamp.
    pub fn new(time: HybridTime, operation: OperationId) -> Self {
        Self { time, operation }
    }
}

/// Hybrid logical time: milliseconds in the upper 48 bits, a counter in the lower 16.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct HybridTime(u64);

impl HybridTime {
    /// Returns the next time after `self` that is not before `now`.
    ///
    /// ```
    /// use memorax_core::{HybridTime, Timestamp};
    /// let first = HybridTime::default().next(Timestamp::from_millis(5));
    /// let second = first.next(Timestamp::from_millis(3));
    /// assert!(second > first, "a clock that runs backwards does not reorder operations");
    /// ```
    #[must_use]
    pub fn next(self, now: Timestamp) -> Self {
        let wall = u64::try_from(now.as_millis()).unwrap_or(0) << 16;
        Self(wall.max(self.0 + 1))
    }

    /// Returns the wall-clock part.
    pub fn timestamp(self) -> Timestamp {
        Timestamp(i64::try_from(self.0 >> 16).unwrap_or(i64::MAX))
    }

    /// Builds a time from its 64 bits.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the 64 bits.
    pub fn to_bits(self) -> u64 {
        self.0
    }
}
