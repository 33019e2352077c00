//! Identifiers: all random or time-ordered, none derived from a machine, a path or a repository address.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Error, ErrorKind, Result};

macro_rules! identifier {
    ($(#[$meta:meta])* $name:ident, $what:literal, $make:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Mints a new identifier.
            #[expect(clippy::new_without_default, reason = "two defaults would differ")]
            pub fn new() -> Self {
                Self($make)
            }

            /// Builds the identifier from its 16 bytes.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            /// Returns the 16 bytes, big-endian, so that byte order is the order of the ids.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, formatter)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                Uuid::try_parse(text.trim()).map(Self).map_err(|error| {
                    Error::new(ErrorKind::InvalidInput, format!(concat!("`{}` is not ", $what, " id"), text))
                        .with_source(error)
                })
            }
        }
    };
}

identifier!(
    /// Names one memory for ever: a UUIDv7, minted by the caller before any lock, sortable by creation.
    ///
    /// ```
    /// use memorax_core::MemoryId;
    /// let id = MemoryId::new();
    /// assert_eq!(id.to_string().parse::<MemoryId>()?, id);
    /// # Ok::<(), memorax_core::Error>(())
    /// ```
    MemoryId, "a memory", Uuid::now_v7()
);
identifier!(
    /// Names one operation of the log; writing the same operation twice has the effect of writing it once.
    OperationId, "an operation", Uuid::new_v4()
);
identifier!(
    /// Names one repository, shared by its worktrees and clones.
    RepositoryId, "a repository", Uuid::new_v4()
);
identifier!(
    /// Names one life of one branch.
    LineId, "a line", Uuid::new_v4()
);
identifier!(
    /// Names this installation; random, so that a cloned machine can be told apart by its incarnation.
    DeviceId, "a device", Uuid::new_v4()
);
identifier!(
    /// Names one lineage of one store file; a restored backup gets a new one.
    IncarnationId, "an incarnation", Uuid::new_v4()
);
identifier!(
    /// Names one recall, brief or check and the receipt it left.
    ReceiptId, "a receipt", Uuid::now_v7()
);

/// Name of a unit of sharing. `local` never has a remote.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpaceId(String);

impl SpaceId {
    /// Returns the space that never leaves this machine.
    pub fn local() -> Self {
        Self("local".to_owned())
    }

    /// Returns the name, which is also the stem of the store's file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
