//! Export and restore through the handle: what a file says comes back as it was.

use std::error::Error as StdError;
use std::sync::Arc;

use memorax_core::{
    Actor, ExportFormat, Fields, Filter, FixedClock, Memorax, MemoryKind, Note, Query, Timestamp,
    Trust, Verdict,
};
use tempfile::TempDir;

type Result<T = ()> = std::result::Result<T, Box<dyn StdError>>;

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;
const START: i64 = 1_790_000_000_000;

fn open(home: &TempDir, folder: &TempDir, day: i64) -> Result<Memorax> {
    let clock = FixedClock(Timestamp::from_millis(START + day * DAY));
    Ok(Memorax::builder()
        .home(home.path())
        .actor(Actor::new("ada", Trust::User))
        .clock(Arc::new(clock))
        .open(folder.path())?)
}

fn export(memory: &Memorax) -> Result<String> {
    let mut out = Vec::new();
    memory.export(&mut out, ExportFormat::Jsonl)?;
    let id = memory.identity().id.to_string();
    // Every home names a repository by itself.
    Ok(String::from_utf8(out)?.replace(&id, "REPOSITORY"))
}

#[test]
fn an_export_that_is_restored_gives_the_same_bytes() -> Result {
    let folder = TempDir::new()?;
    let home = TempDir::new()?;
    let memory = open(&home, &folder, 0)?;
    let redb = memory.remember("We chose redb as storage engine.", MemoryKind::Decision)?;
    memory.remember("We chose redb as storage engine.", MemoryKind::Decision)?;
    memory.remember_with(
        Note::new("I like short commits.", MemoryKind::Preference).everywhere(true),
    )?;
    let mut fields = Fields::default();
    fields.title = Some("redb is the store".to_owned());
    let later = open(&home, &folder, 3)?;
    later.edit(&redb.id.to_string(), fields)?;
    later.feedback(&redb.id.to_string(), Verdict::Helpful, None)?;
    let recall = later.recall(&Query::new("which storage engine did we choose?"))?;
    assert_eq!(recall.hits.len(), 1);
    // The next writer counts what was recalled.
    later.remember("Dates are ISO 8601.", MemoryKind::Convention)?;
    let exported = export(&later)?;
    assert!(
        exported.contains(r#""stats":{"harmful":0,"helpful":1,"recalled":1,"repeated":1}"#),
        "{exported}"
    );

    let other = TempDir::new()?;
    let restored = open(&other, &folder, 9)?;
    let file = exported.replace("REPOSITORY", &later.identity().id.to_string());
    let told = restored.restore(&mut file.as_bytes())?;
    assert_eq!((told.created, told.refused.len()), (3, 0));
    assert_eq!(export(&restored)?, exported);
    assert!(restored.verify()?.is_sound());
    let again = restored.restore(&mut file.as_bytes())?;
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 3));
    Ok(())
}

#[test]
fn a_time_that_has_not_come_is_not_believed() -> Result {
    let (home, folder) = (TempDir::new()?, TempDir::new()?);
    let memory = open(&home, &folder, 0)?;
    let line = r#"{"id": "01900000-0000-7000-8000-000000000001", "text": "Weeks start on Monday.", "updated": "2999-01-01T00:00:00Z"}"#;
    assert_eq!(memory.restore(&mut line.as_bytes())?.created, 1);
    let listed = memory.list(&Filter::new())?;
    assert_eq!(listed[0].updated, Timestamp::from_millis(START));
    Ok(())
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_the_rest_is_taken() -> Result {
    let (home, folder) = (TempDir::new()?, TempDir::new()?);
    let memory = open(&home, &folder, 0)?;
    let mut file = b"\xef\xbb\xbf{\"text\": \"Weeks start on Monday.\"}\n".to_vec();
    file.extend(b"{\"text\": \"caf\xe9\"}\n");
    file.extend(std::iter::repeat_n(b'x', 3 << 20));
    file.extend(b"\n{\"text\": \"Dates are ISO 8601.\"}");
    let told = memory.restore(&mut file.as_slice())?;
    assert_eq!(told.created, 2);
    let refused: Vec<(usize, &str)> = told
        .refused
        .iter()
        .map(|(line, reason)| (*line, reason.as_str()))
        .collect();
    assert_eq!(
        refused,
        [
            (2, "not UTF-8 text from byte 14"),
            (3, "the line has more than 1048576 bytes"),
        ]
    );
    Ok(())
}
