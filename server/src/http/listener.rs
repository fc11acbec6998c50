//! Listening: sockets, and HTTP/1.1 connections with bounds on what a slow or hostile peer can hold.
//!
//! `axum::serve` has no settings for any of this, and its defaults let one connection keep several
//! hundred kilobytes for headers.

use std::{io, net::SocketAddr, time::Duration};

use socket2::{Domain, Protocol, SockRef, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Handler, Peer, connection};

const BACKLOG: i32 = 4_096;
/// What the kernel keeps for a peer that does not read.
const SEND_BUFFER: usize = 64 << 10;
/// After how long a peer that is gone without a word is noticed.
const DEAD_PEER: Duration = Duration::from_secs(30);

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
    let tasks = TaskTracker::new();
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
        let socket = connection::Socket::new(stream);
        let (handler, stopping) = (handler.clone(), stopping.clone());
        tasks.spawn(connection::serve(socket, Peer(peer), handler, stopping, tasks.clone()));
    }
    drop(listener);
    tasks.close();
    if tokio::time::timeout(grace, tasks.wait()).await.is_err() {
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
