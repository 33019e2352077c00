//! Which language a file is in, from its name.

/// A language, by its place in [`TABLE`]; part of the index's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::repo) struct Language(pub(in crate::repo) u8);

/// Names of languages and the endings of their files, without the dot.
const TABLE: &[(&str, &[&str])] = &[
    ("", &[]),
    ("rust", &["rs"]),
    ("python", &["py", "pyi", "pyw"]),
    ("typescript", &["ts", "mts", "cts"]),
    ("tsx", &["tsx"]),
    ("javascript", &["js", "jsx", "mjs", "cjs"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("markdown", &["md", "markdown", "mdx"]),
    ("toml", &["toml"]),
    ("json", &["json", "jsonc", "json5"]),
    ("go.mod", &[]),
    ("c", &["c", "h"]),
    (
        "c++",
        &[
            "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tcc", "cppm",
            "ixx", "cu", "cuh",
        ],
    ),
    ("c#", &["cs"]),
    ("ruby", &["rb", "rake", "gemspec", "ru", "podspec"]),
    ("php", &["php", "phpt", "phtml"]),
    ("kotlin", &["kt", "kts"]),
    ("swift", &["swift"]),
    ("scala", &["scala", "sc"]),
    ("shell", &["sh", "bash", "zsh", "ksh", "bats"]),
    ("powershell", &["ps1", "psm1"]),
    ("yaml", &["yml", "yaml"]),
    ("html", &["html", "htm"]),
    ("css", &["css", "scss", "sass", "less"]),
    ("sql", &["sql"]),
    ("lua", &["lua"]),
    ("perl", &["pl", "pm"]),
    ("r", &["r", "rmd"]),
    ("dart", &["dart"]),
    ("elixir", &["ex", "exs"]),
    ("erlang", &["erl", "hrl"]),
    ("haskell", &["hs"]),
    ("ocaml", &["ml", "mli"]),
    ("clojure", &["clj", "cljs", "cljc"]),
    ("zig", &["zig"]),
    ("nix", &["nix"]),
    ("julia", &["jl"]),
    ("objective-c", &["m", "mm"]),
    ("protobuf", &["proto"]),
    ("graphql", &["graphql", "gql"]),
    ("vue", &["vue"]),
    ("svelte", &["svelte"]),
    ("restructuredtext", &["rst"]),
    ("asciidoc", &["adoc", "asciidoc"]),
    ("text", &["txt"]),
    ("xml", &["xml", "xsd", "svg"]),
    ("ini", &["ini", "cfg", "conf"]),
    ("makefile", &["mk"]),
    ("dockerfile", &["dockerfile"]),
    ("cmake", &["cmake"]),
    ("groovy", &["groovy", "gradle"]),
    ("terraform", &["tf", "tfvars"]),
    ("jupyter", &["ipynb"]),
    ("fish", &["fish"]),
];

/// Files whose whole name says the language.
const NAMES: &[(&str, &str)] = &[
    ("go.mod", "go.mod"),
    ("makefile", "makefile"),
    ("gnumakefile", "makefile"),
    ("dockerfile", "dockerfile"),
    ("containerfile", "dockerfile"),
    ("cmakelists.txt", "cmake"),
    ("rakefile", "ruby"),
    ("gemfile", "ruby"),
    ("justfile", "makefile"),
    ("jenkinsfile", "groovy"),
    ("cargo.lock", "toml"),
    ("poetry.lock", "toml"),
    ("uv.lock", "toml"),
    ("pipfile", "toml"),
];

impl Language {
    pub(in crate::repo) const UNKNOWN: Self = Self(0);
    pub(in crate::repo) const RUST: Self = Self(1);
    pub(in crate::repo) const PYTHON: Self = Self(2);
    pub(in crate::repo) const TYPESCRIPT: Self = Self(3);
    pub(in crate::repo) const TSX: Self = Self(4);
    pub(in crate::repo) const JAVASCRIPT: Self = Self(5);
    pub(in crate::repo) const GO: Self = Self(6);
    pub(in crate::repo) const JAVA: Self = Self(7);
    pub(in crate::repo) const MARKDOWN: Self = Self(8);
    pub(in crate::repo) const TOML: Self = Self(9);
    pub(in crate::repo) const JSON: Self = Self(10);
    pub(in crate::repo) const GO_MOD: Self = Self(11);
    pub(in crate::repo) const C: Self = Self(12);
    pub(in crate::repo) const CPP: Self = Self(13);
    pub(in crate::repo) const CSHARP: Self = Self(14);
    pub(in crate::repo) const RUBY: Self = Self(15);
    pub(in crate::repo) const PHP: Self = Self(16);
    pub(in crate::repo) const KOTLIN: Self = Self(17);
    pub(in crate::repo) const SWIFT: Self = Self(18);
    pub(in crate::repo) const SCALA: Self = Self(19);
    pub(in crate::repo) const SHELL: Self = Self(20);

    /// Tells the language of a file by its path.
    pub(in crate::repo) fn of_path(path: &str) -> Self {
        let name = path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        if let Some((_, language)) = NAMES.iter().find(|(known, _)| *known == name) {
            return Self::named(language);
        }
        let Some((_, ending)) = name.rsplit_once('.') else {
            return Self::UNKNOWN;
        };
        TABLE
            .iter()
            .position(|(_, endings)| endings.contains(&ending))
            .map_or(Self::UNKNOWN, |index| Self(index as u8))
    }

    /// Says whether definitions of the language are found.
    pub(in crate::repo) fn has_definitions(self) -> bool {
        let parsed = [
            Self::RUST,
            Self::PYTHON,
            Self::TYPESCRIPT,
            Self::TSX,
            Self::JAVASCRIPT,
            Self::GO,
            Self::JAVA,
            Self::C,
            Self::CPP,
            Self::CSHARP,
            Self::RUBY,
            Self::PHP,
            Self::KOTLIN,
            Self::SWIFT,
            Self::SCALA,
            Self::SHELL,
        ];
        self == Self::MARKDOWN || (cfg!(feature = "grammars") && parsed.contains(&self))
    }

    fn named(name: &str) -> Self {
        TABLE
            .iter()
            .position(|(known, _)| *known == name)
            .map_or(Self::UNKNOWN, |index| Self(index as u8))
    }

    /// Returns the lower-case name, if the language is known.
    pub(in crate::repo) fn name(self) -> Option<&'static str> {
        TABLE
            .get(usize::from(self.0))
            .map(|(name, _)| *name)
            .filter(|name| !name.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn constants_name_their_rows() {
        for (language, name) in [
            (Language::RUST, "rust"),
            (Language::TSX, "tsx"),
            (Language::JAVA, "java"),
            (Language::MARKDOWN, "markdown"),
            (Language::JSON, "json"),
            (Language::GO_MOD, "go.mod"),
            (Language::C, "c"),
            (Language::CPP, "c++"),
            (Language::CSHARP, "c#"),
            (Language::RUBY, "ruby"),
            (Language::PHP, "php"),
            (Language::KOTLIN, "kotlin"),
            (Language::SWIFT, "swift"),
            (Language::SCALA, "scala"),
            (Language::SHELL, "shell"),
        ] {
            assert_eq!(language.name(), Some(name));
        }
        assert_eq!(Language::of_path("src/a.PY"), Language::PYTHON);
        assert_eq!(Language::of_path("go.mod"), Language::GO_MOD);
        assert_eq!(Language::of_path("LICENSE").name(), None);
    }
}
