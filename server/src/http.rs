//! HTTP itself: sockets and connections, what stands around every route, and what responses are made
//! of. Nothing here knows what the service is about.

pub mod accept;
pub mod base_url;
pub mod boundary;
pub mod listener;
pub mod problem;
pub mod representation;
