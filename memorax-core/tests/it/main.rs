//! Tests of the library through its public interface, in one binary.

#[cfg(unix)]
mod crash;
mod fixture;
mod handle;
mod identity;
mod landing;
mod ledger;
mod lines;
mod memory;
mod damage;
#[cfg(unix)]
mod process;
mod store;
//! Tests through the public interface, in one binary.

mod retrieve;
