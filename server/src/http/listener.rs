//! Listening: sockets, and HTTP/1.1 connections with bounds on what a slow or hostile peer can hold.
//!
//! `axum::serve` has no settings for any of this, and its defaults let one connection keep several
//! hundred kilobytes for headers.

use std::{convert::Infallible, io, net::SocketAddr, time::Duration};

use axum::{Router, body::Body, response::Response};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use socket2::{Domain, Protocol, SockRef, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::Service;

use self::deadline::WriteDeadline;
use super::{Peer, boundary::Boundary};

mod deadline;

const BACKLOG: i32 = 4_096;
/// For a request's head: its time, counted also while a kept connection is idle, and its size.
const HEAD_TIME: Duration = Duration::from_secs(30);
const HEAD_BYTES: usize = 16 << 10;
/// How long a peer may leave what was sent to it unread.
const WRITE_TIME: Duration = Duration::from_secs(20);
/// What the kernel keeps for a peer that does not read.
const SEND_BUFFER: usize = 64 << 10;
/// After how long a peer that is gone without a word is noticed.
const DEAD_PEER: Duration = Duration::from_secs(30);

/// What requests are given to.
pub trait Handler: Clone + Send + 'static {
    /// Handles a request. The [`Peer`] is one of its extensions.
    fn handle(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response> + Send + 'static + use<Self>;
}

impl Handler for Boundary {
    fn handle(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response> + Send + 'static + use<> {
        self.handle(request)
    }
}

impl Handler for Router {
    fn handle(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response> + Send + 'static + use<> {
        let response = self.clone().call(request);
        async { response.await.unwrap_or_else(|never| match never {}) }
    }
}

/// Binds a listening socket. An address that a stopped service used a moment ago is free.
pub fn bind(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(addr), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Accepted sockets inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(&addr.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Accepts and serves connections until `stopping`, then lets requests in flight end within
/// `grace`.
pub async fn serve(
    listener: TcpListener,
    handler: impl Handler,
    stopping: CancellationToken,
    grace: Duration,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD_BYTES);
    let connections = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stopping.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    wait_after(&error).await;
                    continue;
                }
            },
        };
        if prepare(&stream).is_err() {
            continue; // the peer is gone already
        }
        let io = TokioIo::new(WriteDeadline::new(stream, WRITE_TIME));
        let handler = handler.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer));
            let response = handler.handle(request);
            async move { Ok::<_, Infallible>(response.await) }
        });
        let connection = connections.watch(http.serve_connection(io, service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(grace, connections.shutdown()).await.is_err() {
        tracing::warn!("requests were still running when the time to finish them was over");
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(
        &TcpKeepalive::new().with_time(DEAD_PEER).with_interval(DEAD_PEER / 3),
    )?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(DEAD_PEER))?;
    Ok(())
}

/// Out of file descriptors, accepting fails at once and again: it must neither end nor spin.
async fn wait_after(error: &io::Error) {
    let peer_is_gone = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    );
    if !peer_is_gone {
        tracing::error!(%error, "connections cannot be accepted");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
