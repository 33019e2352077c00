//! What is recalled, what is kept back, and what is refused.

mod abstention;
mod guard;
mod source;
