//! Basis for the time limits and counts of a connection: the boundaries and kinds of the received frames, parsed as
//! their bytes pass on the way to h2.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use h2::Reason;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};

use super::{
    super::{Socket, Timeouts, socket::PREFACE},
    GOODBYE,
};

/// Maximum number of requests that a peer may cancel: at once, and per second. A cancelled request no longer counts
/// as open, but it has cost work (CVE-2023-44487).
const RESET_LIMIT: (u32, u32) = (100, 10);
/// Maximum number of frames that do not belong to a request, such as PING and SETTINGS: at once, and per second.
const CONTROL_FRAME_LIMIT: (u32, u32) = (500, 50);
/// Maximum number of WINDOW_UPDATE frames beyond those that requests and responses justify: at once, and per second.
const UPDATES: (u32, u32) = (500, 50);
/// Number of updates that a request justifies: some clients enlarge the window of each stream, and of the connection.
const UPDATES_PER_REQUEST: u64 = 2;
/// Number of response bytes that justify an update: some clients send two updates for each DATA frame, and small
/// frames are about this large.
const BYTES_PER_UPDATE: u64 = 64;
/// Time, after the service began to stop, for a peer without requests to close the connection.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// State of a connection.
#[derive(Debug)]
pub(super) struct Watch(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Number of requests without a complete response.
    open: usize,
    /// Time at which the last of them ended.
    idle_since: Instant,
    /// Time of the last received bytes.
    received: Instant,
    /// Start of the frame or head that has not arrived completely.
    begun: Option<Instant>,
    /// Time of the last PING, if the peer has not replied yet.
    asked: Option<Instant>,
    is_flooded: bool,
    is_stopping: bool,
    /// Whether a large body is being read.
    has_upload: bool,
}

/// Next task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeepAliveAction {
    /// Send a PING.
    Ask,
    Close(Reason),
}

/// Request that counts as open until this is dropped.
#[derive(Debug)]
pub(super) struct Open(Arc<Watch>);

impl Drop for Open {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.open -= 1;
        state.idle_since = Instant::now();
    }
}

impl Default for Watch {
    fn default() -> Self {
        let now = Instant::now();
        Self(Mutex::new(State {
            open: 0,
            idle_since: now,
            received: now,
            begun: None,
            asked: None,
            is_flooded: false,
            is_stopping: false,
            has_upload: false,
        }))
    }
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is never left half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn opened(self: &Arc<Self>) -> Open {
        self.lock().open += 1;
        Open(self.clone())
    }

    /// Records that a large body is being read.
    pub(super) fn uploading(&self) {
        self.lock().has_upload = true;
    }

    pub(super) fn has_upload(&self) -> bool {
        self.lock().has_upload
    }

    pub(super) fn stop(&self) {
        self.lock().is_stopping = true;
    }

    pub(super) fn asked(&self) {
        self.lock().asked = Some(Instant::now());
    }

    pub(super) fn is_asked(&self) -> bool {
        self.lock().asked.is_some()
    }

    pub(super) fn answered(&self) {
        self.lock().asked = None;
    }

    /// Next task, and the time at which it is due.
    pub(super) fn next(&self, timeouts: &Timeouts) -> (KeepAliveAction, Instant) {
        let state = self.lock();
        if state.is_flooded {
            return (KeepAliveAction::Close(Reason::ENHANCE_YOUR_CALM), state.received);
        }
        let next = match (state.open, state.asked) {
            (0, _) if state.is_stopping => {
                (KeepAliveAction::Close(GOODBYE), state.idle_since + SHUTDOWN_GRACE)
            }
            (0, _) => (KeepAliveAction::Close(GOODBYE), state.idle_since + timeouts.idle),
            (_, Some(asked)) => (KeepAliveAction::Close(GOODBYE), asked + timeouts.silence),
            (_, None) => (KeepAliveAction::Ask, state.received + timeouts.silence),
        };
        let slow = state.begun.map(|begun| begun + timeouts.head);
        match slow {
            Some(at) if at < next.1 => (KeepAliveAction::Close(Reason::ENHANCE_YOUR_CALM), at),
            _ => next,
        }
    }
}

/// Socket whose received frames are watched.
pub(super) struct Watched<S> {
    socket: Socket<S>,
    watch: Arc<Watch>,
    frames: Frames,
}

impl<S> Watched<S> {
    /// Watches a socket. `is_proxy`: whether the peer is a trusted proxy.
    pub(super) fn new(socket: Socket<S>, watch: Arc<Watch>, is_proxy: bool) -> Self {
        Self { socket, watch, frames: Frames::new(is_proxy) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { socket, watch, frames } = &mut *self;
        if frames.is_flooded {
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(socket).poll_read(context, buffer))?;
        let now = Instant::now();
        frames.pass(&buffer.filled()[before..], now);
        let mut state = watch.lock();
        state.received = now;
        state.begun = frames.begun;
        state.is_flooded = frames.is_flooded;
        if frames.is_flooded {
            // h2 reads as long as there is data. The connection is closed instead.
            buffer.set_filled(before);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.socket).poll_write(context, bytes))?;
        self.frames.updates.sent(written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.socket).poll_write_vectored(context, buffers))?;
        self.frames.updates.sent(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

/// Parser of the received frames (RFC 9113, 4.1 and 6).
struct Frames {
    /// Header of the next frame, as far as it has arrived.
    head: [u8; 9],
    head_length: usize,
    /// Number of bytes of the frame's payload that have not arrived.
    payload: usize,
    /// Whether a request's head continues in the next frame.
    is_in_head: bool,
    begun: Option<Instant>,
    resets: Allowance,
    chatter: Allowance,
    updates: Updates,
    /// Whether the peer is a trusted proxy, which sends the frames of all its visitors. Counts don't apply to it:
    /// closing the connection would end everybody's streams because of one visitor. Other limits do, the same as for
    /// proxies that use HTTP/1.
    is_proxy: bool,
    is_flooded: bool,
}

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;
const DATA: u8 = 0;
const WINDOW_UPDATE: u8 = 8;

impl Frames {
    fn new(is_proxy: bool) -> Self {
        let now = Instant::now();
        Self {
            head: [0; 9],
            head_length: 0,
            payload: PREFACE.len(),
            is_in_head: false,
            begun: None,
            resets: Allowance::new(RESET_LIMIT, now),
            chatter: Allowance::new(CONTROL_FRAME_LIMIT, now),
            updates: Updates { earned: 0, bytes: 0, others: Allowance::new(UPDATES, now) },
            is_proxy,
            is_flooded: false,
        }
    }

    fn pass(&mut self, mut bytes: &[u8], now: Instant) {
        while !bytes.is_empty() {
            if self.payload > 0 {
                let passed = self.payload.min(bytes.len());
                self.payload -= passed;
                bytes = &bytes[passed..];
            } else {
                let wanted = self.head.len() - self.head_length;
                let (part, rest) = bytes.split_at(wanted.min(bytes.len()));
                self.head[self.head_length..][..part.len()].copy_from_slice(part);
                self.head_length += part.len();
                bytes = rest;
                if self.head_length == self.head.len() {
                    self.head_length = 0;
                    self.enter(now);
                }
            }
            if self.payload == 0 && self.head_length == 0 && !self.is_in_head {
                self.begun = None;
            } else if self.begun.is_none() {
                self.begun = Some(now);
            }
        }
    }

    /// Handles a complete frame header.
    fn enter(&mut self, now: Instant) {
        let [high, middle, low, kind, flags, ..] = self.head;
        self.payload = u32::from_be_bytes([0, high, middle, low]) as usize;
        let is_allowed = match kind {
            HEADERS | CONTINUATION => {
                if kind == HEADERS {
                    self.updates.earned += UPDATES_PER_REQUEST;
                }
                self.is_in_head = flags & END_HEADERS == 0;
                true
            }
            DATA => true,
            WINDOW_UPDATE => self.updates.take(now),
            RST_STREAM => self.resets.take(now),
            _ => self.chatter.take(now),
        };
        self.is_flooded |= !is_allowed && !self.is_proxy;
    }
}

/// Count of WINDOW_UPDATE frames: those that are justified, and some others.
struct Updates {
    earned: u64,
    /// Number of bytes sent but not yet counted in `earned`.
    bytes: u64,
    others: Allowance,
}

impl Updates {
    fn sent(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.earned += self.bytes / BYTES_PER_UPDATE;
        self.bytes %= BYTES_PER_UPDATE;
    }

    fn take(&mut self, now: Instant) -> bool {
        match self.earned.checked_sub(1) {
            Some(left) => {
                self.earned = left;
                true
            }
            None => self.others.take(now),
        }
    }
}

/// Token bucket: a burst, and a rate per second.
struct Allowance {
    left: u32,
    most: u32,
    per_second: u32,
    /// Time up to which `left` was refilled.
    counted: Instant,
}

impl Allowance {
    fn new((most, per_second): (u32, u32), now: Instant) -> Self {
        Self { left: most, most, per_second, counted: now }
    }

    fn take(&mut self, now: Instant) -> bool {
        let seconds = now.duration_since(self.counted).as_secs();
        if seconds > 0 {
            let back = u32::try_from(seconds).unwrap_or(u32::MAX).saturating_mul(self.per_second);
            self.left = self.left.saturating_add(back).min(self.most);
            self.counted = now;
        }
        let is_allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_allowed
    }
}

#[cfg(test)]
mod tests;
