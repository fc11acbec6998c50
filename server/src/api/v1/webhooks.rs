//! A partner's webhook subscriptions.

mod create;
mod delete;
mod list;

pub use self::{create::post, delete::delete, list::get};
