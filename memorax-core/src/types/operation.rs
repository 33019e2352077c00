//! How memories change: drafts of callers, and the sealed operations of the log.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, DeviceId, HybridTime, IncarnationId, LineId, LineState, MemoryId, MemoryKind,
    OperationId, Provenance, ReceiptId, Scope, SpaceId, Stamp, Stats, Status, Timestamp, Trust,
    Visibility, named,
};

/// A wish to change something: what callers hand to the store, what waits in the inbox.
///
/// Its id makes it idempotent: a draft that is applied twice changes the store once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Draft {
    /// Becomes the id of the sealed operation.
    pub id: OperationId,
    /// What is wished.
    pub action: Action,
    /// Who wishes it.
    pub provenance: Provenance,
}

impl Draft {
    /// Creates a draft with a new id.
    pub fn new(action: Action, provenance: Provenance) -> Self {
        Self {
            id: OperationId::new(),
            action,
            provenance,
        }
    }
}

/// What a draft wishes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Write a memory; joins an existing one that says the same.
    Remember {
        /// The memory.
        memory: Box<NewMemory>,
    },
    /// Change fields of a memory.
    Edit {
        /// The memory, by any of its ids.
        memory: MemoryId,
        /// The changed fields only.
        fields: Box<Fields>,
        /// The version the author saw; `None` takes the version at the time of writing.
        #[serde(default)]
        version: Option<Vec<Stamp>>,
    },
    /// Put a tombstone on a memory.
    Delete {
        /// The memory.
        memory: MemoryId,
    },
    /// Lift the tombstones that are on a memory now.
    Restore {
        /// The memory.
        memory: MemoryId,
    },
    /// Drop the words of a memory for good, in the log too.
    Purge {
        /// The memory.
        memory: MemoryId,
    },
    /// Say whether a memory helped.
    Feedback {
        /// The memory.
        memory: MemoryId,
        /// The opinion.
        verdict: Verdict,
        /// Free words.
        #[serde(default)]
        note: Option<String>,
        /// The recall that showed it.
        #[serde(default)]
        receipt: Option<ReceiptId>,
    },
    /// Change what is known about a line.
    Line {
        /// The line.
        line: LineId,
        /// The changed fields only.
        fields: Box<LineFields>,
    },
}

/// A memory that has not been written yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NewMemory {
    /// Minted before any lock.
    pub id: MemoryId,
    /// What it says something about.
    pub kind: MemoryKind,
    /// One line.
    pub title: String,
    /// The whole text.
    pub text: String,
    /// Where it holds.
    pub scope: Scope,
    /// What it cites.
    pub anchors: Vec<Anchor>,
    /// Free words to find it by.
    pub tags: Vec<String>,
    /// Whether it is in force at once.
    pub status: Status,
    /// How far it is believed.
    pub trust: Trust,
    /// Who may see it.
    pub visibility: Visibility,
    /// When it stops being recalled.
    #[serde(default)]
    pub expires: Option<Timestamp>,
    /// Who wrote it first, when that is not the writer of the draft (restore, import).
    #[serde(default)]
    pub origin: Option<Provenance>,
    /// What it went through before, when it comes from another store (restore).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past: Option<Past>,
    /// Write it even where an existing memory says the same (restore of an export).
    #[serde(default)]
    pub keep_apart: bool,
}

impl NewMemory {
    /// Creates an active, local memory that holds in `scope`, titled by its first sentence.
    pub fn new(kind: MemoryKind, text: impl Into<String>, scope: Scope, trust: Trust) -> Self {
        let text = text.into();
        Self {
            id: MemoryId::new(),
            kind,
            title: super::title_of(&text),
            text,
            scope,
            anchors: Vec::new(),
            tags: Vec::new(),
            status: Status::Active,
            trust,
            visibility: Visibility::Local,
            expires: None,
            origin: None,
            past: None,
            keep_apart: false,
        }
    }
}

/// What a memory went through in the store that it comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Past {
    /// When one of its fields was last written.
    pub updated: Timestamp,
    /// What happened to it.
    pub stats: Stats,
}

impl Past {
    /// Creates a past.
    pub fn new(updated: Timestamp, stats: Stats) -> Self {
        Self { updated, stats }
    }
}

/// Fields of a memory; what is `None` or empty stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Fields {
    /// New kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<MemoryKind>,
    /// New title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// New text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// New scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// New anchors, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchors: Option<Vec<Anchor>>,
    /// Tags to add.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub add_tags: Vec<String>,
    /// Tags to remove.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove_tags: Vec<String>,
    /// New status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// New trust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// New visibility.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// New expiry; `Some(None)` is for ever.
    #[serde(skip_serializing_if = "Option::is_none", with = "double_option")]
    pub expires: Option<Option<Timestamp>>,
}

/// Keeps "not given" apart from "given as nothing", which plain JSON folds into one.
mod double_option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::option_option, reason = "not given, given as nothing, given")]
    #[expect(clippy::ref_option, reason = "the signature is serde's")]
    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<Option<T>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value
            .as_ref()
            .and_then(Option::as_ref)
            .serialize(serializer)
    }

    #[expect(clippy::option_option, reason = "not given, given as nothing, given")]
    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        Option::<T>::deserialize(deserializer).map(Some)
    }
}

/// Fields of a line; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct LineFields {
    /// Full reference name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The line it was cut from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<LineId>,
    /// Commit at which it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fork: Option<String>,
    /// Commit it was seen at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Where it stands in its life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<LineState>,
    /// Since when its reference is missing; `Some(None)` when it is there again.
    #[serde(skip_serializing_if = "Option::is_none", with = "double_option")]
    pub missing: Option<Option<Timestamp>>,
    /// Whether a person said that it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<bool>,
}

named! {
    /// An opinion on a memory.
    pub enum Verdict ("verdict") {
        /// It helped.
        Helpful = "helpful",
        /// It did harm: wrong, stale or distracting.
        Harmful = "harmful",
    }
}

/// What one operation of the log changed; the changed fields only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// A memory was written.
    Create {
        /// Its id.
        memory: MemoryId,
        /// All of its fields.
        fields: Box<Fields>,
        /// Who wrote it first, when that is not the writer of the operation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Provenance>,
        /// What it went through before, when it comes from another store.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        past: Option<Past>,
    },
    /// Fields of a memory were changed.
    Edit {
        /// Its id.
        memory: MemoryId,
        /// The changed ones.
        fields: Box<Fields>,
        /// The writes of a removed tag that the author saw.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        removed: Vec<(String, Stamp)>,
    },
    /// A memory was written that says what another one says already.
    Join {
        /// The id under which it was written; it resolves for ever.
        alias: MemoryId,
        /// The memory that was there.
        into: MemoryId,
        /// The words that were written.
        text: String,
    },
    /// A tombstone was put.
    Delete {
        /// The memory.
        memory: MemoryId,
    },
    /// Tombstones were lifted.
    Restore {
        /// The memory.
        memory: MemoryId,
        /// The lifted ones.
        tombstones: Vec<Stamp>,
    },
    /// The words were dropped for good.
    Purge {
        /// The memory.
        memory: MemoryId,
        /// The operations that lost their bodies.
        operations: Vec<OperationId>,
    },
    /// Somebody said whether a memory helped.
    Feedback {
        /// The memory.
        memory: MemoryId,
        /// The opinion.
        verdict: Verdict,
        /// Free words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// The recall that showed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<ReceiptId>,
    },
    /// Something about a line changed.
    Line {
        /// The line.
        line: LineId,
        /// The changed fields.
        fields: Box<LineFields>,
    },
}

impl Change {
    /// Returns the memory that the change is about.
    pub fn memory(&self) -> Option<MemoryId> {
        match self {
            Self::Create { memory, .. }
            | Self::Edit { memory, .. }
            | Self::Join { into: memory, .. }
            | Self::Delete { memory }
            | Self::Restore { memory, .. }
            | Self::Purge { memory, .. }
            | Self::Feedback { memory, .. } => Some(*memory),
            Self::Line { .. } => None,
        }
    }

    /// Returns the lower-case verb that `memorax log` prints.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Edit { .. } => "edit",
            Self::Join { .. } => "join",
            Self::Delete { .. } => "delete",
            Self::Restore { .. } => "restore",
            Self::Purge { .. } => "purge",
            Self::Feedback { .. } => "feedback",
            Self::Line { .. } => "line",
        }
    }
}

/// The words of an operation: what is hashed with a salt, and dropped by a purge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Payload {
    /// Who, when, from what.
    pub provenance: Provenance,
    /// The versions of the memory that the author saw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub version: Vec<Stamp>,
    /// What changed.
    #[serde(flatten)]
    pub change: Change,
}

impl Payload {
    /// Creates a payload.
    pub fn new(provenance: Provenance, version: Vec<Stamp>, change: Change) -> Self {
        Self {
            provenance,
            version,
            change,
        }
    }
}

/// One entry of the log: a link of the chain of one (space, device, incarnation).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Operation {
    /// Random id.
    pub id: OperationId,
    /// Unit of sharing.
    pub space: SpaceId,
    /// Installation that wrote.
    pub device: DeviceId,
    /// Lineage of the store that wrote.
    pub incarnation: IncarnationId,
    /// Position in the chain, from 0 without gaps.
    pub index: u64,
    /// Hash of the operation before it; zeros at index 0.
    pub previous: [u8; 32],
    /// Hybrid logical time of writing.
    pub time: HybridTime,
    /// SHA-256 of salt and body.
    pub body_hash: [u8; 32],
    /// Salt and body; `None` after a purge.
    pub body: Option<Body>,
    /// The memory whose purge dropped the body. Not hashed: it says why the body is missing, and is believed only
    /// where the log has that purge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purged: Option<MemoryId>,
}

/// Salt and bytes of an operation's payload (JSON).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Body {
    /// Random salt: without it, the hash of a purged body would give its words to anyone who can guess them.
    pub salt: [u8; 16],
    /// The payload as JSON, byte for byte as it was hashed.
    pub bytes: Vec<u8>,
}

impl Body {
    /// Builds a body.
    pub fn new(salt: [u8; 16], bytes: Vec<u8>) -> Self {
        Self { salt, bytes }
    }
}

impl Operation {
    /// Returns the stamp that the operation leaves on the fields it writes.
    pub fn stamp(&self) -> Stamp {
        Stamp::new(self.time, self.id)
    }
}

/// What became of one draft.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A new memory was written.
    Created(MemoryId),
    /// The text was known already: the given alias now names the memory.
    Joined {
        /// Id that the caller minted.
        alias: MemoryId,
        /// Memory that it names.
        into: MemoryId,
    },
    /// Something about a memory or line changed.
    Changed,
    /// The draft had been applied before, or asked for what is already so.
    Unchanged,
    /// Another process holds the write lock: the draft is safe in the inbox and will be applied by the next writer.
    Queued,
    /// The draft cannot be applied to this store; the reason is kept and shown by `status`.
    Refused(String),
}

impl Outcome {
    /// Returns the lower-case name that bindings and `--json` print.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Joined { .. } => "joined",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Queued => "queued",
            Self::Refused(_) => "refused",
        }
    }
}
