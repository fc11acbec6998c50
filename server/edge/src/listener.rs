//! Listening sockets, and connections with bounds on what a slow or hostile peer can hold.
//!
//! `axum::serve` has no settings for these bounds, and its defaults let one connection keep several hundred kilobytes
//! for headers.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use base::clock::{Clock, Seldom};
use futures_util::FutureExt;
use socket2::{Domain, Protocol, SockRef, TcpKeepalive, Type};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Admission, Handler, Peer,
    connection::{self, Respond, Socket},
    draining::Draining,
    problem::Problem,
    stopping::Stopping,
    tls::Tls,
    wire,
};

const BACKLOG: i32 = 4_096;
/// Number of bytes that the kernel buffers for a peer that does not read.
const SEND_BUFFER: usize = 64 << 10;
/// Time after which a peer that vanished is detected.
const DEAD_PEER: Duration = Duration::from_secs(30);

/// Time to read requests that were already sent, after the last connection was accepted.
const ACCEPT_DRAIN: Duration = Duration::from_millis(50);

/// Maximum number of refused connections whose clients may still be sending. Each takes a file descriptor, in
/// addition to those that its address may have.
const MAX_LINGERING: usize = 128;

/// Minimum time between two warnings of the same kind: anybody can cause them.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// Binds a listening socket. An address that a stopped service has just released can be used again.
pub fn bind(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket =
        socket2::Socket::new(Domain::for_address(addr), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Accepted sockets inherit this.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(&addr.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Duplicates a listening socket. The first of the two that accepts gets a connection. The socket is closed when both
/// are dropped.
pub fn duplicate(listener: &TcpListener) -> io::Result<TcpListener> {
    TcpListener::from_std(SockRef::from(listener).try_clone()?.into())
}

/// Signals and times that end a listener.
#[derive(Clone, Debug)]
pub struct Until {
    /// While draining, connections end after one more request.
    pub draining: Draining,
    pub stopping: CancellationToken,
    /// Maximum time of requests in flight after that.
    pub grace: Duration,
}

/// Accepts and serves connections until the service stops. Requests that were sent before are still handled, even on
/// connections that are not accepted yet: a proxy cannot safely send them again elsewhere, because it has no way to
/// detect that they were not read.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    handler: impl Handler,
    admission: Option<Arc<dyn Admission>>,
    clock: Clock,
    until: Until,
) {
    let Until { draining, stopping, grace } = until;
    let failures = Seldom::new(clock, WARN_EVERY);
    let accepting = Accepting {
        tls,
        handler,
        admission,
        lingering: Arc::new(Semaphore::new(MAX_LINGERING)),
        stages: Stopping::default(),
        tasks: TaskTracker::new(),
    };
    let Accepting { stages, tasks, .. } = &accepting;
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
    tokio::time::sleep(ACCEPT_DRAIN).await;
    stages.ending.begin();
    tasks.close();
    if tokio::time::timeout(grace, tasks.wait()).await.is_err() {
        tracing::warn!("requests were still running when the time to finish them ran out");
    }
}

/// State shared by all accepted connections.
struct Accepting<H> {
    tls: Option<Tls>,
    handler: H,
    admission: Option<Arc<dyn Admission>>,
    lingering: Arc<Semaphore>,
    stages: Stopping,
    tasks: TaskTracker,
}

impl<H: Handler> Accepting<H> {
    /// Serves a connection in its own task, unless the peer has too many.
    fn begin(&self, stream: TcpStream, peer: SocketAddr) {
        let admitted = self.admission.as_ref().map(|admission| admission.connection(peer.ip()));
        let permit = match admitted.transpose() {
            Ok(permit) => permit,
            Err(problem) => {
                // A client that expects TLS could not read it.
                if self.tls.is_none() {
                    self.refuse(stream, problem);
                }
                return;
            }
        };
        if prepare(&stream).is_err() {
            return; // the peer is gone already
        }
        let context = self.context(peer);
        match self.tls.clone() {
            None => self.tasks.spawn(connection::serve(Socket::new(stream, permit), context)),
            Some(tls) => self.tasks.spawn(async move {
                let stream = tokio::select! {
                    () = context.stopping.ending.begun() => return,
                    stream = tls.accept(stream) => stream,
                };
                if let Some(stream) = stream {
                    let socket = match Tls::is_http2(&stream) {
                        true => Socket::agreed_on_http2(stream, permit),
                        false => Socket::new(stream, permit),
                    };
                    connection::serve(socket, context).await;
                }
            }),
        };
    }

    /// Sends the reason, if that needs no waiting.
    fn refuse(&self, stream: TcpStream, problem: Problem) {
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
            respond: Respond {
                handler: self.handler.clone(),
                peer,
                admission: self.admission.clone(),
            },
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

/// Waits after an error. Without free file descriptors, accepting fails at once and repeatedly: the loop must neither
/// end nor spin.
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
        // A client that sends nothing does not delay the stop.
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
