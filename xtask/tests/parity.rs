//! The three languages offer the same thing under the same names: `parity.toml`, the Rust source, the stub and the
//! type declarations are read as text and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Names = BTreeSet<String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn stub() -> String {
    read("bindings/python/python/memorax_code/__init__.pyi")
}

fn declarations() -> String {
    read("bindings/node/index.d.ts")
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| {
        let (initial, rest) = word.split_at(1);
        camel + &initial.to_uppercase() + rest
    })
}

/// Returns the identifier that a text starts with.
fn word(text: &str) -> String {
    text.chars()
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect()
}

/// Returns what stands between the line that starts with `start` and the next line that starts with `end`.
fn block<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let at = if text.starts_with(start) {
        0
    } else {
        text.find(&format!("\n{start}"))? + 1
    };
    let rest = &text[at + start.len()..];
    Some(
        rest.find(&format!("\n{end}"))
            .map_or(rest, |stop| &rest[..stop]),
    )
}

/// Returns every text in quotes.
fn quoted(text: &str, quote: char) -> Names {
    text.split(quote)
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// The public methods of `impl Memorax` in the engine.
fn rust_methods() -> Names {
    let mut names = Names::new();
    let folder = root().join("memorax-core/src/engine");
    for entry in fs::read_dir(folder).expect("the engine is a folder") {
        let path = entry.expect("its entries can be read").path();
        let source = fs::read_to_string(&path).expect("source is text");
        for part in source.split("\nimpl Memorax {").skip(1) {
            let body = &part[..part.find("\n}").expect("an impl ends")];
            names.extend(
                body.lines()
                    .filter_map(|line| line.strip_prefix("    pub fn "))
                    .map(word),
            );
        }
    }
    names
}

/// The methods of the handle in the stub, and what opens it.
fn python_methods() -> Names {
    let stub = stub();
    let class = block(&stub, "class Memorax:", "def ").expect("the stub has the handle");
    let methods = class
        .lines()
        .filter_map(|line| line.strip_prefix("    def "));
    let functions = stub.lines().filter_map(|line| line.strip_prefix("def "));
    methods
        .chain(functions)
        .map(word)
        .filter(|name| !name.starts_with("__"))
        .collect()
}

/// The methods of the handle in the declarations, and what opens it.
fn node_methods() -> Names {
    let declarations = declarations();
    let class = block(&declarations, "export class Memorax {", "}").expect("it has the handle");
    let methods = class
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.contains('(') && line.starts_with(|first: char| first.is_lowercase()))
        .map(word)
        .filter(|name| name != "private");
    let functions = declarations
        .lines()
        .filter_map(|line| line.strip_prefix("export function "));
    methods.chain(functions.map(word)).collect()
}

#[test]
fn the_table_names_every_method_of_every_language() {
    let table: toml::Table = read("parity.toml").parse().expect("parity.toml is TOML");
    let methods = table["methods"].as_table().expect("[methods] is a table");
    let rust_only = table["rust_only"]
        .as_table()
        .expect("[rust_only] is a table");
    let spelled = |language: &str| -> Names {
        methods
            .values()
            .map(|names| names[language].as_str().expect("a name").to_owned())
            .collect()
    };
    let rust: Names = methods.keys().chain(rust_only.keys()).cloned().collect();
    assert_eq!(rust_methods(), rust, "Rust source and parity.toml");
    assert_eq!(python_methods(), spelled("python"), "stub and parity.toml");
    assert_eq!(
        node_methods(),
        spelled("node"),
        "declarations and parity.toml"
    );
}

/// Keyword-only parameters of the stub, by method.
fn python_options() -> BTreeMap<String, Names> {
    let stub = stub();
    let mut options = BTreeMap::new();
    for part in stub.split("def ").skip(1) {
        let name = word(part);
        let signature = part.split(") ->").next().unwrap_or_default();
        if let Some((_, keywords)) = signature.split_once("*,") {
            let names = keywords
                .split(',')
                .flat_map(|parameter| parameter.split('\n'));
            let names = names
                .map(str::trim)
                .filter(|parameter| parameter.contains(':'))
                .map(|parameter| camel(&word(parameter)));
            options.insert(name, names.collect());
        }
    }
    options
}

#[test]
fn options_are_the_same_in_python_and_typescript() {
    let declarations = declarations();
    let python = python_options();
    assert!(
        python.len() >= 7,
        "the stub has methods with options: {python:?}"
    );
    for (method, options) in python {
        let (initial, rest) = method.split_at(1);
        let interface = format!(
            "export interface {}{rest}Options {{",
            initial.to_uppercase()
        );
        let body = block(&declarations, &interface, "}")
            .unwrap_or_else(|| panic!("index.d.ts has no `{interface}`"));
        assert_eq!(fields(body), options, "options of {method}");
    }
}

/// Names of the fields of a TypeScript interface.
fn fields(body: &str) -> Names {
    body.lines()
        .filter_map(|line| line.strip_prefix("  "))
        .map(|line| line.strip_prefix("readonly ").unwrap_or(line))
        .filter(|line| line.starts_with(|first: char| first.is_lowercase()))
        .map(word)
        .collect()
}

#[test]
fn data_has_the_same_fields_in_python_and_typescript() {
    let (stub, declarations) = (stub(), declarations());
    let mut compared = 0;
    for part in stub.split("\n@final\nclass ").skip(1) {
        let name = word(part);
        let body = &part[..part.find("\n\n@final").unwrap_or(part.len())];
        let properties: Names = body
            .split("    @property\n    def ")
            .skip(1)
            .map(|property| camel(&word(property)))
            .collect();
        if properties.is_empty() {
            continue;
        }
        let interface = format!("export interface {name} {{");
        let body = block(&declarations, &interface, "}")
            .unwrap_or_else(|| panic!("index.d.ts has no `{interface}`"));
        assert_eq!(fields(body), properties, "fields of {name}");
        compared += 1;
    }
    assert_eq!(compared, 12, "data classes of the stub");
}

/// The lower-case names of an enum of the core, as its source gives them.
fn rust_names(file: &str, name: &str) -> Names {
    let source = read(file);
    if let Some(body) = block(&source, &format!("    pub enum {name} ("), "    }") {
        let body = body.split_once('{').expect("a list of values").1;
        return quoted(body, '"');
    }
    let body = block(&source, &format!("impl {name} {{"), "}").expect("the enum has methods");
    let (_, body) = body.split_once("fn as_str").expect("the enum has names");
    let body = &body[..body.find("\n    }").expect("a function ends")];
    body.split("=> ")
        .skip(1)
        .flat_map(|arm| quoted(arm, '"'))
        .collect()
}

#[test]
fn kinds_and_states_have_the_same_names_in_all_three() {
    let names = read("bindings/python/python/memorax_code/names.py");
    let declarations = declarations();
    let enums = [
        ("MemoryKind", "memory"),
        ("Status", "memory"),
        ("Trust", "provenance"),
        ("Freshness", "anchor"),
        ("Verdict", "operation"),
        ("Outcome", "operation"),
        ("Source", "recall"),
    ];
    for (name, file) in enums {
        let rust = rust_names(&format!("memorax-core/src/types/{file}.rs"), name);
        assert!(rust.len() > 1, "{name} has names in the source");
        let literal = names
            .split(&format!("{name} = Literal["))
            .nth(1)
            .and_then(|rest| rest.split(']').next())
            .unwrap_or_else(|| panic!("names.py has no {name}"));
        assert_eq!(quoted(literal, '"'), rust, "{name} in Python");
        assert_eq!(union(&declarations, name), rust, "{name} in TypeScript");
    }
}

#[test]
fn every_kind_of_error_can_be_told_apart_in_all_three() {
    let kinds = rust_names("memorax-core/src/error.rs", "ErrorKind");
    let mut codes = union(&declarations(), "ErrorCode");
    assert!(
        codes.remove("panic"),
        "a defect of ours is no kind of the core"
    );
    assert_eq!(codes, kinds, "codes in TypeScript");
    let stub = stub();
    let classes: Names = stub
        .lines()
        .filter(|line| line.contains("(Error") && line.starts_with("class "))
        .map(|line| word(&line["class ".len()..]))
        .collect();
    let expected: Names = kinds
        .iter()
        .map(|kind| {
            let camel = camel(kind);
            camel[..1].to_uppercase() + &camel[1..]
        })
        .collect();
    assert_eq!(classes, expected, "exceptions in Python");
}

/// The members of a union of texts.
fn union(declarations: &str, name: &str) -> Names {
    let start = format!("export type {name} =");
    let rest = declarations
        .split(&start)
        .nth(1)
        .unwrap_or_else(|| panic!("index.d.ts has no `{start}`"));
    let end = rest.find("\nexport").unwrap_or(rest.len());
    let members = rest[..end].lines().filter(|line| !line.starts_with("/**"));
    quoted(&members.collect::<Vec<_>>().join("\n"), '\'')
}
