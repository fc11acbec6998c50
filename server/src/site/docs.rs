//! Everything under `/docs/` except the documentation itself, which is [pages](crate::site::pages).

mod send;

pub use self::send::send;
