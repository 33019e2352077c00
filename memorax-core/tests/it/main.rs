//! Tests of the library through its public interface, in one binary.

#[cfg(unix)]
mod crash;
mod damage;
mod fixture;
mod handle;
mod identity;
mod landing;
mod ledger;
mod lines;
mod memory;
#[cfg(unix)]
mod process;
mod repo_index;
mod retrieve;
mod store;
