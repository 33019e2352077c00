//! The default indexer on real repositories: every shape that a repository can have, and every way a cache can break.

mod cache;
mod history;
mod hostile;
mod languages;
mod meaning;
mod replay;
mod shapes;
mod support;
mod sweep;
mod updates;
