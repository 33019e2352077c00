//! Takes a text, gives it back without the secrets in it.
//!
//! Start with `redactor.rs` (what is replaced by what). `patterns.rs` is the table of secrets that are known by their
//! looks, `assignment.rs` finds those that are known by the name in front, `judge.rs` tells a secret from a
//! placeholder, a path or code, `sentence.rs` knows what people write around a secret, `address.rs` and `block.rs` find passwords in URLs and private keys.

mod address;
mod assignment;
mod block;
mod judge;
mod keywords;
mod names;
mod patterns;
mod redactor;
mod sentence;
#[cfg(test)]
mod tests;

pub use redactor::{Redacted, Redactor};
