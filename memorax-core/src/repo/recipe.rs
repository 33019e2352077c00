//! By which recipe the files of the derived index are made. A recipe is everything that decides what is said about the
//! same bytes and the same commits: rules of languages, words, chunks, renames, redaction, the layout of the sections.
//!
//! Who changes what is said raises the number: the next run then makes it anew from the repository, and never mixes facts
//! of two recipes. The tests below notice most changes; they cannot notice changed rules of redaction.

/// Of segments of code. A build without grammars finds other definitions, one without the built-in embedder keeps
/// no vectors: their recipes are other ones. A new table of the embedder needs a new number, too.
pub(in crate::repo) const CODE: u32 =
    12 + cfg!(feature = "grammars") as u32 + 2 * cfg!(feature = "static") as u32;

/// Of vectors by another embedder than the built-in one: they are of chunks, and those are cut by the recipe of code.
pub(in crate::repo) const VECTORS: u32 = 1 + (CODE << 8);

/// Of segments of history.
pub(in crate::repo) const HISTORY: u32 = 2;

/// Of views.
pub(in crate::repo) const VIEW: u32 = 4;

#[cfg(all(test, feature = "grammars", feature = "static"))]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::{CODE, HISTORY, VIEW};
    use crate::repo::code::{BlobKey, CodeSegment, CodeWriter, KIND};
    use crate::repo::facts::{Language, Learner};
    use crate::repo::format::{Container, Kind, checksum, put_u32, put_u64};
    use crate::repo::history::{
        Change, ChangeKind, HISTORY_KIND, History, HistorySegment, HistoryWriter, Record,
        split_message,
    };
    use crate::repo::milestones::Tag;
    use crate::repo::view::{FileState, Imports, Meta, Turns, ViewFile, ViewParts, build};
    use crate::repo::{Field, IndexRequest, Indexer, QueryWord, RepoIndexer};
    use crate::{FixedClock, Result, Timestamp};

    const FILES: [(&str, &str); 19] = [
        (
            "src/lib.rs",
            "mod parse;\nuse crate::parse::Tree;\n/// Wort für Wort.\npub struct HttpServer2 { a: u8 }\n\
             impl HttpServer2 { pub fn ignite_now(&self) -> u8 { self.a } }\nconst MOST: u8 = 3;\n",
        ),
        (
            "src/parse.rs",
            "pub enum Tree { Leaf }\nmacro_rules! grow { () => {} }\n",
        ),
        (
            "app/a.py",
            "from app import b\nimport os\nclass A(b.B):\n    def run_all(self):\n        pass\n",
        ),
        ("app/b.py", "B = 3\n\ndef helper():\n    return B\n"),
        (
            "web/a.ts",
            "import { b } from './b'\nexport class Ä { go(): void {} }\nexport const run = () => b\n",
        ),
        ("web/b.js", "export function b() {}\nmodule.exports.c = 1\n"),
        (
            "cmd/main.go",
            "package main\n\nimport \"fmt\"\n\ntype T struct{}\n\nfunc (t T) Go() { fmt.Println() }\n",
        ),
        (
            "J.java",
            "package a.b;\nimport java.util.List;\nclass J { int x() { return 1; } }\n",
        ),
        (
            "k/K.kt",
            "package k\nimport a.b.J\nclass K { fun x() = 1 }\nfun top() = 2\n",
        ),
        (
            "s/S.scala",
            "package s\nimport k.{K, top => t}\nobject S { def x = 1; val Y = 2 }\n",
        ),
        (
            "c/a.h",
            "#define MOST 3\nstruct a;\nint grow(struct a *a);\n",
        ),
        (
            "c/a.c",
            "#include \"a.h\"\nstruct a { int x; };\nint grow(struct a *a) { return a->x; }\n",
        ),
        (
            "c/b.cc",
            "#include \"a.h\"\nnamespace n { class LIB_API B { int x() { return 1; } }; }\nint n::B::y() { return 2; }\n",
        ),
        (
            "n/C.cs",
            "using N.D;\nnamespace N.C { class C { const int M = 1; int X() => M; } }\n",
        ),
        (
            "lib/r.rb",
            "require_relative 'q'\nmodule R\n  class Q\n    MOST = 1\n    def x; end\n  end\nend\n",
        ),
        (
            "p/P.php",
            "<?php\nnamespace P;\nuse P\\Q;\nclass P extends Q { function x() {} }\n",
        ),
        (
            "w/W.swift",
            "struct W { static let most = 1; func x() {} }\nextension W { var y: Int { 1 } }\n",
        ),
        ("b/b.sh", "source ./a.sh\nMOST=1\nrun() { :; }\n"),
        (
            "README.md",
            "# Ünder one\n\nstorage engines 索引\n## Two\n\nrunning\n",
        ),
    ];

    fn key(number: usize) -> BlobKey {
        BlobKey {
            id: [number as u8; 20],
            language: Language::of_path(FILES[number].0),
        }
    }

    fn code() -> Vec<u8> {
        let mut writer = CodeWriter::default();
        let mut learner = Learner::default();
        for (number, (_, text)) in FILES.iter().enumerate() {
            writer.add(key(number), text.as_bytes(), &mut learner);
        }
        writer.finish()
    }

    fn commits() -> Vec<u8> {
        let (subject, body) = split_message("Märge the parsers (#12)\n\nBecause of #3.\n");
        let mut writer = HistoryWriter::default();
        writer.add(&Record {
            id: [7; 20],
            committed: 1_700_000_000,
            authored: 1_600_000_000,
            author: "Ada".to_owned(),
            subject,
            body,
            changes: vec![Change {
                path: "src/lib.rs".to_owned(),
                kind: ChangeKind::Added,
                from: Some("lib.rs".to_owned()),
            }],
            ..Record::default()
        });
        writer.finish()
    }

    fn view() -> Result<[Vec<u8>; 2]> {
        let code = CodeSegment::new(Container::in_memory(code(), KIND)?);
        let history = HistorySegment::new(Container::in_memory(commits(), HISTORY_KIND)?);
        let history = History::load(vec![Arc::new(history)])?;
        let order = history.order(&[7; 20]);
        let mut files: Vec<ViewFile> = (0..FILES.len())
            .map(|number| ViewFile {
                path: FILES[number].0.to_owned(),
                language: key(number).language,
                flags: 0,
                state: FileState::default(),
                place: Some((0, number as u32)),
            })
            .collect();
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let built = build(ViewParts {
            meta: Meta::default(),
            files: &files,
            code: &[Arc::new(code)],
            history: &history,
            order: &order,
            skipped: &[],
            imports: Imports::Resolved,
            turns: Turns::Found(&[Tag {
                name: "1.0.0".to_owned(),
                commit: [7; 20],
            }]),
        })?;
        Ok([built.tree.clone(), built.own(String::new())])
    }

    /// Sums up all but the headers, in which the recipe stands.
    fn sum(files: &[Vec<u8>]) -> u64 {
        files
            .iter()
            .fold(0, |sum, bytes| sum.rotate_left(1) ^ checksum(&bytes[512..]))
    }

    #[test]
    fn what_is_said_of_the_same_things_changes_only_with_the_recipe() -> Result<()> {
        assert_eq!(
            [
                ("CODE", CODE, sum(&[code()])),
                ("HISTORY", HISTORY, sum(&[commits()])),
                ("VIEW", VIEW, sum(&view()?)),
            ],
            [
                ("CODE", 15, 2_371_035_378_191_850_423),
                ("HISTORY", 2, 9_291_906_594_821_947_260),
                ("VIEW", 4, 6_268_065_223_016_677_471),
            ],
            "raise the number of what changed, then write the new sum here"
        );
        Ok(())
    }

    /// Makes a file look as if another recipe had made it.
    fn age(path: &Path) {
        let mut bytes = std::fs::read(path).expect("the file was listed");
        let mut recipe = Vec::new();
        put_u32(&mut recipe, 99);
        bytes[464..468].copy_from_slice(&recipe);
        let mut sum = Vec::new();
        put_u64(&mut sum, checksum(&bytes[..504]));
        bytes[504..512].copy_from_slice(&sum);
        crate::disk::write_atomic(path, &bytes).expect("the folder is writable");
        assert!(
            !Container::open(
                path,
                Kind {
                    number: u32::from(bytes[8]),
                    recipe: 1
                }
            )
            .expect("only the recipe differs")
            .is_current()
        );
    }

    #[test]
    fn a_view_by_another_recipe_serves_until_the_next_run_makes_it_anew() -> Result<()> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (root, cache) = (folder.path().join("root"), folder.path().join("cache"));
        crate::disk::create_dir_private(&root)?;
        crate::disk::write_atomic(&root.join("a.rs"), b"fn ignite() {}\n")?;
        let names = || -> Vec<_> {
            let entries = std::fs::read_dir(&cache).expect("the cache is there");
            let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some()).collect();
            paths.retain(|path| path.to_string_lossy().ends_with(".mxi"));
            paths
        };
        let clock = FixedClock(Timestamp::from_millis(0));
        let run = || {
            Indexer::new().index(&IndexRequest {
                root: &root,
                cache: &cache,
                interrupt: &AtomicBool::new(false),
                progress: &|_| {},
                clock: &clock,
            })
        };
        run()?;
        let old = names();
        for path in &old {
            age(path);
        }
        let words = [QueryWord {
            word: "ignite".to_owned(),
            weight: 1.0,
        }];
        let served = Indexer::new().open(&root, &cache)?;
        let served = served.expect("the older view can be read");
        assert_eq!(served.search(Field::Symbol, &words, 5)?.len(), 1);
        assert_eq!(run()?.search(Field::Symbol, &words, 5)?.len(), 1);
        let new = names();
        assert_eq!(new.len(), old.len());
        assert!(
            new.iter().all(|path| !old.contains(path)),
            "facts and view were made anew, and the old ones are gone"
        );
        Ok(())
    }
}
