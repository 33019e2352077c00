//! Tests of the library through its public interface, in one binary.

mod ledger;
mod store;

mod fixture;
mod identity;
mod landing;
mod lines;
mod memory;
