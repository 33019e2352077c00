//! How concurrent changes of one memory merge: the record is the join of its operations, whatever their order.
//!
//! A field is a register of versions. A version is gone once a later write names it among the versions its author
//! saw; what remains are concurrent writes, of which one is shown. Tags are an observed-remove set, tombstones are
//! lifted only by name. So partial, repeated and reordered delivery end in the same record
//! (Shapiro et al. 2011, state-based CRDTs; multi-value registers as in DeCandia et al. 2007).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    Anchor, Change, Error, ErrorKind, Fields, LineId, LineState, Memory, MemoryId, MemoryKind,
    Operation, Payload, Provenance, Result, Scope, Stamp, Stats, Status, Timestamp, Trust, Verdict,
    Visibility,
};

/// A field that several authors may write at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Register<T> {
    /// Versions that no known write has replaced, by stamp.
    versions: BTreeMap<StampKey, T>,
    /// Stamps that a known write has replaced.
    #[serde(default = "BTreeSet::new", skip_serializing_if = "BTreeSet::is_empty")]
    covered: BTreeSet<StampKey>,
}

/// A stamp as a string, so that it can be a key in JSON: fixed-width time, then the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StampKey(pub(crate) Stamp);

impl Serialize for StampKey {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!(
            "{:016x}.{}",
            self.0.time.to_bits(),
            self.0.operation
        ))
    }
}

impl<'de> Deserialize<'de> for StampKey {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        use serde::de::Error as _;
        let text = String::deserialize(deserializer)?;
        let (time, operation) = text
            .split_once('.')
            .ok_or_else(|| D::Error::custom("stamp without a point"))?;
        let time = u64::from_str_radix(time, 16).map_err(D::Error::custom)?;
        let operation = operation.parse().map_err(D::Error::custom)?;
        Ok(Self(Stamp::new(
            crate::HybridTime::from_bits(time),
            operation,
        )))
    }
}

impl<T> Default for Register<T> {
    fn default() -> Self {
        Self {
            versions: BTreeMap::new(),
            covered: BTreeSet::new(),
        }
    }
}

impl<T: Clone + PartialEq> Register<T> {
    /// Joins one write: `seen` are the stamps that its author knew.
    pub(crate) fn write(&mut self, stamp: Stamp, seen: &[Stamp], value: T) {
        for stamp in seen {
            self.versions.remove(&StampKey(*stamp));
            self.covered.insert(StampKey(*stamp));
        }
        if !self.covered.contains(&StampKey(stamp)) {
            self.versions.insert(StampKey(stamp), value);
        }
    }

    /// Returns the latest of the versions that stand.
    pub(crate) fn latest(&self) -> Option<&T> {
        self.versions.last_key_value().map(|(_, value)| value)
    }

    /// Returns the version that ranks highest; the latest among equals.
    fn highest<K: Ord>(&self, rank: impl Fn(&T) -> K) -> Option<&T> {
        self.versions.values().max_by_key(|value| rank(value))
    }

    /// Returns the versions that stand and are not shown.
    fn others(&self) -> impl Iterator<Item = &T> {
        let shown = self.latest();
        self.versions
            .values()
            .rev()
            .skip(1)
            .filter(move |value| Some(*value) != shown)
    }

    fn stamps(&self) -> impl Iterator<Item = Stamp> + '_ {
        self.versions.keys().map(|key| key.0)
    }
}

/// Everything known about one memory: the join of the operations about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Record {
    created: Option<Created>,
    kind: Register<MemoryKind>,
    title: Register<String>,
    text: Register<String>,
    scope: Register<Scope>,
    anchors: Register<Vec<Anchor>>,
    status: Register<Status>,
    trust: Register<Trust>,
    visibility: Register<Visibility>,
    expires: Register<Option<Timestamp>>,
    /// Writes of each tag that were not taken back.
    tags: BTreeMap<String, BTreeSet<StampKey>>,
    /// Writes of tags that were taken back.
    removed: BTreeSet<(String, StampKey)>,
    tombstones: BTreeSet<StampKey>,
    lifted: BTreeSet<StampKey>,
    purged: bool,
    repeated: u32,
    helpful: u32,
    harmful: u32,
    updated: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Created {
    stamp: StampKey,
    provenance: Provenance,
}

impl Record {
    /// Joins one operation about this memory.
    pub(crate) fn join(&mut self, operation: &Operation, payload: &Payload) {
        if self.purged {
            return;
        }
        let stamp = operation.stamp();
        match &payload.change {
            Change::Create {
                fields,
                origin,
                past,
                ..
            } => {
                if self
                    .created
                    .as_ref()
                    .is_none_or(|created| StampKey(stamp) < created.stamp)
                {
                    let provenance = origin.clone().unwrap_or_else(|| payload.provenance.clone());
                    self.created = Some(Created {
                        stamp: StampKey(stamp),
                        provenance,
                    });
                }
                self.write(stamp, &payload.version, fields, &[]);
                if let Some(past) = past {
                    self.repeated = self.repeated.saturating_add(past.stats.repeated);
                    self.helpful = self.helpful.saturating_add(past.stats.helpful);
                    self.harmful = self.harmful.saturating_add(past.stats.harmful);
                    // A file may claim any time; nothing was written after it was read.
                    self.updated = self.updated.max(past.updated.min(payload.provenance.at));
                    return;
                }
            }
            Change::Edit {
                fields, removed, ..
            } => self.write(stamp, &payload.version, fields, removed),
            Change::Join { .. } => self.repeated += 1,
            Change::Delete { .. } => {
                self.tombstones.insert(StampKey(stamp));
            }
            Change::Restore { tombstones, .. } => {
                self.lifted.extend(tombstones.iter().copied().map(StampKey));
            }
            Change::Purge { .. } => {
                *self = Self {
                    purged: true,
                    ..Self::default()
                };
                return;
            }
            Change::Feedback { verdict, .. } => match verdict {
                Verdict::Helpful => self.helpful += 1,
                Verdict::Harmful => self.harmful += 1,
            },
            Change::Line { .. } => return,
        }
        if !matches!(
            payload.change,
            Change::Feedback { .. } | Change::Join { .. }
        ) {
            self.updated = self.updated.max(payload.provenance.at);
        }
    }

    fn write(
        &mut self,
        stamp: Stamp,
        seen: &[Stamp],
        fields: &Fields,
        removed: &[(String, Stamp)],
    ) {
        fn set<T: Clone + PartialEq>(
            register: &mut Register<T>,
            stamp: Stamp,
            seen: &[Stamp],
            value: Option<&T>,
        ) {
            if let Some(value) = value {
                register.write(stamp, seen, value.clone());
            }
        }
        set(&mut self.kind, stamp, seen, fields.kind.as_ref());
        set(&mut self.title, stamp, seen, fields.title.as_ref());
        set(&mut self.text, stamp, seen, fields.text.as_ref());
        set(&mut self.scope, stamp, seen, fields.scope.as_ref());
        set(&mut self.anchors, stamp, seen, fields.anchors.as_ref());
        set(&mut self.status, stamp, seen, fields.status.as_ref());
        set(&mut self.trust, stamp, seen, fields.trust.as_ref());
        set(
            &mut self.visibility,
            stamp,
            seen,
            fields.visibility.as_ref(),
        );
        set(&mut self.expires, stamp, seen, fields.expires.as_ref());
        for (tag, written) in removed {
            self.removed.insert((tag.clone(), StampKey(*written)));
        }
        for tag in &fields.add_tags {
            self.tags
                .entry(tag.clone())
                .or_default()
                .insert(StampKey(stamp));
        }
        let taken_back = &self.removed;
        self.tags.retain(|tag, writes| {
            writes.retain(|write| !taken_back.contains(&(tag.clone(), *write)));
            !writes.is_empty()
        });
    }

    /// Says whether a tombstone stands.
    pub(crate) fn is_deleted(&self) -> bool {
        self.purged || self.tombstones.difference(&self.lifted).next().is_some()
    }

    /// Says whether the words were dropped for good.
    pub(crate) fn is_purged(&self) -> bool {
        self.purged
    }

    /// Returns the tombstones that stand.
    pub(crate) fn standing_tombstones(&self) -> Vec<Stamp> {
        self.tombstones
            .difference(&self.lifted)
            .map(|key| key.0)
            .collect()
    }

    /// Returns the writes of a tag that stand.
    pub(crate) fn writes_of_tag(&self, tag: &str) -> Vec<Stamp> {
        self.tags
            .get(tag)
            .into_iter()
            .flatten()
            .map(|key| key.0)
            .collect()
    }

    /// Returns the stamps of all versions that stand: what an author who sees this record has seen.
    pub(crate) fn version(&self) -> Vec<Stamp> {
        let stamps: BTreeSet<Stamp> = self
            .kind
            .stamps()
            .chain(self.title.stamps())
            .chain(self.text.stamps())
            .chain(self.scope.stamps())
            .chain(self.anchors.stamps())
            .chain(self.status.stamps())
            .chain(self.trust.stamps())
            .chain(self.visibility.stamps())
            .chain(self.expires.stamps())
            .collect();
        stamps.into_iter().collect()
    }

    /// Returns the memory as it is shown; `None` while its creation is unknown, and after a purge.
    pub(crate) fn memory(&self, id: MemoryId) -> Option<Memory> {
        let created = self.created.as_ref()?;
        Some(Memory {
            id,
            // A rejection, a narrower visibility and a stricter status win over what was written at the same time.
            kind: *self.kind.highest(|kind| *kind == MemoryKind::Rejection)?,
            title: self.title.latest()?.clone(),
            text: self.text.latest()?.clone(),
            scope: self.scope.latest().cloned().unwrap_or_default(),
            anchors: self.anchors.latest().cloned().unwrap_or_default(),
            tags: self.tags.keys().cloned().collect(),
            status: self
                .status
                .highest(strictness)
                .cloned()
                .unwrap_or(Status::Active),
            trust: self
                .trust
                .highest(|trust| *trust)
                .copied()
                .unwrap_or(Trust::External),
            visibility: self
                .visibility
                .highest(|visibility| *visibility == Visibility::Local)
                .cloned()
                .unwrap_or(Visibility::Local),
            provenance: created.provenance.clone(),
            stats: Stats {
                repeated: self.repeated,
                recalled: 0,
                helpful: self.helpful,
                harmful: self.harmful,
            },
            conflicts: self.text.others().cloned().collect(),
            created: created.provenance.at,
            updated: self.updated,
            expires: self.expires.latest().copied().flatten(),
            version: self.version(),
        })
    }

    /// Encodes the record for its row.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        encode(self)
    }

    /// Decodes a row.
    pub(crate) fn decode(id: MemoryId, bytes: &[u8]) -> Result<Self> {
        decode(bytes, || format!("memory `{id}`"))
    }
}

fn strictness(status: &Status) -> u8 {
    match status {
        Status::Active => 0,
        Status::Pending => 1,
        Status::Archived => 2,
        Status::Superseded { .. } => 3,
        Status::Invalid { .. } => 4,
    }
}

/// Everything known about one line: the join of the operations about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LineRecord {
    created: Option<(StampKey, Timestamp)>,
    reference: Register<String>,
    parent: Register<LineId>,
    fork: Register<String>,
    tip: Register<String>,
    state: Register<LineState>,
    missing: Register<Option<Timestamp>>,
    held: Register<bool>,
    updated: Timestamp,
}

impl LineRecord {
    /// Joins one operation about this line.
    pub(crate) fn join(&mut self, operation: &Operation, payload: &Payload) {
        let Change::Line { fields, .. } = &payload.change else {
            return;
        };
        let (stamp, seen) = (operation.stamp(), payload.version.as_slice());
        let at = payload.provenance.at;
        if self
            .created
            .as_ref()
            .is_none_or(|(created, _)| StampKey(stamp) < *created)
        {
            self.created = Some((StampKey(stamp), at));
        }
        if let Some(reference) = &fields.reference {
            self.reference.write(stamp, seen, reference.clone());
        }
        if let Some(parent) = fields.parent {
            self.parent.write(stamp, seen, parent);
        }
        if let Some(fork) = &fields.fork {
            self.fork.write(stamp, seen, fork.clone());
        }
        if let Some(tip) = &fields.tip {
            self.tip.write(stamp, seen, tip.clone());
        }
        if let Some(state) = &fields.state {
            self.state.write(stamp, seen, state.clone());
        }
        if let Some(missing) = fields.missing {
            self.missing.write(stamp, seen, missing);
        }
        if let Some(held) = fields.held {
            self.held.write(stamp, seen, held);
        }
        self.updated = self.updated.max(at);
    }

    /// Returns the stamps of all versions that stand.
    pub(crate) fn version(&self) -> Vec<Stamp> {
        let stamps: BTreeSet<Stamp> = self
            .reference
            .stamps()
            .chain(self.parent.stamps())
            .chain(self.fork.stamps())
            .chain(self.tip.stamps())
            .chain(self.state.stamps())
            .chain(self.missing.stamps())
            .chain(self.held.stamps())
            .collect();
        stamps.into_iter().collect()
    }

    /// Returns the line as it is shown.
    pub(crate) fn line(&self, id: LineId) -> Option<crate::Line> {
        let (_, created) = self.created.as_ref()?;
        let mut line = crate::Line::new(id, self.reference.latest()?.clone(), *created);
        line.parent = self.parent.latest().copied();
        line.fork = self.fork.latest().cloned();
        line.tip = self.tip.latest().cloned();
        line.state = self.state.latest().cloned().unwrap_or(LineState::Open);
        line.missing = self.missing.latest().copied().flatten();
        line.held = self.held.latest().copied().unwrap_or(false);
        line.updated = self.updated;
        Some(line)
    }

    /// Encodes the record for its row.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        encode(self)
    }

    /// Decodes a row.
    pub(crate) fn decode(id: LineId, bytes: &[u8]) -> Result<Self> {
        decode(bytes, || format!("line `{id}`"))
    }
}

/// Encodes a value as JSON: self-describing, so that fields can be added without a new format.
pub(crate) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| {
        Error::new(ErrorKind::InvalidInput, "cannot encode a record").with_source(error)
    })
}

/// Decodes JSON; `what` names the thing in the error.
pub(crate) fn decode<T: for<'de> Deserialize<'de>>(
    bytes: &[u8],
    what: impl Fn() -> String,
) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        Error::new(ErrorKind::Corrupted, format!("cannot decode {}", what()))
            .with_source(error)
            .with_hint("memorax verify, then memorax repair")
    })
}
