//! YAML as plain data, in the order of the file.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser};

/// Most values in one file, aliases counted as often as they are used: an alias bomb ends here.
const MOST_VALUES: usize = 100_000;
/// Deepest nesting.
const DEEPEST: usize = 64;

/// A YAML value; every scalar is text, as CI files and linters write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// Reads the first document of a file.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut loader = Loader::default();
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|error| error.to_string())?;
            if let Some(value) = loader.take(event)? {
                return Ok(value);
            }
        }
        Ok(Self::Map(Vec::new()))
    }

    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the entries of a map; nothing for other values.
    pub(super) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list, a single text as one item.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Text(_) => std::slice::from_ref(self),
            Self::Map(_) => &[],
        }
    }
}

enum Open {
    List(Vec<Yaml>, usize),
    Map(Vec<(String, Yaml)>, Option<String>, usize),
}

#[derive(Default)]
struct Loader {
    open: Vec<Open>,
    anchors: BTreeMap<usize, (Yaml, usize)>,
    values: usize,
}

impl Loader {
    /// Takes one event; returns the document when it is complete.
    fn take(&mut self, event: Event<'_>) -> Result<Option<Yaml>, String> {
        match event {
            Event::Scalar(text, _, anchor, _) => {
                self.close(Yaml::Text(text.into_owned()), anchor, 1)
            }
            Event::Alias(anchor) => {
                let (value, size) = self
                    .anchors
                    .get(&anchor)
                    .cloned()
                    .ok_or("an unknown alias")?;
                self.close(value, 0, size)
            }
            Event::SequenceStart(anchor, _) => self.begin(Open::List(Vec::new(), anchor)),
            Event::MappingStart(anchor, _) => self.begin(Open::Map(Vec::new(), None, anchor)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(items, anchor)) => self.close(Yaml::List(items), anchor, 1),
                Some(Open::Map(entries, _, anchor)) => self.close(Yaml::Map(entries), anchor, 1),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn begin(&mut self, open: Open) -> Result<Option<Yaml>, String> {
        if self.open.len() >= DEEPEST {
            return Err("nested too deeply".to_owned());
        }
        self.open.push(open);
        Ok(None)
    }

    fn close(&mut self, value: Yaml, anchor: usize, added: usize) -> Result<Option<Yaml>, String> {
        self.values += added;
        if self.values > MOST_VALUES {
            return Err("too many values".to_owned());
        }
        if anchor != 0 {
            self.anchors.insert(anchor, (value.clone(), size(&value)));
        }
        match self.open.last_mut() {
            None => return Ok(Some(value)),
            Some(Open::List(items, _)) => items.push(value),
            Some(Open::Map(entries, key, _)) => match key.take() {
                Some(key) => entries.push((key, value)),
                None => *key = Some(value.text().unwrap_or_default().to_owned()),
            },
        }
        Ok(None)
    }
}

fn size(value: &Yaml) -> usize {
    1 + match value {
        Yaml::Text(_) => 0,
        Yaml::List(items) => items.iter().map(size).sum(),
        Yaml::Map(entries) => entries.iter().map(|(_, value)| size(value)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_on_is_a_word() -> Result<(), String> {
        let yaml = Yaml::parse("on: push\njobs:\n  b: {run: 'x'}\n  a: [1, &x yes, *x]\n")?;
        assert_eq!(yaml.get("on").and_then(Yaml::text), Some("push"));
        let jobs = yaml.get("jobs").ok_or("no jobs")?.entries();
        assert_eq!(jobs[0].0, "b");
        let texts: Vec<_> = jobs[1].1.items().iter().filter_map(Yaml::text).collect();
        assert_eq!(texts, ["1", "yes", "yes"]);
        Ok(())
    }

    #[test]
    fn an_alias_bomb_is_an_error() {
        use std::fmt::Write;
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let previous = format!("*a{}", level - 1);
            let _ = writeln!(
                bomb,
                "a{level}: &a{level} [{}]",
                vec![previous; 9].join(", ")
            );
        }
        assert!(Yaml::parse(&bomb).is_err());
    }
}
