//! INI files as Python's tools write them: sections, keys, continued values.

/// Sections in order, each with its keys and values.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ini {
    sections: Vec<(String, Vec<(String, String)>)>,
}

impl Ini {
    /// Reads a file; lines that are neither a section nor a key are left out.
    pub(super) fn parse(text: &str) -> Self {
        let mut ini = Self::default();
        for line in text.lines() {
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = line
                .strip_prefix('[')
                .and_then(|rest| rest.split(']').next())
            {
                ini.sections.push((name.trim().to_owned(), Vec::new()));
                continue;
            }
            let Some((_, keys)) = ini.sections.last_mut() else {
                continue;
            };
            if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = keys.last_mut() {
                    value.push('\n');
                    value.push_str(trimmed);
                }
            } else if let Some((key, value)) = line.split_once(['=', ':']) {
                keys.push((key.trim().to_owned(), value.trim().to_owned()));
            }
        }
        ini
    }

    pub(super) fn get(&self, section: &str, key: &str) -> Option<&str> {
        let (_, keys) = self.sections.iter().find(|(name, _)| name == section)?;
        keys.iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.trim())
    }

    pub(super) fn has(&self, section: &str) -> bool {
        self.sections.iter().any(|(name, _)| name == section)
    }

    pub(super) fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|(name, _)| name.as_str())
    }
}
