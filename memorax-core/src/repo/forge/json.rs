//! Understands the answers of forges and of their programs, whichever names they give to the same thing.

use serde_json::{Map, Value};

use super::Issue;
use crate::{Error, ErrorKind, Result};

/// Deepest list in a list that is looked into.
const DEEPEST: usize = 4;

/// Reads issues and pull requests from JSON: a list, several lists in one object, or one object a line. Returns them and how
/// many entries were none.
///
/// ```
/// use memorax_core::repo::parse_issues;
/// let (issues, skipped) = parse_issues(r#"[{"number": 7, "title": "It is slow", "state": "OPEN"}, 3]"#)?;
/// assert_eq!((issues[0].number, issues[0].state.as_str(), skipped), (7, "open", 1));
/// # Ok::<(), memorax_core::Error>(())
/// ```
///
/// # Errors
/// `InvalidInput` where the text is no JSON, or has no issue at all though it is not empty.
pub fn parse_issues(text: &str) -> Result<(Vec<Issue>, usize)> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut issues = Vec::new();
    let mut skipped = 0;
    // Pages of an answer follow each other without a comma, and lines are documents of their own.
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    for document in &mut documents {
        let document = document.map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "the issues are not valid JSON").with_source(error)
        })?;
        collect(&document, false, 0, &mut issues, &mut skipped);
    }
    if issues.is_empty() && skipped > 0 {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "the JSON has no issue: each needs a `number` or `iid`, and a `title`",
        ));
    }
    Ok((issues, skipped))
}

fn collect(
    value: &Value,
    requests: bool,
    depth: usize,
    issues: &mut Vec<Issue>,
    skipped: &mut usize,
) {
    match value {
        Value::Array(entries) if depth < DEEPEST => {
            for entry in entries {
                collect(entry, requests, depth + 1, issues, skipped);
            }
        }
        Value::Object(object) => {
            if let Some(issue) = issue(object, requests) {
                issues.push(issue);
                return;
            }
            let lists = object.iter().filter(|(_, value)| value.is_array());
            let before = issues.len();
            for (name, list) in lists {
                let requests = name.to_lowercase().contains("request") || name == "prs";
                collect(list, requests, depth + 1, issues, skipped);
            }
            *skipped += usize::from(issues.len() == before);
        }
        _ => *skipped += 1,
    }
}

fn issue(object: &Map<String, Value>, requests: bool) -> Option<Issue> {
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| object.get(*name)?.as_str());
        found.unwrap_or_default().to_owned()
    };
    let number = ["iid", "number"]
        .iter()
        .find_map(|name| object.get(*name)?.as_u64())?;
    let title = text(&["title"]);
    if title.is_empty() {
        return None;
    }
    let merge = object
        .get("mergeCommit")
        .and_then(|commit| commit.get("oid"))
        .or_else(|| object.get("merge_commit_sha"))
        .or_else(|| object.get("squash_commit_sha"))
        .and_then(Value::as_str);
    let is_request = requests
        || [
            "pull_request",
            "mergeCommit",
            "mergedAt",
            "merged_at",
            "source_branch",
            "headRefName",
        ]
        .iter()
        .any(|name| object.contains_key(*name));
    let merged = ["mergedAt", "merged_at"]
        .iter()
        .any(|name| object.get(*name).is_some_and(Value::is_string));
    let state = text(&["state"]).to_lowercase();
    let state = match state.as_str() {
        _ if merged => "merged",
        "opened" | "open" | "reopened" => "open",
        "merged" => "merged",
        _ => "closed",
    };
    let labels = object.get("labels").and_then(Value::as_array);
    let label = |value: &Value| {
        let name = value.as_str().or_else(|| value.get("name")?.as_str());
        name.map(str::to_owned)
    };
    Some(Issue {
        number,
        request: is_request,
        title,
        text: text(&["body", "description"]),
        state: state.to_owned(),
        labels: labels.into_iter().flatten().filter_map(label).collect(),
        updated: text(&["updatedAt", "updated_at"]),
        commit: merge.map(str::to_lowercase),
    })
}

#[cfg(test)]
mod tests {
    use super::parse_issues;
    use crate::Result;

    #[test]
    fn every_forge_and_program_is_understood() -> Result<()> {
        let program = r#"[{"number":3,"title":"A","body":"b","state":"MERGED","labels":[{"name":"bug"}],"updatedAt":"2024-01-02T00:00:00Z","mergedAt":"2024-01-01T00:00:00Z","mergeCommit":{"oid":"ABCD"}}]"#;
        let (issues, _) = parse_issues(program)?;
        assert_eq!(issues[0].commit.as_deref(), Some("abcd"));
        assert_eq!(
            (issues[0].state.as_str(), issues[0].request),
            ("merged", true)
        );
        let other = r#"[{"iid":4,"id":900,"title":"A","description":"b","state":"opened","labels":["x"],"updated_at":"2024-01-02T00:00:00Z"}][]"#;
        let (issues, _) = parse_issues(other)?;
        assert_eq!((issues[0].number, issues[0].text.as_str()), (4, "b"));
        assert!(!issues[0].request);
        let both =
            r#"{"issues":[{"number":1,"title":"i"}],"pullRequests":[{"number":2,"title":"p"}]}"#;
        let (issues, _) = parse_issues(both)?;
        assert_eq!([issues[0].request, issues[1].request], [false, true]);
        assert_eq!(parse_issues("[]")?.0.len(), 0);
        for wrong in [
            "<html>",
            "{\"message\": \"Not Found\"}",
            "[{\"title\":\"x\"}]",
        ] {
            assert!(parse_issues(wrong).is_err(), "{wrong}");
        }
        Ok(())
    }
}
