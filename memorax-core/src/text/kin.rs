//! Other words for the same thing: forms of a word, and what developers say instead.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::words::words;

/// A line is one family: before `|` forms of the word that all mean it, after it words that are near in meaning. Only
/// the former lead to the latter.
const TABLE: &str = include_str!("kin.txt");

/// How much another form of a word counts for it.
const FORM: f32 = 0.95;
/// How much a derived form counts that a rule made: it may be another word by accident.
const DERIVED: f32 = 0.85;
/// How much a word of near meaning counts.
const NEAR: f32 = 0.6;

/// Endings that make one word of another and keep its meaning; the rest of the word must have four letters.
const ENDINGS: &[&str] = &["ment", "ation", "ion", "er", "or", "abl"];

/// Returns other words by which a text may mean a word, and how much each counts, below 1; sorted by word.
///
/// ```
/// use memorax_core::text::relatives;
/// let deploy = relatives("deploy");
/// assert!(deploy.iter().any(|(word, share)| word == "deployment" && *share > 0.9));
/// assert!(deploy.iter().any(|(word, share)| word == "ship" && *share < 0.7));
/// ```
///
/// The word and what is returned are words as [`words`](super::words()) gives them.
pub fn relatives(word: &str) -> Vec<(String, f32)> {
    static FAMILIES: LazyLock<HashMap<String, Vec<(String, f32)>>> = LazyLock::new(families);
    let mut relatives: BTreeMap<String, f32> = BTreeMap::new();
    let mut add = |other: String, share: f32| {
        if other != word {
            let place = relatives.entry(other).or_insert(share);
            *place = place.max(share);
        }
    };
    for (other, share) in FAMILIES.get(word).into_iter().flatten() {
        add(other.clone(), *share);
    }
    if word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        for form in inflected(word) {
            add(form, FORM);
        }
        for form in derived(word) {
            add(form, DERIVED);
        }
    }
    relatives.into_iter().collect()
}

fn families() -> HashMap<String, Vec<(String, f32)>> {
    let mut families: HashMap<String, Vec<(String, f32)>> = HashMap::new();
    for line in TABLE.lines() {
        let (forms, near) = line.split_once('|').unwrap_or((line, ""));
        // The first word of a compound is its whole; the parts would lead astray.
        let wholes = |text: &str| -> Vec<String> {
            text.split_whitespace()
                .filter_map(|word| words(word).into_iter().next())
                .collect()
        };
        let forms = wholes(forms);
        let near = wholes(near);
        for form in &forms {
            let family = families.entry(form.clone()).or_default();
            family.extend(forms.iter().map(|other| (other.clone(), FORM)));
            family.extend(near.iter().map(|other| (other.clone(), NEAR)));
        }
    }
    families
}

/// Returns forms that the stemmer leaves apart, because what would stay is short: `use`, `used` and `using`.
fn inflected(word: &str) -> Vec<String> {
    let mut bases = Vec::new();
    for ending in ["ing", "ed"] {
        if let Some(rest) = word.strip_suffix(ending)
            && (2..4).contains(&rest.len())
        {
            bases.push(rest.to_owned());
            bases.push(format!("{rest}e"));
        }
    }
    if bases.is_empty() && word.len() <= 4 {
        bases.push(word.to_owned());
    }
    let mut forms = Vec::new();
    for base in bases {
        let root = base.strip_suffix('e').unwrap_or(&base);
        forms.push(format!("{root}ing"));
        forms.push(format!("{root}ed"));
        forms.push(base);
    }
    forms
}

/// Returns words that are made of this one, and the one that this is made of.
fn derived(word: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for ending in ENDINGS {
        match word.strip_suffix(ending) {
            Some(root) if root.len() >= 4 => forms.push(root.to_owned()),
            None if word.len() >= 4 => forms.push(format!("{word}{ending}")),
            _ => {}
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn leads(from: &str, to: &str) {
        let (from, to) = (&words(from)[0], &words(to)[0]);
        assert!(
            from == to || relatives(from).iter().any(|(word, _)| word == to),
            "{from} to {to}: {:?}",
            relatives(from)
        );
    }

    #[test]
    fn forms_of_a_word_lead_to_each_other() {
        for (one, other) in [
            ("use", "using"),
            ("losing", "lose"),
            ("deployment", "deploying"),
            ("migrated", "migration"),
            ("compiles", "compilation"),
            ("configured", "configuration"),
            ("retrained", "training"),
            ("exporter", "exported"),
        ] {
            leads(one, other);
            leads(other, one);
        }
    }

    #[test]
    fn near_words_do_not_lead_on() {
        leads("linter", "clippy");
        let lint = relatives("lint");
        assert!(lint.iter().all(|(word, _)| word != "css"), "{lint:?}");
    }

    #[test]
    fn every_family_says_something() {
        for line in TABLE.lines() {
            let words: Vec<&str> = line
                .split_whitespace()
                .filter(|word| *word != "|")
                .collect();
            assert!(words.len() > 1, "{line}");
        }
    }
}
