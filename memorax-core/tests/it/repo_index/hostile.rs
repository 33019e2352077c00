//! Files that hurt, by accident or not: each is indexed, or left out with a count, and the others are found.

use memorax_core::Result;
use memorax_core::repo::Field;

use super::support::{file, found, index, paths, skipped};
use crate::fixture::Repository;

/// Indexes the files beside one that must be found, and checks that all are listed.
fn indexed(
    files: &[(&str, String)],
) -> Result<std::sync::Arc<dyn memorax_core::repo::RepositoryView>> {
    let repository = Repository::new();
    for (path, text) in files {
        repository.write(path, text);
    }
    repository.write("fine.rs", "fn needle() {}\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(paths(&*view)?.len(), files.len() + 1);
    assert_eq!(found(&*view, Field::Symbol, "needle")?, ["fine.rs:1"]);
    Ok(view)
}

#[test]
fn deep_nesting_is_no_trouble_in_any_language() -> Result<()> {
    let deep = |start: &str, open: &str, end: &str| format!("{start}{}{end}", open.repeat(50_000));
    let json = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    indexed(&[
        ("deep.json", json),
        ("deep.rs", deep("fn f() { let a = ", "(", "; }\n")),
        ("lines.rs", deep("fn f() { let a = ", "(\n", "; }\n")),
        ("lines.ts", deep("const a = ", "{a:\n", "\n")),
        ("braces.rs", deep("fn f() ", "{", "\n")),
        ("uses.rs", deep("use ", "a::{", ";\n")),
        ("deep.py", deep("a = ", "(", "\n")),
        ("lists.py", deep("a = ", "[", "\n")),
        ("deep.ts", deep("const a = ", "(", "\n")),
        ("deep.js", deep("const a = ", "{a:", "\n")),
        ("deep.tsx", deep("const a = ", "<a>", "\n")),
        ("deep.go", deep("package a\nvar a = ", "(", "\n")),
        ("deep.java", deep("class A { int a = ", "(", "; }\n")),
        ("deep.kt", deep("val a = ", "(", "\n")),
        ("lambdas.kt", deep("val a = ", "{", "\n")),
        ("deep.c", deep("int a = ", "(", ";\n")),
        ("braces.c", deep("int f() ", "{", "\n")),
        ("pointers.c", deep("int ", "*", "a;\n")),
        ("functions.c", deep("int ", "(*", "a;\n")),
        ("deep.cpp", deep("auto a = ", "[]{return ", ";\n")),
        ("spaces.cpp", deep("", "namespace a { ", "\n")),
        ("templates.cpp", deep("A", "<A", "\n")),
        ("scopes.cpp", deep("int ", "a::", "b() {}\n")),
        ("deep.cs", deep("class A { int a = ", "(", "; }\n")),
        ("classes.cs", deep("", "class A {", "\n")),
        (
            "interpolated.cs",
            deep("class A { string a = ", "$\"{", "; }\n"),
        ),
        ("deep.rb", deep("a = ", "[", "\n")),
        ("strings.rb", deep("a = ", "\"#{", "\n")),
        ("modules.rb", deep("", "module A\n", "\n")),
        ("heredocs.rb", deep("", "a(<<A, ", "\n")),
        ("deep.php", deep("<?php $a = ", "(", ";\n")),
        (
            "closures.php",
            deep("<?php $a = ", "function() { return ", ";\n"),
        ),
        ("deep.swift", deep("let a = ", "(", "\n")),
        ("optionals.swift", deep("let a: ", "[", "\n")),
        ("deep.scala", deep("val a = ", "(", "\n")),
        ("objects.scala", deep("", "object A {", "\n")),
        ("imports.scala", deep("import ", "a.{", "\n")),
        ("deep.sh", deep("a=", "$(", "\n")),
        ("braces.sh", deep("a() ", "{ ", "\n")),
        ("heredocs.sh", deep("cat ", "<<A ", "\n")),
        ("deep.md", deep("", "> ", "\n")),
    ])?;
    Ok(())
}

#[test]
fn many_of_one_thing_take_time_in_proportion() -> Result<()> {
    let many =
        |count: usize, line: &dyn Fn(usize) -> String| -> String { (0..count).map(line).collect() };
    let view = indexed(&[
        ("headings.md", many(100_000, &|_| "# a\n".to_owned())),
        (
            "modules.rs",
            many(60_000, &|number| format!("mod m{number};\n")),
        ),
        (
            "comments.rs",
            "//\n".repeat(200_000) + &"fn a(){}".repeat(40_000) + "\n",
        ),
        (
            "long.rs",
            format!(
                "impl A<{}> {{\n{}}}\n",
                "b".repeat(300_000),
                "fn a() {}\n".repeat(40_000)
            ),
        ),
        (
            "long.py",
            format!(
                "from {} import {}c\n",
                "a".repeat(300_000),
                "b, ".repeat(100_000)
            ),
        ),
        (
            "declared.h",
            many(50_000, &|number| format!("int f{number}(void);\n")),
        ),
        ("declared.c", many(60_000, &|_| "int f(void);\n".to_owned())),
        (
            "names.cpp",
            format!("int {}b() {{}}\n", "a::".repeat(100_000)),
        ),
        ("macros.cpp", "A_B ".repeat(200_000)),
        (
            "constants.sh",
            many(50_000, &|number| format!("A{number}=1\n")),
        ),
        (
            "scala.scala",
            many(60_000, &|number| format!("package a{number}\n")),
        ),
        (
            "modules.rb",
            many(40_000, &|_| "module A\nclass B; end\nend\n".to_owned()),
        ),
        ("lines.rs", "a\n".repeat(500_000)),
        ("line.txt", "word ".repeat(200_000)),
    ])?;
    assert_eq!(file(&*view, "lines.rs")?.lines, 500_000);
    Ok(())
}

#[test]
fn what_is_no_text_or_too_long_is_left_out_and_counted() -> Result<()> {
    let repository = Repository::new();
    let mut state = 7_u64;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    let random: Vec<u8> = (0..300_000).map(|_| noise()).collect();
    let write = |name: &str, bytes: &[u8]| std::fs::write(repository.path.join(name), bytes);
    write("random.rs", &random).expect("the folder is writable");
    let text: Vec<u8> = random.iter().map(|byte| (*byte).max(1)).collect();
    write("noise.rs", &text).expect("the folder is writable");
    let noisy = ["kt", "c", "cpp", "cs", "rb", "php", "swift", "scala", "sh"];
    for ending in noisy {
        write(&format!("noise.{ending}"), &text[..30_000]).expect("the folder is writable");
    }
    repository.write("lines.txt", &"a\n".repeat(1_000_000));
    repository.write("line.js", &"a".repeat(2_000_000));
    repository.write("fine.rs", "fn needle() {}\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(paths(&*view)?.len(), 5 + noisy.len(), "all are listed");
    assert_eq!(skipped(view.info(), "too large"), 2);
    assert_eq!(skipped(view.info(), "binary"), 1);
    assert_eq!(found(&*view, Field::Symbol, "needle")?, ["fine.rs:1"]);
    Ok(())
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_are_not_followed() -> Result<()> {
    use std::os::unix::fs::symlink;

    let repository = Repository::with_commit();
    let link = |from: &str, to: &str| {
        symlink(to, repository.path.join(from)).expect("links can be made");
    };
    repository.write("a/b/inside.txt", "inside\n");
    link("a/b/up", "../..");
    link("self", "self");
    link("one", "two");
    link("two", "one");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(paths(&*view)?, ["README.md", "a/b/inside.txt"]);
    assert_eq!(skipped(view.info(), "symbolic link"), 4);
    Ok(())
}
