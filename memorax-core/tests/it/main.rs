//! Tests through the public interface, in one binary.

mod brief;
mod retrieve;
