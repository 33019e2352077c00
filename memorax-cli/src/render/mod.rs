//! Takes answers of the core, gives back text for people: aligned, 80 columns, the same without color.
//!
//! Start with `page.rs` (where text goes) and `table.rs` (columns); every other file renders one kind of answer.

mod branches;
mod check;
mod history;
mod keep;
mod log;
mod memory;
mod page;
mod phrase;
mod recall;
mod receipt;
mod status;
mod table;

pub(crate) use branches::branches;
pub(crate) use check::check;
pub(crate) use history::{milestones, story};
pub(crate) use keep::{doctor, repair, verification};
pub(crate) use log::{history, log};
pub(crate) use memory::{Circumstances, memories, memory, noun};
pub(crate) use page::Page;
pub(crate) use phrase::{bytes, count, number, one_line, short, visible};
pub(crate) use recall::explanation;
pub(crate) use receipt::{receipt, receipts};
pub(crate) use status::status;
pub(crate) use table::{Cell, Table};
