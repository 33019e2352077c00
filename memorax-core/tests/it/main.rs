//! Tests of the library through its public interface.

#[cfg(unix)]
mod crash;
mod damage;
#[cfg(unix)]
mod process;
mod store;
