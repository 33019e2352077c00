//! Integration tests, one binary: everything here goes through the public interface.

mod ledger;
