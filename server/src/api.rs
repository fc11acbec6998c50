//! The JSON API. A file's path below here is its URL.

pub mod admission;
mod body;
mod page;
mod parameters;
pub mod v1;
pub mod views;

pub use self::{
    admission::{Caller, Partner},
    parameters::Parameters,
};
