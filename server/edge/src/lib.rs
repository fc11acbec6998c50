//! The HTTP side of a service: listener, TLS, HTTP/1 and HTTP/2 connections with bounds on what a slow or hostile peer can
//! hold, and a [`Boundary`](boundary::Boundary) around an axum router. Nothing here knows what the service is about.
//!
//! A [`listener`] accepts connections, if its [`Admission`] lets the peer in, and serves each in a task of its own with a
//! [`Handler`]. hyper reads HTTP/1 and h2 reads HTTP/2; both only after the connection's bytes have passed time limits and
//! counters of this crate (`connection`). The usual handler is a [`Boundary`](boundary::Boundary): it gives each request an id, bounds its
//! body by the [`gate`] of its route, counts and logs it ([`traffic`]), turns panics into problems, and adds the headers
//! that every response has. Handlers respond with a [`Representation`](representation::Representation), which knows entity
//! tags and compression, with a [`Problem`](problem::Problem) (RFC 9457), or with a [`feed`], an endless body that costs
//! little memory between two frames. Before a stop, [`Draining`](draining::Draining) sends clients elsewhere without
//! losing a request.

pub mod accept;
mod admission;
pub mod base_path;
pub mod boundary;
mod connection;
pub mod draining;
pub mod everywhere;
pub mod feed;
#[cfg(test)]
mod fuzz;
pub mod gate;
pub mod listener;
pub mod own_names;
pub mod packed;
pub mod problem;
pub mod representation;
mod request_id;
pub mod routes;
mod stopping;
pub mod tls;
pub mod traffic;
mod wire;

use std::{net::SocketAddr, pin::Pin};

use ::http::Request;
use axum::{Router, body::Body, response::Response};
use tower::Service;

pub use self::admission::{Admission, Permit};
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
