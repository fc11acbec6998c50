//! One HTTP/2 connection: many requests at a time, each in a task of its own.
//!
//! The h2 crate reads and writes the frames. It is used without hyper, because hyper gives it whole
//! bodies and then can't tell whether the peer reads them. Here a response sends no more than the
//! peer's windows allow, and ends if they stay closed ([`exchange`]).
//!
//! What bounds a hostile peer, beyond HTTP/1's limits: the number of streams and the windows, which are
//! small until the service reads a large body; the count of frames that cost work but carry no request,
//! unless the peer is a trusted proxy, and the time that a frame or a head takes to arrive ([`watch`]). h2 itself bounds the number of CONTINUATION frames, the memory of
//! headers (HPACK), empty DATA frames, resets of streams that it has not handed over yet, and answers
//! one PING or SETTINGS before it reads the next.

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
    watch::{Duty, Watch, Watched},
};
use super::{HEAD_BYTES, LINGER_TIME, Patience, Respond, Socket};
use crate::Handler;

/// How many requests a connection may have open. RFC 9113 advises against fewer than 100.
const STREAMS: u32 = 128;
/// How much of a request's body may arrive before it is read: more than bodies have that anybody may send.
const STREAM_WINDOW: u32 = 32 << 10;
/// How much of all bodies of a connection may arrive before it is read; RFC 9113 allows no less.
const CONNECTION_WINDOW: u32 = (64 << 10) - 1;
/// Both, once more than a [`STREAM_WINDOW`] of a body was read, as of an operator's upload. So much may arrive in a round
/// trip.
const UPLOAD_WINDOW: u32 = 1 << 20;
/// How many requests of a trusted proxy may be reset before they are looked at. It passes on what its visitors do, who may
/// all leave at the same moment. For others, the default of h2 is enough.
const PENDING_RESETS_OF_PROXY: usize = 1_024;
/// How much of a response waits in h2 until it is written.
const SEND_BUFFER: usize = 32 << 10;
/// Up to this size a head is read, so that what is too large gets a problem. h2 refuses what is
/// larger with an empty 431, and ends the connection of what is far larger.
const READ_HEAD_BYTES: u32 = 2 * HEAD_BYTES as u32;

/// Serves requests until either side closes the connection; while the service drains or stops, those
/// in flight. On a connection that is opened while it drains, that is at least one: a client that was
/// sent away before it asked anything would try again at once.
pub(super) async fn serve<S, H>(socket: Socket<S>, context: super::Context<H>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    H: Handler,
{
    let super::Context { respond: Respond { handler, peer, admission }, stopping, tasks } = context;
    let patience = socket.activity.patience;
    // From here on what is written is ours.
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
        let mut duties = Duties::new(&mut connection, &watch, patience);
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
                        let exchange = Exchange { peer, patience, respond, watch, open };
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
                    // It fails until the peer has acknowledged the first settings, which wakes this task.
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

/// What is due on a connection from time to time.
struct Duties<'a> {
    watch: &'a Watch,
    patience: &'static Patience,
    pings: Option<PingPong>,
    timer: Pin<Box<Sleep>>,
    due: Instant,
    /// The last words are being sent.
    is_closing: bool,
}

enum Done {
    /// The connection has something to send.
    Changed,
    /// The peer does not even take the last words.
    GaveUp,
}

impl<'a> Duties<'a> {
    fn new<T>(
        connection: &mut Connection<T, Bytes>,
        watch: &'a Watch,
        patience: &'static Patience,
    ) -> Self
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        let due = Instant::now() + patience.idle;
        let timer = Box::pin(sleep_until(due));
        Self { watch, patience, pings: connection.ping_pong(), timer, due, is_closing: false }
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
                let (duty, at) = self.watch.next(self.patience);
                if at <= Instant::now() {
                    self.perform(duty, connection);
                    return Poll::Ready(Done::Changed);
                }
                // As with HTTP/1, the timer is moved forward only, and else fires too early now and
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

    fn perform<T>(&mut self, duty: Duty, connection: &mut Connection<T, Bytes>)
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        match duty {
            Duty::Ask => {
                self.watch.asked();
                if let Some(pings) = &mut self.pings {
                    // It fails only if the connection is closed.
                    let _ = pings.send_ping(Ping::opaque());
                }
            }
            Duty::Close(reason) => {
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

/// Nothing was wrong; the peer may connect again.
const GOODBYE: Reason = Reason::NO_ERROR;

#[cfg(test)]
mod tests;
