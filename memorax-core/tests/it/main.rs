//! Tests of the library through its public interface, in one binary.
#![expect(clippy::disallowed_methods, reason = "tests prepare and damage files")]

mod brief;
#[cfg(unix)]
mod crash;
mod damage;
mod embed;
mod exchange;
mod fixture;
mod following;
mod freshness;
mod handle;
mod identity;
mod issues;
mod landing;
mod layers;
mod ledger;
mod lines;
mod memory;
mod merge;
#[cfg(unix)]
mod process;
mod repo_index;
mod retrieve;
mod secrecy;
#[cfg(unix)]
mod shared;
mod store;
mod story;
mod unusable_git;
mod vectors;
