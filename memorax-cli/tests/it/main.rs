//! Journeys through the program as people and scripts use it: the real binary, real repositories, nothing mocked.

#[cfg(unix)]
mod terminal;

mod changes;
mod damage;
mod embedder;
mod errors;
mod exchange;
mod help;
mod json;
mod killed;
mod memories;
mod places;
mod sandbox;
mod streams;
