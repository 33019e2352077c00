//! The native half of the Node package: conversions only, everything else is `memorax-core`.
//!
//! Start with `handle.rs` (the methods), then `convert.rs` (the data) and `job.rs` (how a call runs).
//! `index.js` around it turns the errors into `MemoraxError`.

// In a test program napi registers nothing, and all of this would be dead code.
#![cfg(not(test))]
#![expect(
    missing_debug_implementations,
    unreachable_pub,
    reason = "napi's macros ask for public items, but no Rust code uses this library; index.d.ts documents them"
)]

mod convert;
mod error;
mod handle;
mod job;
mod options;
