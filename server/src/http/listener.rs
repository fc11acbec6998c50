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

use base::clock::{Clock, Seldom};
use futures_util::FutureExt;
use limits::{Network, Slot, Slots, TrustedProxies};
use socket2::{Domain, Protocol, SockRef, TcpKeepalive, Type};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
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

const BACKLOG: i32 = 4_096;
/// What the kernel keeps for a peer that does not read.
const SEND_BUFFER: usize = 64 << 10;
/// After how long a peer that is gone without a word is noticed.
const DEAD_PEER: Duration = Duration::from_secs(30);

/// How long, after the last connection was accepted, what its client has sent may take to be read.
const LAST_CALL: Duration = Duration::from_millis(50);

/// Maximum number of connections that were refused and whose clients may still be sending. Each is a file descriptor
/// beyond those that its address may have.
const MAX_LINGERING: usize = 128;

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

/// The same socket once more. Connections go to whoever accepts first, and it is closed when both are.
pub fn duplicate(listener: &TcpListener) -> io::Result<TcpListener> {
    TcpListener::from_std(SockRef::from(listener).try_clone()?.into())
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
        (!self.is_proxy(peer)).then_some(self.most)
    }

    /// Whether the connections of this peer are those of all its visitors.
    pub(super) fn is_proxy(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.contains(peer)
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

/// Accepts and serves connections until the service stops. Requests that were sent before that are
/// answered, also those on connections that were not accepted yet: a proxy could not send them again
/// elsewhere, because it cannot know that nobody has read them.
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
    let (stages, tasks) = (Stopping::default(), TaskTracker::new());
    let limit = limit.map(Arc::new);
    let lingering = Arc::new(Semaphore::new(MAX_LINGERING));
    let (stages_of_all, tasks_of_all) = (stages.clone(), tasks.clone());
    let accepting =
        Accepting { tls, handler, limit, lingering, stages: stages_of_all, tasks: tasks_of_all };
    loop {
        tokio::select! {
            () = stopping.cancelled() => break,
            () = draining.begun(), if !stages.draining.has_begun() => stages.draining.begin(),
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => accepting.begin(stream, peer),
                Err(error) => wait_after(&error, &failures).await,
            },
        }
    }
    stages.draining.begin();
    for _ in 0..BACKLOG {
        let Some(Ok((stream, peer))) = listener.accept().now_or_never() else { break };
        accepting.begin(stream, peer);
    }
    drop(listener);
    tokio::time::sleep(LAST_CALL).await;
    stages.ending.begin();
    tasks.close();
    if tokio::time::timeout(grace, tasks.wait()).await.is_err() {
        tracing::warn!("requests were still running when the time to finish them ran out");
    }
}

/// What becomes of connections that are accepted.
struct Accepting<H> {
    tls: Option<Tls>,
    handler: H,
    limit: Option<Arc<ConnectionLimit>>,
    lingering: Arc<Semaphore>,
    stages: Stopping,
    tasks: TaskTracker,
}

impl<H: Handler> Accepting<H> {
    /// Serves a connection in a task of its own, unless it is one too many.
    fn begin(&self, stream: TcpStream, peer: SocketAddr) {
        let slot = match &self.limit {
            None => None,
            Some(limit) => match limit.take(peer.ip()) {
                Some(slot) => Some(slot),
                None => {
                    // Who expects TLS could not read it.
                    if self.tls.is_none() {
                        self.refuse(stream, limit.most);
                    }
                    return;
                }
            },
        };
        if prepare(&stream).is_err() {
            return; // the peer is gone already
        }
        let context = self.context(peer);
        match self.tls.clone() {
            None => self.tasks.spawn(connection::serve(Socket::new(stream, slot), context)),
            Some(tls) => self.tasks.spawn(async move {
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

    /// Says why, if that takes no waiting.
    fn refuse(&self, stream: TcpStream, most: u32) {
        let problem = Problem::too_many_connections(format!(
            "{most} connections are open from this address: close one, or use them for more requests."
        ));
        let is_sent = stream.try_write(&wire::refusal(problem)).is_ok();
        if is_sent && let Ok(permit) = self.lingering.clone().try_acquire_owned() {
            let ending = self.stages.ending.clone();
            self.tasks.spawn(async move {
                tokio::select! {
                    () = connection::linger(stream) => {}
                    () = ending.begun() => {}
                }
                drop(permit);
            });
        }
    }

    fn context(&self, peer: SocketAddr) -> connection::Context<H> {
        let peer = Peer { addr: peer, tls: self.tls.is_some() };
        connection::Context {
            respond: Respond { handler: self.handler.clone(), peer, limit: self.limit.clone() },
            stopping: self.stages.clone(),
            tasks: self.tasks.clone(),
        }
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

#[cfg(test)]
mod tests {
    use axum::{Router, routing::get};
    use base::random::Random;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn what_was_sent_before_the_stop_is_answered_also_on_connections_not_accepted_yet() {
        let listener = bind(([127, 0, 0, 1], 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let mut sent = Vec::new();
        for _ in 0..20 {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
            sent.push(client);
        }
        // Nobody waits for what such a client may say.
        let _silent = TcpStream::connect(address).await.unwrap();
        let (clock, stopping) = (Clock::system(), CancellationToken::new());
        stopping.cancel();
        let timing = (Duration::ZERO, Duration::ZERO);
        let draining = Draining::new(clock.clone(), &Random::seeded(1), timing, stopping.clone());
        let until = Until { draining, stopping, grace: Duration::from_secs(60) };
        let routes = Router::new().route("/", get(async || "hello"));
        serve(listener, None, routes, None, clock, until).await;
        for mut client in sent {
            let mut response = String::new();
            client.read_to_string(&mut response).await.unwrap();
            assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response:?}");
            assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
            assert!(response.ends_with("\r\n\r\nhello"), "{response}");
        }
        assert!(TcpStream::connect(address).await.is_err());
    }
}
