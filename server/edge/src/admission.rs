use std::{any::Any, fmt, net::IpAddr};

use crate::problem::Problem;

/// Decides which peers may connect, and limits their open connections and requests.
pub trait Admission: fmt::Debug + Send + Sync + 'static {
    /// Counts one more connection of the peer.
    ///
    /// # Errors
    /// The peer has too many; the problem is sent to it.
    fn connection(&self, peer: IpAddr) -> Result<Permit, Problem>;

    /// Counts one more request on an HTTP/2 connection of the peer; `None` if it has too many.
    fn request(&self, peer: IpAddr) -> Option<Permit>;

    /// Whether the peer is a trusted proxy, which shares its connections among all its visitors.
    fn is_proxy(&self, peer: IpAddr) -> bool;
}

/// Counts a connection or a request until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _held: Box<dyn Any + Send + Sync>,
}

impl Permit {
    /// Permit that ends when `held` is dropped.
    pub fn new(held: impl Any + Send + Sync) -> Self {
        Self { _held: Box::new(held) }
    }
}
