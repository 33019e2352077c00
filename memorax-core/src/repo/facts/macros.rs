//! Macros of C and C++ that stand where the grammar knows no macro, and would hide the definition after them.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Returns the text with those macros as spaces, so that every place in it stays where it is.
pub(super) fn without_macros(text: &str) -> Cow<'_, str> {
    let mut blank: Option<Vec<u8>> = None;
    for pattern in [&*OF_TYPE, &*OF_FUNCTION, &*ALONE] {
        for found in pattern.captures_iter(text) {
            let Some(range) = found.get(1).map(|part| part.range()) else {
                continue;
            };
            let bytes = blank.get_or_insert_with(|| text.as_bytes().to_vec());
            for byte in &mut bytes[range] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
    }
    match blank.map(String::from_utf8) {
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(text),
    }
}

/// `class EXPORT Name {`.
static OF_TYPE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9_]{2,}(?:[ \t]*\([^()\n]*\))?)[ \t]+[A-Za-z_][0-9A-Za-z_:]*(?:<[^<>{};\n]*>)?[ \t]*(?:final[ \t]*)?(?:$|\n|:|\{)";
    Regex::new(pattern).expect("the pattern is fixed and tested")
});

/// `API type name(`, with at least two words between the macro and the parenthesis.
static OF_FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?m)^[ \t]*((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]*\))?[ \t]+)+)[A-Za-z_][0-9A-Za-z_:<>,]*[ \t*&]+(?:[A-Za-z_][0-9A-Za-z_:<>,]*[ \t*&]+)*[~0-9A-Za-z_:]+[ \t]*\(";
    Regex::new(pattern).expect("the pattern is fixed and tested")
});

/// `BEGIN_NAMESPACE` on a line of its own.
static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]+)[ \t]*$")
        .expect("the pattern is fixed and tested")
});

/// Returns the text with only the first branch of each condition of the preprocessor, the rest as spaces: a condition in
/// the middle of a statement is beyond the grammar, which may then take a whole file for an error.
pub(super) fn first_branches(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    // Whether the lines around a condition are kept, and whether one of its branches was.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut keep = true;
    let mut continued = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let mut hide = continued || !keep;
        continued &= line.trim_end().ends_with('\\');
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            let directive = directive.trim_start();
            let before = keep;
            if directive.starts_with("if") {
                let first = keep && directive.trim_end() != "if 0";
                open.push((keep, first));
                keep = first;
            } else if directive.starts_with("el") {
                if let Some((around, taken)) = open.last_mut() {
                    keep = *around && !*taken;
                    *taken |= keep;
                }
            } else if directive.starts_with("endif") {
                keep = open.pop().is_none_or(|(around, _)| around);
            }
            let condition = ["if", "el", "endif"]
                .iter()
                .any(|word| directive.starts_with(word));
            hide |= condition || !before;
            continued |= condition && line.trim_end().ends_with('\\');
        }
        if hide {
            for byte in &mut bytes[start..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        start = end;
    }
    // Whole lines became spaces, so that no letter was cut.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Says whether a header is one of C++, which has no ending of its own for it.
pub(super) fn is_cpp(text: &str) -> bool {
    const STARTS: [&str; 9] = [
        "namespace ",
        "template <",
        "template<",
        "class ",
        "public:",
        "private:",
        "protected:",
        "using ",
        "constexpr ",
    ];
    text.lines().any(|line| {
        let line = line.trim_start();
        STARTS.iter().any(|start| line.starts_with(start))
    })
}

#[cfg(test)]
mod tests {
    use super::{first_branches, is_cpp, without_macros};

    #[test]
    fn macros_become_spaces_and_types_stay() {
        for (text, expected) in [
            ("class LIB_EXPORT DB {", "class            DB {"),
            ("struct EXPORT(x) A : B {", "struct           A : B {"),
            ("struct FOO bar = 1;", "struct FOO bar = 1;"),
            ("enum COLOR { RED };", "enum COLOR { RED };"),
            (
                "LIB_API const char* name(int);",
                "        const char* name(int);",
            ),
            ("HANDLE open(int);", "HANDLE open(int);"),
            ("GL_INT size(int);", "GL_INT size(int);"),
            ("A_BEGIN\nint x;", "       \nint x;"),
        ] {
            assert_eq!(without_macros(text), expected);
        }
    }

    #[test]
    fn the_first_branch_of_a_condition_stays() {
        let text = "#if A && \\\n  B\na {\n# ifdef C\nb\n# else\nc\n# endif\n#elif D\né\n#else\ne\n#endif\n#if 0\nf\n#else\ng\n#endif\nh\n";
        let found = first_branches(text);
        assert_eq!(found.len(), text.len());
        let lines: Vec<&str> = found.lines().map(str::trim_end).collect();
        let kept: Vec<_> = lines.iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(kept, [&"a {", &"b", &"g", &"h"]);
    }

    #[test]
    fn headers_of_cpp_are_told_by_their_words() {
        assert!(is_cpp("#pragma once\nnamespace a {\n}\n"));
        assert!(!is_cpp(
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nstruct a;\n"
        ));
    }
}
