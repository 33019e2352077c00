//! Tests of the library through its public interface, in one binary.

mod ledger;
#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod process;
mod store;

mod fixture;
mod identity;
mod landing;
mod lines;
mod memory;
