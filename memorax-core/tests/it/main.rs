//! Tests of the library through its public interface, one binary for all.

mod fixture;
mod identity;
mod landing;
mod lines;
mod memory;
