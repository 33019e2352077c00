//! Tests of the library through its public interface.
#![expect(clippy::disallowed_methods, reason = "tests prepare and damage files")]

#[cfg(unix)]
mod crash;
mod damage;
#[cfg(unix)]
mod process;
mod store;
