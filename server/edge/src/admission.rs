use std::{any::Any, fmt, net::IpAddr};

use crate::problem::Problem;

/// The decision which peers may connect, and how much each may have open at a time.
pub trait Admission: fmt::Debug + Send + Sync + 'static {
    /// Counts one more connection of the peer.
    ///
    /// # Errors
    /// The peer has too many; the problem is sent to it.
    fn connection(&self, peer: IpAddr) -> Result<Permit, Problem>;

    /// Counts one more request on an HTTP/2 connection of the peer; `None` if it has too many.
    fn request(&self, peer: IpAddr) -> Option<Permit>;

    /// Whether the peer is a trusted proxy, whose connections are those of all its visitors.
    fn is_proxy(&self, peer: IpAddr) -> bool;
}

/// Counts a connection or a request until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _held: Box<dyn Any + Send + Sync>,
}

impl Permit {
    /// A permit that ends when `held` is dropped.
    pub fn new(held: impl Any + Send + Sync) -> Self {
        Self { _held: Box::new(held) }
    }
}
