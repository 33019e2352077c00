//! Turns failures of the file system into errors that name the file and say what a caller can do.

use std::io;
use std::path::Path;

use crate::{Error, ErrorKind};

/// Describes why something could not be read.
pub(crate) fn reading_failed(path: &Path, source: io::Error) -> Error {
    let kind = match source.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    };
    Error::new(kind, format!("cannot read `{}`", path.display())).with_source(source)
}

/// Describes why something could not be written, so that a full disk and a place without write permission are told
/// apart from the rest.
pub(crate) fn writing_failed(path: &Path, source: io::Error) -> Error {
    let kind = match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorKind::ReadOnly,
        io::ErrorKind::StorageFull
        | io::ErrorKind::QuotaExceeded
        | io::ErrorKind::FileTooLarge
        | io::ErrorKind::WriteZero => ErrorKind::Full,
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    };
    let error = Error::new(kind, format!("cannot write `{}`: {source}", path.display()));
    let error = match kind {
        ErrorKind::ReadOnly => error.with_hint("set MEMORAX_HOME to a folder that can be written"),
        ErrorKind::Full => error.with_hint("free some space and try again"),
        _ => error,
    };
    error.with_source(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_can_tell_a_full_disk_from_a_forbidden_place() {
        let kind = |kind: io::ErrorKind| writing_failed(Path::new("x"), kind.into()).kind();
        assert_eq!(kind(io::ErrorKind::StorageFull), ErrorKind::Full);
        assert_eq!(kind(io::ErrorKind::QuotaExceeded), ErrorKind::Full);
        assert_eq!(kind(io::ErrorKind::ReadOnlyFilesystem), ErrorKind::ReadOnly);
        assert_eq!(kind(io::ErrorKind::PermissionDenied), ErrorKind::ReadOnly);
        assert_eq!(kind(io::ErrorKind::Interrupted), ErrorKind::Io);
        let unreadable = reading_failed(Path::new("x"), io::ErrorKind::PermissionDenied.into());
        assert_eq!(
            unreadable.kind(),
            ErrorKind::Io,
            "`ReadOnly` promises that reading works"
        );
    }
}
