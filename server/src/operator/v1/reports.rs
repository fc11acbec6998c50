//! Reports of any status.

mod add;
mod decide;
mod list;
mod one;

pub use self::{add::add, decide::decide, list::list, one::one};
