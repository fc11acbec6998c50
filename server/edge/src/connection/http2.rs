//! One HTTP/2 connection: many concurrent requests, each in its own task.
//!
//! The h2 crate reads and writes the frames. It is used without hyper, because hyper passes whole bodies to h2 and
//! then cannot detect whether the peer reads them. Here a response sends no more than the peer's windows allow, and
//! ends if they stay closed ([`exchange`]).
//!
//! In addition to HTTP/1's limits, these bound a hostile peer: the number of streams; the windows, which are small
//! until the service reads a large body; the number of frames that cost work but carry no request, unless the peer is
//! a trusted proxy; and the time that a frame or a head takes to arrive ([`watch`]). h2 itself bounds the number of
//! CONTINUATION frames, the memory of headers (HPACK), empty DATA frames, and resets of streams that it has not
//! handed over yet. It replies to one PING or SETTINGS before it reads the next.

mod exchange;
mod watch;

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use h2::{
    Ping, PingPong, Reason,
    server::{Builder, Connection},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, Sleep, sleep_until},
};

use self::{
    exchange::Exchange,
    watch::{KeepAliveAction, Watch, Watched},
};
use super::{HEAD_BYTES, LINGER_TIME, Respond, Socket, Timeouts};
use crate::Handler;

/// Maximum number of open requests of a connection. RFC 9113 advises against fewer than 100.
const STREAMS: u32 = 128;
/// Maximum number of bytes of a request's body that may arrive before it is read. Larger than most bodies may be.
const STREAM_WINDOW: u32 = 32 << 10;
/// Maximum number of bytes of all bodies of a connection that may arrive before they are read. RFC 9113 allows no
/// less.
const CONNECTION_WINDOW: u32 = (64 << 10) - 1;
/// Size of both windows once more than a [`STREAM_WINDOW`] of a body was read, for example of an operator's upload.
/// That many bytes may arrive per round trip.
const UPLOAD_WINDOW: u32 = 1 << 20;
/// Maximum number of requests of a trusted proxy that may be reset before they are handled. A proxy forwards the
/// resets of its visitors, who may all leave at the same moment. For other peers, the default of h2 is enough.
const PENDING_RESETS_OF_PROXY: usize = 1_024;
/// Maximum number of bytes of a response that wait in h2 until they are written.
const SEND_BUFFER: usize = 32 << 10;
/// Maximum size of a head that is read, so that clients get a problem for heads that are too large. h2 refuses larger
/// ones with an empty 431, and closes the connection if they are far larger.
const READ_HEAD_BYTES: u32 = 2 * HEAD_BYTES as u32;

/// Serves requests until either side closes the connection. While the service drains or stops, only those in flight.
/// A connection that is opened during draining gets at least one request served: a client that was sent away before
/// its first request would reconnect at once.
pub(super) async fn serve<S, H>(socket: Socket<S>, context: super::Context<H>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    H: Handler,
{
    let super::Context { respond: Respond { handler, peer, admission }, stopping, tasks } = context;
    let timeouts = socket.activity.timeouts;
    // From here on, written data is the service's own.
    socket.activity.begin();
    let watch = Arc::new(Watch::default());
    let is_proxy = admission.as_ref().is_some_and(|admission| admission.is_proxy(peer.addr.ip()));
    let socket = Watched::new(socket, watch.clone(), is_proxy);
    let mut builder = Builder::new();
    if is_proxy {
        builder.max_pending_accept_reset_streams(PENDING_RESETS_OF_PROXY);
    }
    let handshake = builder
        .max_concurrent_streams(STREAMS)
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buffer_size(SEND_BUFFER)
        .max_header_list_size(READ_HEAD_BYTES)
        .handshake(socket);
    let served = async {
        let mut connection = handshake.await?;
        let mut duties = KeepAlive::new(&mut connection, &watch, timeouts);
        let mut drained = pin!(stopping.draining.begun());
        let mut stopped = pin!(stopping.ending.begun());
        let (mut has_served, mut is_leaving, mut is_wide) = (false, false, false);
        poll_fn(|context| {
            loop {
                match connection.poll_accept(context) {
                    Poll::Ready(Some(Ok((request, mut respond)))) => {
                        let permit =
                            admission.as_ref().map(|admission| admission.request(peer.addr.ip()));
                        if let Some(None) = permit {
                            respond.send_reset(Reason::REFUSED_STREAM);
                            continue;
                        }
                        let open = (watch.opened(), permit.flatten());
                        let watch = watch.clone();
                        let exchange = Exchange { peer, timeouts, respond, watch, open };
                        tasks.spawn(exchange.run(handler.clone(), request));
                        has_served = true;
                        continue;
                    }
                    Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(error)),
                    Poll::Ready(None) => return Poll::Ready(Ok(())),
                    Poll::Pending => {}
                }
                if !is_wide && watch.has_upload() {
                    connection.set_target_window_size(UPLOAD_WINDOW);
                    // Fails until the peer has acknowledged the first settings, which wakes this task.
                    is_wide = connection.set_initial_window_size(UPLOAD_WINDOW).is_ok();
                    if is_wide {
                        continue;
                    }
                }
                if !is_leaving
                    && (stopped.as_mut().poll(context).is_ready()
                        || has_served && drained.as_mut().poll(context).is_ready())
                {
                    is_leaving = true;
                    watch.stop();
                    connection.graceful_shutdown();
                    continue;
                }
                match duties.poll(&mut connection, context) {
                    Poll::Ready(Done::Changed) => {}
                    Poll::Ready(Done::GaveUp) => return Poll::Ready(Ok(())),
                    Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await
    };
    if let Err(error) = served.await {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Tasks that are due on a connection from time to time.
struct KeepAlive<'a> {
    watch: &'a Watch,
    timeouts: &'static Timeouts,
    pings: Option<PingPong>,
    timer: Pin<Box<Sleep>>,
    due: Instant,
    /// The GOAWAY frame is being sent.
    is_closing: bool,
}

enum Done {
    /// The connection has something to send.
    Changed,
    /// The peer does not even read the GOAWAY frame.
    GaveUp,
}

impl<'a> KeepAlive<'a> {
    fn new<T>(
        connection: &mut Connection<T, Bytes>,
        watch: &'a Watch,
        timeouts: &'static Timeouts,
    ) -> Self
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        let due = Instant::now() + timeouts.idle;
        let timer = Box::pin(sleep_until(due));
        Self { watch, timeouts, pings: connection.ping_pong(), timer, due, is_closing: false }
    }

    fn poll<T>(
        &mut self,
        connection: &mut Connection<T, Bytes>,
        context: &mut Context<'_>,
    ) -> Poll<Done>
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        if self.watch.is_asked()
            && let Some(pings) = &mut self.pings
            && let Poll::Ready(Ok(_)) = pings.poll_pong(context)
        {
            self.watch.answered();
        }
        loop {
            if !self.is_closing {
                let (duty, at) = self.watch.next(self.timeouts);
                if at <= Instant::now() {
                    self.perform(duty, connection);
                    return Poll::Ready(Done::Changed);
                }
                // As with HTTP/1, the timer is only moved to an earlier time. Otherwise it fires too early now and
                // then.
                if at < self.due || self.timer.is_elapsed() {
                    self.wait_until(at);
                }
            }
            if self.timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            if self.is_closing {
                return Poll::Ready(Done::GaveUp);
            }
        }
    }

    fn perform<T>(&mut self, duty: KeepAliveAction, connection: &mut Connection<T, Bytes>)
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        match duty {
            KeepAliveAction::Ask => {
                self.watch.asked();
                if let Some(pings) = &mut self.pings {
                    // Fails only if the connection is closed.
                    let _ = pings.send_ping(Ping::opaque());
                }
            }
            KeepAliveAction::Close(reason) => {
                self.is_closing = true;
                connection.abrupt_shutdown(reason);
                self.wait_until(Instant::now() + LINGER_TIME);
            }
        }
    }

    fn wait_until(&mut self, due: Instant) {
        self.due = due;
        self.timer.as_mut().reset(due);
    }
}

/// Reason without an error: the peer may connect again.
const GOODBYE: Reason = Reason::NO_ERROR;

#[cfg(test)]
mod tests;
