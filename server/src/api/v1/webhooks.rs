//! A partner's webhook subscriptions.

mod create;
mod delete;
mod list;

pub use self::{
    create::{Subscribing, post},
    delete::delete,
    list::get,
};
use crate::openapi::Operation;

pub(super) fn described() -> [Operation; 3] {
    [create::described(), list::described(), delete::described()]
}
