use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{Activity, TIMEOUTS, TimedWrites, Timeouts};
use crate::Permit;

/// First bytes that an HTTP/2 client sends (RFC 9113, 3.4).
pub(super) const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Byte stream of a connection. Writes fail when the peer has not read for a while. Data that hyper writes while no
/// response is being sent, its own refusal of a malformed request, is dropped.
///
/// Input is held back while it may be the preface of HTTP/2. If it is, the HTTP/1 reader gets nothing, and
/// [`Activity`] is updated; the next reader gets all of the input.
#[derive(Debug)]
pub(crate) struct Socket<S> {
    stream: TimedWrites<S>,
    pub(super) activity: Arc<Activity>,
    /// First bytes, until the HTTP version is known.
    opening: Option<Box<Opening>>,
    /// The connection counts for its address until this is dropped.
    permit: Option<Permit>,
}

impl<S> Socket<S> {
    pub(crate) fn new(stream: S, permit: Option<Permit>) -> Self {
        Self { permit, ..Self::with_timeouts(stream, &TIMEOUTS) }
    }

    /// Socket of a peer that has agreed on HTTP/2 with ALPN: other protocols are not accepted.
    pub(crate) fn agreed_on_http2(stream: S, permit: Option<Permit>) -> Self {
        let opening = Opening { is_agreed: true, ..Opening::default() };
        Self { opening: Some(Box::new(opening)), ..Self::new(stream, permit) }
    }

    pub(super) fn with_timeouts(stream: S, timeouts: &'static Timeouts) -> Self {
        let activity = Arc::new(Activity::new(timeouts));
        let stream = TimedWrites::new(stream, timeouts.write);
        Self { stream, activity, opening: Some(Box::default()), permit: None }
    }

    /// The stream without what is needed for reading requests; and the permit, to be held while it is open.
    pub(super) fn into_parts(self) -> (TimedWrites<S>, Option<Permit>) {
        (self.stream, self.permit)
    }
}

/// First bytes of a connection.
#[derive(Debug, Default)]
struct Opening {
    bytes: [u8; PREFACE.len()],
    received: usize,
    /// Number of bytes that were read.
    given: usize,
    is_known: bool,
    is_agreed: bool,
}

impl Opening {
    /// Receives until it is clear whether this is HTTP/2.
    fn poll<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        activity: &Activity,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while !self.is_known {
            let mut unread = ReadBuf::new(&mut self.bytes[self.received..]);
            ready!(Pin::new(&mut *stream).poll_read(context, &mut unread))?;
            let read = unread.filled().len();
            if read > 0 {
                activity.received();
            }
            self.received += read;
            let is_preface = self.bytes[..self.received] == PREFACE[..self.received];
            if self.is_agreed && !is_preface {
                return Poll::Ready(Err(io::Error::other("HTTP/2 was agreed on, but not begun")));
            }
            self.is_known = read == 0 || !is_preface || self.received == PREFACE.len();
            if self.is_known && self.received == PREFACE.len() && is_preface {
                activity.http2();
                // No wakeup needed: the connection checks as soon as its reader waits.
                return Poll::Pending;
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Copies the received bytes into the buffer. Returns whether all of them fitted.
    fn give(&mut self, buffer: &mut ReadBuf<'_>) -> bool {
        let rest = &self.bytes[self.given..self.received];
        let given = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..given]);
        self.given += given;
        self.given == self.received
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let Self { stream, activity, opening, .. } = &mut *self;
        if let Some(begun) = opening {
            ready!(begun.poll(stream, activity, context))?;
            if begun.give(buffer) {
                *opening = None;
            }
            if buffer.filled().len() > before {
                return Poll::Ready(Ok(()));
            }
        }
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !self.activity.is_responding() {
            return Poll::Ready(Ok(bytes.len()));
        }
        self.activity.written();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if !self.activity.is_responding() {
            return Poll::Ready(Ok(buffers.iter().map(|buffer| buffer.len()).sum()));
        }
        self.activity.written();
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        // hyper flushes the socket only after it has written everything.
        self.activity.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
