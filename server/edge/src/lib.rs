//! HTTP side of a service: listener, TLS, HTTP/1 and HTTP/2 connections with bounds on what a slow or hostile peer
//! can hold, and a [`Boundary`](boundary::Boundary) around an axum router. Independent of what the service does.
//!
//! A [`listener`] accepts connections, if its [`Admission`] admits the peer, and serves each in its own task with a
//! [`Handler`]. hyper parses HTTP/1, and h2 parses HTTP/2. Before that, the connection's bytes pass time limits and
//! counters of this crate (`connection`).
//!
//! The usual handler is a [`Boundary`](boundary::Boundary). It gives each request an id, limits its body by the
//! [`gate`] of its route, counts and logs it ([`traffic`]), turns panics into problems, and adds the headers of every
//! response. Handlers respond with a [`Representation`](representation::Representation), which handles entity tags
//! and compression, with a [`Problem`](problem::Problem) (RFC 9457), or with a [detached stream](detached_stream), an
//! endless body that takes
//! little memory between two frames.
//!
//! Before a stop, [`Draining`](draining::Draining) sends clients to other nodes without losing a request.

pub mod accept;
mod admission;
pub mod base_path;
pub mod boundary;
mod connection;
pub mod cors;
pub mod detached_stream;
pub mod download;
pub mod draining;
#[cfg(test)]
mod fuzz;
pub mod gate;
pub mod gzipped;
pub mod gzipped_stream;
pub mod listener;
pub mod own_names;
pub mod problem;
pub mod representation;
mod request_id;
pub mod routes;
pub mod single_use;
mod stopping;
pub mod tls;
pub mod traffic;
mod wire;

use std::{net::SocketAddr, pin::Pin};

use ::http::Request;
use axum::{Router, body::Body, response::Response};
use tower::Service;

pub use self::admission::{Admission, Permit};
use self::boundary::{Boundary, ResponseFuture};

/// Remote end of the socket: an extension of every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    pub addr: SocketAddr,
    /// Whether the peer uses TLS with this service itself, not with a proxy in front of it.
    pub tls: bool,
}

/// Handler of requests. Each request has a [`Peer`] among its extensions.
pub trait Handler: Clone + Send + Sync + Unpin + 'static {
    type Future: Future<Output = Response> + Send + Unpin + 'static;

    fn handle(&self, request: Request<Body>) -> Self::Future;
}

impl Handler for Boundary {
    type Future = ResponseFuture;

    fn handle(&self, request: Request<Body>) -> ResponseFuture {
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
