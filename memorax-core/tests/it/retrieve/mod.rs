//! What is recalled, what is kept back, and what is refused.

mod abstention;
mod files;
mod gate;
mod guard;
mod meaning;
mod packet;
mod paraphrase;
mod source;
