//! HTTP itself: sockets and connections, what stands around every route, and what responses are made
//! of. Nothing here knows what the service is about.

pub mod accept;
pub mod base_url;
pub mod boundary;
mod connection;
pub mod draining;
pub(crate) mod everywhere;
pub mod feed;
pub mod gate;
pub mod listener;
pub mod own_names;
pub mod packed;
pub mod problem;
pub mod representation;
pub(crate) mod request_id;
pub mod routes;
mod stopping;
pub mod tls;
pub mod traffic;
mod wire;

use std::{net::SocketAddr, pin::Pin};

use ::http::Request;
use axum::{Router, body::Body, response::Response};
use tower::Service;

use self::boundary::{Boundary, Handling};

/// The socket's other end: an extension of every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    pub addr: SocketAddr,
    /// Whether it speaks TLS with this service, and not with a proxy before it.
    pub tls: bool,
}

/// What requests are given to. The [`Peer`] is an extension of each.
pub trait Handler: Clone + Send + Sync + Unpin + 'static {
    type Future: Future<Output = Response> + Send + Unpin + 'static;

    fn handle(&self, request: Request<Body>) -> Self::Future;
}

impl Handler for Boundary {
    type Future = Handling;

    fn handle(&self, request: Request<Body>) -> Handling {
        self.handle(request)
    }
}

impl Handler for Router {
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn handle(&self, request: Request<Body>) -> Self::Future {
        let response = self.clone().call(request);
        Box::pin(async { response.await.unwrap_or_else(|never| match never {}) })
    }
}
