//! HTTP itself: sockets and connections, what stands around every route, and what responses are made
//! of. Nothing here knows what the service is about.

pub mod accept;
pub mod boundary;
pub mod listener;
pub mod problem;
pub mod representation;

use std::net::SocketAddr;

/// The socket's other end: an extension of every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);
