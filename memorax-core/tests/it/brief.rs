//! Tests of what is read about a project, and of the brief that tells it.

mod fixture;
mod project;
mod text;
