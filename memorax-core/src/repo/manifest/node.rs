//! `package.json`.

use serde_json::{Map, Value};

use super::Declared;

pub(super) fn read(text: &str) -> Option<Declared> {
    let value: Value = serde_json::from_str(text).ok()?;
    let manifest = value.as_object()?;
    let text_of = |key: &str| manifest.get(key)?.as_str().map(str::to_owned);
    let mut declared = Declared {
        package: text_of("name"),
        version: text_of("version"),
        ..Declared::default()
    };
    for key in ["dependencies", "peerDependencies", "optionalDependencies"] {
        let Some(dependencies) = manifest.get(key).and_then(Value::as_object) else {
            continue;
        };
        for (name, wanted) in dependencies {
            let wanted = wanted.as_str().unwrap_or_default();
            let is_local = ["workspace:", "file:", "link:", "portal:"]
                .iter()
                .any(|start| wanted.starts_with(start));
            if !is_local {
                declared.dependencies.insert(name.clone());
            }
        }
    }
    match manifest.get("bin") {
        Some(Value::Object(programs)) => declared.programs.extend(names(programs)),
        Some(Value::String(_)) => declared.programs.extend(declared.package.clone()),
        _ => {}
    }
    Some(declared)
}

fn names(programs: &Map<String, Value>) -> impl Iterator<Item = String> {
    programs.keys().cloned()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn packages_of_the_same_workspace_are_no_dependencies() {
        let declared = read(
            r#"{"name":"x","bin":"./x.js","dependencies":{"a":"^1","b":"workspace:*"},"devDependencies":{"c":"1"}}"#,
        )
        .expect("the manifest is valid");
        assert_eq!(Vec::from_iter(declared.dependencies), ["a"]);
        assert_eq!(Vec::from_iter(declared.programs), ["x"]);
    }
}
