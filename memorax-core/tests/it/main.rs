//! Tests of the library through its public interface, in one binary.

mod ledger;
mod store;
