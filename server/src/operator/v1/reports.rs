//! Reports of any status.

mod add;
mod correct;
mod decide;
mod list;
mod one;

pub(crate) use self::list::selected;
pub use self::{add::add, correct::correct, decide::decide, list::list, one::one};
