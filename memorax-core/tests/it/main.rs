//! Tests of the library through its public interface, in one binary.

#[cfg(unix)]
mod crash;
mod damage;
mod fixture;
mod handle;
mod identity;
mod landing;
mod layers;
mod ledger;
mod lines;
mod memory;
#[cfg(unix)]
mod process;
mod retrieve;
mod store;
