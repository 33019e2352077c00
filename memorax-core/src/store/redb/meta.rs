//! The small file beside a store that says how to read it, and is checked before anything is opened.

use std::path::Path;

use serde_json::{Map, Value};

use super::salvage::FileState;
use crate::{Error, ErrorKind, Result, disk};

/// What this version writes and can read. Every other value belongs to another version, which must not be harmed.
const FORMAT: [(&str, FormatValue); 4] = [
    ("layout", FormatValue::Number(1)),
    ("engine", FormatValue::Name("redb4")),
    ("lock_generation", FormatValue::Number(1)),
    ("cipher", FormatValue::Name("none")),
];

/// Field that lists what repairs could not bring back.
const LOSSES: &str = "losses";

const STATES: [FileState; 3] = [FileState::Damaged, FileState::Empty, FileState::Gone];

#[derive(Clone, Copy)]
enum FormatValue {
    Number(u64),
    Name(&'static str),
}

impl FormatValue {
    fn to_json(self) -> Value {
        match self {
            Self::Number(number) => number.into(),
            Self::Name(name) => name.into(),
        }
    }
}

/// The contents of `<space>.meta.json`: fields of other versions are kept as they are.
#[derive(Clone, Debug)]
pub(super) struct Meta(Map<String, Value>);

/// A file that was lost with its rows; a repair began a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The generation that the file held.
    pub generation: u64,
    /// In which state the file was found.
    pub state: FileState,
    /// Day of the repair.
    pub on: String,
}

impl Meta {
    /// Describes a store that this version writes.
    pub(super) fn new(generation: u64) -> Self {
        let mut fields = Map::new();
        for (name, value) in FORMAT {
            fields.insert(name.into(), value.to_json());
        }
        fields.insert("generation".into(), generation.into());
        fields.insert(
            "created_by".into(),
            concat!("memorax ", env!("CARGO_PKG_VERSION")).into(),
        );
        Self(fields)
    }

    /// Reads and checks the file; `None` when there is none.
    ///
    /// # Errors
    /// `Incompatible` when another version wrote the store, `Corrupted` when the file cannot be understood.
    pub(super) fn read(path: &Path) -> Result<Option<Self>> {
        let bytes = match disk::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let fields = serde_json::from_slice(&bytes).map_err(|source| {
            Error::new(
                ErrorKind::Corrupted,
                format!("cannot understand `{}`", path.display()),
            )
            .with_source(source)
            .with_hint("memorax repair")
        })?;
        let meta = Self(fields);
        meta.check(path)?;
        Ok(Some(meta))
    }

    /// Writes the file.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(&self.0).expect("a map of JSON values is JSON");
        text.push(b'\n');
        disk::write_atomic(path, &text)
    }

    /// Returns which file holds the rows.
    pub(super) fn generation(&self) -> u64 {
        self.0
            .get("generation")
            .and_then(Value::as_u64)
            .expect("`check` looked at the generation")
    }

    /// Names the file that holds the rows now.
    pub(super) fn set_generation(&mut self, generation: u64) {
        self.0.insert("generation".into(), generation.into());
    }

    /// Returns what repairs could not bring back.
    pub(super) fn losses(&self) -> Vec<Loss> {
        let losses = self.0.get(LOSSES).and_then(Value::as_array);
        let loss = |value: &Value| {
            let state = value.get("state")?.as_str()?;
            Some(Loss {
                generation: value.get("generation")?.as_u64()?,
                state: STATES
                    .into_iter()
                    .find(|known| known.as_str() == state)
                    .unwrap_or(FileState::Damaged),
                on: value.get("on")?.as_str()?.to_owned(),
            })
        };
        losses.into_iter().flatten().filter_map(loss).collect()
    }

    /// Writes down what a repair could not bring back.
    pub(super) fn add_loss(&mut self, loss: &Loss) {
        let value = serde_json::json!({
            "generation": loss.generation,
            "state": loss.state.as_str(),
            "on": loss.on,
        });
        match self.0.get_mut(LOSSES).and_then(Value::as_array_mut) {
            Some(losses) => losses.push(value),
            None => {
                self.0.insert(LOSSES.into(), Value::Array(vec![value]));
            }
        }
    }

    fn check(&self, path: &Path) -> Result<()> {
        for (name, known) in FORMAT {
            let found = self.0.get(name).unwrap_or(&Value::Null);
            if *found != known.to_json() {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "`{}` says {name} {found}, this version knows {}",
                        path.display(),
                        known.to_json()
                    ),
                )
                .with_hint("install the newest memorax; the store was left as it is"));
            }
        }
        match self.0.get("generation").and_then(Value::as_u64) {
            Some(1..) => Ok(()),
            _ => Err(Error::new(
                ErrorKind::Corrupted,
                format!("`{}` names no generation", path.display()),
            )
            .with_hint("memorax repair")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_known_format_is_accepted_and_unknown_fields_are_kept()
    -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("local.meta.json");
        assert!(Meta::read(&path)?.is_none());
        for (name, value) in [
            ("layout", Value::from(2)),
            ("engine", "redb5".into()),
            ("lock_generation", "1".into()),
            ("cipher", "aes".into()),
        ] {
            let mut meta = Meta::new(1);
            meta.0.insert(name.into(), value);
            meta.write(&path)?;
            let error = Meta::read(&path).expect_err("an unknown value was accepted");
            assert_eq!(error.kind(), ErrorKind::Incompatible, "{name}");
        }
        let mut meta = Meta::new(3);
        meta.0.insert("later".into(), true.into());
        meta.write(&path)?;
        let mut meta = Meta::read(&path)?.expect("it was just written");
        assert_eq!(meta.generation(), 3);
        meta.set_generation(4);
        meta.write(&path)?;
        let meta = Meta::read(&path)?.expect("it was just written");
        assert_eq!(
            (meta.generation(), meta.0.get("later")),
            (4, Some(&true.into()))
        );
        Ok(())
    }
}
