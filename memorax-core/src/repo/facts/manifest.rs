//! Names that manifests give to packages, which imports elsewhere in the repository are resolved by.

use super::Language;

/// Returns the package's name as one import entry (`n name`).
pub(super) fn package_name(text: &str, language: Language) -> Option<String> {
    let name = match language {
        Language::TOML => toml_name(text)?,
        Language::GO_MOD => text
            .lines()
            .find_map(|line| line.trim().strip_prefix("module "))?
            .trim()
            .trim_matches('"'),
        Language::JSON => json_name(text)?,
        _ => return None,
    };
    let plausible = !name.is_empty() && name.len() <= 200 && !name.contains(char::is_whitespace);
    plausible.then(|| format!("n {name}"))
}

/// Reads `name = "..."` in the table `[package]`.
fn toml_name(text: &str) -> Option<&str> {
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[package]";
        } else if inside
            && let Some(rest) = line.strip_prefix("name")
            && let Some(value) = rest.trim_start().strip_prefix('=')
        {
            return value.trim().split('"').nth(1);
        }
    }
    None
}

/// Reads `"name"` of a short JSON object.
fn json_name(text: &str) -> Option<&str> {
    const LONGEST: usize = 20_000;
    if text.len() > LONGEST || !text.trim_start().starts_with('{') {
        return None;
    }
    let after = text.split_once("\"name\"")?.1;
    let value = after.trim_start().strip_prefix(':')?.trim_start();
    value.strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::{Language, package_name};

    #[test]
    fn each_manifest_names_its_package() {
        let cargo = "[workspace]\nname = \"no\"\n[package]\nname = \"my-crate\" # yes\n";
        for (text, language, name) in [
            (cargo, Language::TOML, Some("n my-crate")),
            (
                "module example.com/a/b\n\ngo 1.20\n",
                Language::GO_MOD,
                Some("n example.com/a/b"),
            ),
            ("{ \"name\" : \"@a/b\" }", Language::JSON, Some("n @a/b")),
            ("[tool]\nname = \"x\"", Language::TOML, None),
        ] {
            assert_eq!(package_name(text, language).as_deref(), name);
        }
    }
}
