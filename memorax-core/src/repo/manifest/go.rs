//! `go.mod`.

use super::Declared;

pub(super) fn read(text: &str) -> Option<Declared> {
    let mut declared = Declared::default();
    let mut inside = false;
    for line in text.lines() {
        let line = line.trim();
        // What only other modules need is no choice of this one.
        if line.contains("// indirect") {
            continue;
        }
        let line = line.split("//").next().unwrap_or_default().trim();
        let mut words = line.split_whitespace();
        match (inside, words.next()) {
            (false, Some("module")) => {
                declared.package = words.next().map(|name| name.trim_matches('"').to_owned());
            }
            (false, Some("require")) => match words.next() {
                Some("(") => inside = true,
                Some(name) => add(&mut declared, name),
                None => {}
            },
            (true, Some(")")) => inside = false,
            (true, Some(name)) => add(&mut declared, name),
            _ => {}
        }
    }
    declared.package.is_some().then_some(declared)
}

/// Adds a module without its major version, so that a new one is no other dependency.
fn add(declared: &mut Declared, name: &str) {
    let name = match name.rsplit_once('/') {
        Some((start, last)) if is_major(last) => start,
        _ => name,
    };
    declared.dependencies.insert(name.to_owned());
}

fn is_major(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn indirect_modules_and_major_versions_do_not_count() {
        let declared = read(
            "module example.com/a\n\ngo 1.20\nrequire example.com/one v1.0.0\nrequire (\n\
             \texample.com/two/v2 v2.1.0\n\texample.com/three v1.0.0 // indirect\n)\n",
        )
        .expect("the manifest is valid");
        let names: Vec<&str> = declared.dependencies.iter().map(String::as_str).collect();
        assert_eq!(names, ["example.com/one", "example.com/two"]);
    }
}
