//! Everything under `/docs/` except the documentation itself, which is [pages](crate::site::pages).

mod search;
mod send;

pub use self::{
    search::{SearchIndexes, search, search_for_operators},
    send::send,
};
