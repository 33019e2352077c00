//! Takes answers of the core, gives back text for people: aligned, 80 columns, the same without color.
//!
//! Start with `page.rs` (where text goes) and `table.rs` (columns); every other file renders one kind of answer.

mod check;
mod log;
mod memory;
mod page;
mod phrase;
mod recall;
mod receipt;
mod table;

pub(crate) use check::check;
pub(crate) use log::log;
pub(crate) use memory::{memories, memory};
pub(crate) use page::Page;
pub(crate) use phrase::{bytes, count, number, short, visible};
pub(crate) use recall::explanation;
pub(crate) use receipt::{receipt, receipts};
pub(crate) use table::{Cell, Table};
