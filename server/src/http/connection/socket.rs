use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use super::{Activity, PATIENCE, Patience};
use crate::limit::Slot;

/// How long a peer may leave what was sent to it unread.
const WRITE_TIME: Duration = Duration::from_secs(20);

/// A connection's stream of bytes. Writes fail when the peer has not read for a while; the timer exists
/// only while a write waits, so an idle connection pays for none. What hyper writes while no response
/// is being sent, its own refusal of what it cannot parse, is dropped.
#[derive(Debug)]
pub(in crate::http) struct Socket<S> {
    stream: S,
    pub(super) activity: Arc<Activity>,
    write_time: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
    /// The connection counts for its address while this is kept.
    _slot: Option<Slot>,
}

impl<S> Socket<S> {
    pub(in crate::http) fn new(stream: S, slot: Option<Slot>) -> Self {
        Self { _slot: slot, ..Self::with_patience(stream, PATIENCE) }
    }

    pub(super) fn with_patience(stream: S, patience: Patience) -> Self {
        let activity = Arc::new(Activity::new(patience));
        Self { stream, activity, write_time: WRITE_TIME, waiting: None, _slot: None }
    }
}

impl<S: AsyncWrite + Unpin> Socket<S> {
    fn poll<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match write(Pin::new(&mut self.stream), context) {
            Poll::Ready(done) => {
                self.waiting = None;
                Poll::Ready(done)
            }
            Poll::Pending => {
                let write_time = self.write_time;
                let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(write_time)));
                ready!(waiting.as_mut().poll(context));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read")))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
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
        self.poll(context, |stream, context| stream.poll_write(context, bytes))
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
        self.poll(context, |stream, context| stream.poll_write_vectored(context, buffers))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll(context, |stream, context| stream.poll_flush(context)))?;
        // hyper flushes the socket only after it has written all it had.
        self.activity.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll(context, |stream, context| stream.poll_shutdown(context))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn responding<S>(stream: S, write_time: Duration) -> Socket<S> {
        let socket = Socket { write_time, ..Socket::new(stream, None) };
        socket.activity.begin();
        socket
    }

    #[tokio::test]
    async fn a_write_fails_when_the_peer_does_not_read() {
        let (ours, peer) = tokio::io::duplex(16);
        let mut ours = responding(ours, Duration::from_millis(20));
        ours.write_all(&[0; 16]).await.unwrap();
        let error = ours.write_all(&[0]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(peer);
    }

    #[tokio::test]
    async fn a_peer_that_reads_may_take_its_time() {
        let (ours, mut peer) = tokio::io::duplex(16);
        let mut ours = responding(ours, Duration::from_secs(3_600));
        let sent = tokio::spawn(async move { ours.write_all(&[7; 1_000]).await });
        let mut received = [0; 1_000];
        peer.read_exact(&mut received).await.unwrap();
        assert_eq!(received, [7; 1_000]);
        sent.await.unwrap().unwrap();
    }
}
