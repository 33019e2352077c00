//! The small file beside a store that says how to read it, and is checked before anything is opened.

use std::path::Path;

use serde_json::{Map, Value};

use crate::{Error, ErrorKind, Result, disk};

/// What this version writes and can read. Every other value belongs to another version, which must not be harmed.
const FORMAT: [(&str, FormatValue); 4] = [
    ("layout", FormatValue::Number(1)),
    ("engine", FormatValue::Name("redb4")),
    ("lock_generation", FormatValue::Number(1)),
    ("cipher", FormatValue::Name("none")),
];

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
