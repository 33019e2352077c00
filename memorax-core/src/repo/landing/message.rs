//! What forges write into the commit that closes a pull request.

/// Says whether a commit's message names a branch's pull request: by its number, or by the branch itself.
pub(super) fn names(message: &str, branch: &str, pull_request: Option<u64>) -> bool {
    let subject = message.lines().next().unwrap_or_default();
    if let Some(number) = pull_request
        && names_number(message, subject, number)
    {
        return true;
    }
    names_branch(message, subject, branch)
}

fn names_number(message: &str, subject: &str, number: u64) -> bool {
    let hash = format!("#{number}");
    subject.trim_end().ends_with(&format!("({hash})"))
        || subject.starts_with(&format!("Merge pull request {hash} "))
        || subject.contains(&format!("(pull request {hash})"))
        || message.lines().any(|line| {
            let line = line.trim();
            line.starts_with("See merge request ") && line.ends_with(&format!("!{number}"))
        })
}

fn names_branch(message: &str, subject: &str, branch: &str) -> bool {
    if let Some(rest) = subject.strip_prefix("Merge pull request #") {
        // `Merge pull request #12 from owner/branch`, where the branch may have slashes of its own.
        let source = rest.split_once(" from ").map(|(_, source)| source.trim());
        return source
            .and_then(|source| source.split_once('/'))
            .is_some_and(|(_, name)| name == branch);
    }
    if let Some(rest) = subject.strip_prefix("Merged in ") {
        return rest.split(" (pull request #").next() == Some(branch);
    }
    let merged = subject.strip_prefix("Merge branch '");
    let merged = merged.and_then(|rest| rest.split('\'').next());
    merged == Some(branch)
        && message
            .lines()
            .any(|line| line.trim_start().starts_with("See merge request "))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn the_messages_of_the_usual_forges_name_their_branch() {
        let merged = "Merge pull request #12 from ada/fix/login\n\nFix the login";
        assert!(names(merged, "fix/login", None));
        assert!(!names(merged, "login", None), "the whole name counts");
        let request = "Merge branch 'fix' into 'main'\n\nFix\n\nSee merge request team/app!7";
        assert!(names(request, "fix", None));
        assert!(names("Merged in fix (pull request #3)", "fix", None));
        assert!(
            !names("Merge branch 'fix'", "fix", None),
            "a plain merge is told by the graph, not by its message"
        );
    }

    #[test]
    fn a_number_counts_only_where_it_is_known_to_be_of_the_branch() {
        let squashed = "Fix the login (#12)";
        assert!(names(squashed, "anything", Some(12)));
        assert!(!names(squashed, "anything", Some(1)));
        assert!(!names(squashed, "anything", None));
    }
}
