//! Names that somebody may have meant.

/// Longest name that is compared letter by letter.
const LONGEST: usize = 120;

/// Returns the names that come nearest to an unknown one, best first.
///
/// ```
/// use memorax_core::repo::near_names;
/// let names = ["src/store/redb.rs", "src/main.rs", "docs/redb.md"];
/// assert_eq!(near_names("src/redb.rs", names, 1), ["src/store/redb.rs"]);
/// assert!(near_names("nothing", names, 3).is_empty());
/// ```
pub fn near_names<'n>(
    asked: &str,
    names: impl IntoIterator<Item = &'n str>,
    most: usize,
) -> Vec<String> {
    let asked = asked.to_lowercase();
    let last = last_part(&asked);
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for name in names {
        let lower = name.to_lowercase();
        let own = last_part(&lower);
        let distance = if lower == asked {
            0
        } else if own == last {
            1
        } else if let Some(edits) =
            edits(own, last).filter(|edits| *edits <= own.len().max(last.len()) / 3)
        {
            1 + edits
        } else if last.len() >= 4 && own.contains(last) {
            4
        } else {
            continue;
        };
        let far = lower.len().abs_diff(asked.len());
        found.push((distance, far, name));
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(most);
    found
        .into_iter()
        .map(|(_, _, name)| name.to_owned())
        .collect()
}

fn last_part(name: &str) -> &str {
    name.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(name)
}

/// Counts the letters that differ (Levenshtein); `None` where the lengths alone say that it is far.
fn edits(one: &str, other: &str) -> Option<usize> {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longest = one.len().max(other.len());
    if longest > LONGEST || one.len().abs_diff(other.len()) > longest / 3 {
        return None;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (down, left) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = down + 1;
        for (across, right) in other.iter().enumerate() {
            let above = row[across + 1];
            let replaced = diagonal + usize::from(left != right);
            row[across + 1] = replaced.min(above + 1).min(row[across] + 1);
            diagonal = above;
        }
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_forgiven() {
        assert_eq!(edits("recall", "recal"), Some(1));
        assert_eq!(
            near_names("Retreiver", ["Retriever", "Reader"], 2),
            ["Retriever"]
        );
    }
}
