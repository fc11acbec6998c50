//! One connection, with bounds on what a slow or hostile peer can hold: time and size of a request's
//! head, time of a write, time without a request.
//!
//! It is HTTP/1.1 unless it begins like HTTP/2, which has [its own part](http2), over TLS as without.
//!
//! hyper reads and writes the messages. Its own time limit would make a timer for each request; here
//! one for the connection notes when it would be due and goes to sleep again ([`Activity`]). Where hyper
//! refuses what it cannot parse with an empty response, the client gets a problem instead.
//!
//! A connection whose response is a [`Feed`] leaves hyper, whose buffers would be most of what an open
//! stream costs ([`feed`](super::feed)).

mod activity;
mod http2;
mod service;
mod socket;

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    time::{Instant, sleep_until, timeout},
};
use tokio_util::task::TaskTracker;

use self::{
    activity::{Activity, Phase},
    service::RespondInTurn,
};
pub(super) use self::{service::Respond, socket::Socket};
use super::{
    Handler,
    feed::{self, TakeOver},
    problem::{HEAD_TOO_LARGE, MALFORMED_REQUEST, Problem, REQUEST_TIMEOUT},
    stopping::Stopping,
    wire,
};

const HEAD_BYTES: usize = 16 << 10;
/// How long a client may go on sending after a response with which the connection ends.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// For the head of a request, from its first byte on.
    head: Duration,
    /// Without a request.
    idle: Duration,
    /// Until some of what was sent is read.
    write: Duration,
    /// Until a peer with open streams that says nothing is asked whether it is there, and again until
    /// it has to have answered. HTTP/1 has no such question, but TCP does.
    silence: Duration,
}

/// Proxies commonly keep a connection for 60 seconds; they, not we, should be the ones to close it.
const PATIENCE: Patience = Patience {
    head: Duration::from_secs(10),
    idle: Duration::from_secs(75),
    write: Duration::from_secs(20),
    silence: Duration::from_secs(30),
};

/// How the part of a connection that is hyper's ended.
enum End {
    Closed,
    /// hyper could not parse a request, or the peer was gone.
    Failed(hyper::Error),
    TimedOut(Phase),
    /// The response is a feed.
    Taken(TakeOver),
    /// The peer speaks HTTP/2.
    Http2,
}

/// What a connection gets from its listener.
pub(super) struct Context<H> {
    pub(super) respond: Respond<H>,
    pub(super) stopping: Stopping,
    /// All tasks of the listener.
    pub(super) tasks: TaskTracker,
}

/// Serves requests until either side closes the connection; while the service drains, one more; once
/// it stops, those in flight.
pub(super) async fn serve<S, H>(socket: Socket<S>, context: Context<H>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    H: Handler,
{
    let Context { respond, stopping, tasks } = context;
    let activity = socket.activity.clone();
    let draining = stopping.draining.clone();
    let respond = RespondInTurn { respond, draining, activity: activity.clone() };
    let mut connection = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(socket), respond);
    let end = drive(&mut connection, &activity, &stopping).await;
    let http1::Parts { io, service, .. } = connection.into_parts();
    let mut socket = io.into_inner();
    let problem = match end {
        End::Taken(taken) => {
            // In a task of its own, because this one is as large as hyper's connection.
            tasks.spawn(feed::send(socket, taken));
            return;
        }
        End::Http2 => {
            let context = Context { respond: service.respond, stopping, tasks: tasks.clone() };
            tasks.spawn(http2::serve(socket, context));
            return;
        }
        End::TimedOut(Phase::Head) => Some(Problem::new(
            REQUEST_TIMEOUT,
            format!(
                "The head of the request did not arrive within {} seconds.",
                activity.patience.head.as_secs()
            ),
        )),
        End::Failed(error) if error.is_parse_too_large() => Some(Problem::new(
            HEAD_TOO_LARGE,
            format!("Request line and headers may have {HEAD_BYTES} bytes together."),
        )),
        End::Failed(error) if error.is_parse() => {
            Some(Problem::new(MALFORMED_REQUEST, "The request line or a header is malformed."))
        }
        End::Failed(error) => {
            tracing::debug!(%error, "a connection ended early");
            None
        }
        End::Closed | End::TimedOut(_) => None,
    };
    match problem {
        Some(problem) => refuse(socket, problem).await,
        None if activity.is_unread() => linger(socket).await,
        None => {
            // If this fails, the peer has closed it.
            let _ = socket.shutdown().await;
        }
    }
}

async fn drive<S, H>(
    connection: &mut http1::Connection<TokioIo<Socket<S>>, RespondInTurn<H>>,
    activity: &Arc<Activity>,
    stopping: &Stopping,
) -> End
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    H: Handler,
{
    let ending = &stopping.ending;
    let mut begun = pin!(ending.begun());
    // Only to be woken by it: `has_begun` says it.
    let _ = poll_fn(|context| Poll::Ready(begun.as_mut().poll(context))).await;
    let mut is_stopping = false;
    let mut due = Instant::now() + activity.patience.idle;
    let mut timer = pin!(sleep_until(due));
    // Whether the timer wakes this task. It goes on doing so until it is set anew, and looking whether it
    // has elapsed is cheaper than asking to be woken again.
    let mut is_armed = false;
    poll_fn(|context| {
        loop {
            match connection.poll_without_shutdown(context) {
                Poll::Ready(Ok(())) => return Poll::Ready(End::Closed),
                Poll::Ready(Err(error)) => return Poll::Ready(End::Failed(error)),
                Poll::Pending => {}
            }
            // Before anything else: what has left hyper must not be polled once more.
            if activity.is_http2() {
                return Poll::Ready(End::Http2);
            }
            if let Some(taken) = activity.taken() {
                return Poll::Ready(End::Taken(taken));
            }
            if is_stopping || !ending.has_begun() {
                break;
            }
            is_stopping = true;
            Pin::new(&mut *connection).graceful_shutdown();
        }
        // The timer is moved forward only, which is when a head begins to arrive and does not end. Else
        // it fires too early now and then, and is set to when it is due by now.
        if let Some((_, at)) = activity.limit()
            && at < due
        {
            due = at;
            timer.as_mut().reset(due);
            is_armed = false;
        }
        if is_armed && !timer.is_elapsed() {
            return Poll::Pending;
        }
        while timer.as_mut().poll(context).is_ready() {
            due = match activity.limit() {
                Some((phase, at)) if at <= Instant::now() => {
                    return Poll::Ready(End::TimedOut(phase));
                }
                Some((_, at)) => at,
                None => Instant::now() + activity.patience.idle,
            };
            timer.as_mut().reset(due);
        }
        is_armed = true;
        Poll::Pending
    })
    .await
}

/// Sends a problem that hyper knows nothing of, and closes the connection.
async fn refuse<S>(mut socket: Socket<S>, problem: Problem)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    socket.activity.begin();
    if socket.write_all(&wire::refusal(problem)).await.is_ok() {
        linger(socket).await;
    }
}

/// Closes a connection whose peer may go on sending. What it sends is read for a while and dropped: closing with unread
/// input resets the connection, and the peer's system may then throw the response away.
pub(super) async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    if stream.shutdown().await.is_ok() {
        let _ = timeout(LINGER_TIME, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await;
    }
}

#[cfg(test)]
mod tests;
