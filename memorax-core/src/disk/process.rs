//! Remembers which process something belongs to.

/// Names the process that made something, so that a forked child recognises what it inherited.
///
/// File locks are shared between a parent and its forked child: what was opened before the fork must not be used or
/// closed by the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessStamp(u32);

impl ProcessStamp {
    /// Names the running process.
    pub(crate) fn current() -> Self {
        Self(std::process::id())
    }

    /// Returns whether the running process is the named one.
    pub(crate) fn is_current(self) -> bool {
        self == Self::current()
    }
}
