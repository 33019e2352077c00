//! Tests of the library through its public interface.

#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod process;
mod store;
