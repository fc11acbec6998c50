//! Listening: sockets, and connections with bounds on what a slow or hostile peer can hold.
//!
//! `axum::serve` has no settings for any of this, and its defaults let one connection keep several
//! hundred kilobytes for headers.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use socket2::{Domain, Protocol, SockRef, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Handler, Peer,
    connection::{self, Respond, Socket},
    draining::Draining,
    problem::Problem,
    stopping::Stopping,
    tls::Tls,
    wire,
};
use crate::{
    clock::{Clock, Seldom},
    limit::{Network, Slot, Slots, TrustedProxies},
};

const BACKLOG: i32 = 4_096;
/// What the kernel keeps for a peer that does not read.
const SEND_BUFFER: usize = 64 << 10;
/// After how long a peer that is gone without a word is noticed.
const DEAD_PEER: Duration = Duration::from_secs(30);

/// The least time between two warnings of the same kind: anybody can cause them.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// Binds a listening socket. An address that a stopped service used a moment ago is free.
pub fn bind(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket =
        socket2::Socket::new(Domain::for_address(addr), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Accepted sockets inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(&addr.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// How many requests an address may have open on its HTTP/2 connections, for each connection that it
/// may have. Those who have many connections use few streams of each.
const REQUESTS_PER_CONNECTION: u32 = 4;

/// How many connections, and requests on them, an address may have open.
#[derive(Debug)]
pub struct ConnectionLimit {
    /// For each address (IPv6: each /64). Trusted proxies have no limit, because their connections are
    /// those of all visitors.
    most: u32,
    trusted_proxies: TrustedProxies,
    open: Slots<Network>,
    /// With HTTP/2.
    requests: Slots<Network>,
    warnings: Seldom,
}

impl ConnectionLimit {
    pub fn new(most: u32, trusted_proxies: TrustedProxies, clock: Clock) -> Self {
        let warnings = Seldom::new(clock, WARN_EVERY);
        let (open, requests) = (Slots::default(), Slots::default());
        Self { most, trusted_proxies, open, requests, warnings }
    }

    /// Counts one more; `None` if it is one too many.
    fn take(&self, peer: IpAddr) -> Option<Slot> {
        let slot = self.open.take(Network::of(peer), self.most_of(peer));
        if slot.is_none()
            && let Some(more) = self.warnings.may_speak()
        {
            let most = self.most;
            tracing::warn!(
                "a connection from {peer} was refused: {most} are open from there \
                 (--connections-per-address). {more} more were refused since the last warning"
            );
        }
        slot
    }

    /// Counts one more request on an HTTP/2 connection; `None` if it is one too many.
    pub(super) fn take_request(&self, peer: IpAddr) -> Option<Slot> {
        let most = self.most_of(peer).map(|most| most.saturating_mul(REQUESTS_PER_CONNECTION));
        let slot = self.requests.take(Network::of(peer), most);
        if let (None, Some(most)) = (&slot, most)
            && let Some(more) = self.warnings.may_speak()
        {
            tracing::warn!(
                "a request from {peer} was refused: {most} are open from there \
                 ({REQUESTS_PER_CONNECTION} for each of --connections-per-address). {more} more were \
                 refused since the last warning"
            );
        }
        slot
    }

    fn most_of(&self, peer: IpAddr) -> Option<u32> {
        (!self.trusted_proxies.contains(peer)).then_some(self.most)
    }
}

/// Until when a listener listens.
#[derive(Clone, Debug)]
pub struct Until {
    /// While draining, connections end after one more request.
    pub draining: Draining,
    pub stopping: CancellationToken,
    /// How long requests in flight may take after that.
    pub grace: Duration,
}

/// Accepts and serves connections until the service stops.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    handler: impl Handler,
    limit: Option<ConnectionLimit>,
    clock: Clock,
    until: Until,
) {
    let Until { draining, stopping, grace } = until;
    let failures = Seldom::new(clock, WARN_EVERY);
    let limit = limit.map(Arc::new);
    let stages = Stopping::default();
    let tasks = TaskTracker::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stopping.cancelled() => break,
            () = draining.begun(), if !stages.draining.has_begun() => {
                stages.draining.begin();
                continue;
            }
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    wait_after(&error, &failures).await;
                    continue;
                }
            },
        };
        let slot = match &limit {
            None => None,
            Some(limit) => match limit.take(peer.ip()) {
                Some(slot) => Some(slot),
                None => {
                    // Who expects TLS could not read it.
                    if tls.is_none() {
                        refuse(&stream, limit.most);
                    }
                    continue;
                }
            },
        };
        if prepare(&stream).is_err() {
            continue; // the peer is gone already
        }
        let peer = Peer { addr: peer, tls: tls.is_some() };
        let context = connection::Context {
            respond: Respond { handler: handler.clone(), peer, limit: limit.clone() },
            stopping: stages.clone(),
            tasks: tasks.clone(),
        };
        match tls.clone() {
            None => tasks.spawn(connection::serve(Socket::new(stream, slot), context)),
            Some(tls) => tasks.spawn(async move {
                let stream = tokio::select! {
                    () = context.stopping.ending.begun() => return,
                    stream = tls.accept(stream) => stream,
                };
                if let Some(stream) = stream {
                    let socket = match Tls::is_http2(&stream) {
                        true => Socket::agreed_on_http2(stream, slot),
                        false => Socket::new(stream, slot),
                    };
                    connection::serve(socket, context).await;
                }
            }),
        };
    }
    drop(listener);
    stages.ending.begin();
    tasks.close();
    if tokio::time::timeout(grace, tasks.wait()).await.is_err() {
        tracing::warn!("requests were still running when the time to finish them ran out");
    }
}

/// Says why, if that takes no waiting.
fn refuse(stream: &TcpStream, most: u32) {
    let problem = Problem::too_many_connections(format!(
        "{most} connections are open from this address: close one, or use them for more requests."
    ));
    let _ = stream.try_write(&wire::refusal(problem));
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
async fn wait_after(error: &io::Error, failures: &Seldom) {
    let peer_is_gone = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    );
    if peer_is_gone {
        return;
    }
    if let Some(more) = failures.may_speak() {
        tracing::error!(%error, more, "connections cannot be accepted");
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
}
