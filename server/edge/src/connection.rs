//! One connection, with bounds on what a slow or hostile peer can hold: time and size of a request's head, time of a
//! write, time without a request.
//!
//! A connection is HTTP/1.1 unless it begins with the preface of HTTP/2, which has a [module of its own](http2), with
//! TLS or without.
//!
//! hyper reads and writes the messages. Its own time limit would create a timer for each request. Here, one timer per
//! connection checks the current deadline and goes back to sleep ([`Activity`]). If hyper refuses a malformed request
//! with an empty response, the client gets a problem instead.
//!
//! If the response is a [`TakeOver`], the connection leaves hyper, whose buffers would take most of the memory of an
//! open stream ([`detached_stream`](super::detached_stream)).

mod activity;
mod http2;
mod service;
mod socket;
mod timed_writes;

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
    timed_writes::TimedWrites,
};
pub(super) use self::{service::Respond, socket::Socket};
use super::{
    Handler,
    detached_stream::{self, TakeOver},
    problem::{HEAD_TOO_LARGE, MALFORMED_REQUEST, Problem, REQUEST_TIMEOUT},
    stopping::Stopping,
    wire,
};

const HEAD_BYTES: usize = 16 << 10;
/// Maximum time for which input is still read after the last response of a connection.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// Timeouts for a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// Timeout for the head of a request, from its first byte.
    head: Duration,
    /// Timeout without a request.
    idle: Duration,
    /// Timeout until the peer reads some of the sent data.
    write: Duration,
    /// Time without received data after which a peer with open streams gets a PING. It must reply within the same time.
    /// Only HTTP/2: HTTP/1 has no PING, but TCP has keepalive.
    silence: Duration,
}

/// Default timeouts. Proxies commonly keep a connection for 60 seconds. They, not the service, should be the ones to
/// close it.
const TIMEOUTS: Timeouts = Timeouts {
    head: Duration::from_secs(10),
    idle: Duration::from_secs(75),
    write: Duration::from_secs(20),
    silence: Duration::from_secs(30),
};

/// Reason for which hyper's part of a connection ended.
enum End {
    Closed,
    /// hyper could not parse a request, or the peer has disconnected.
    Failed(hyper::Error),
    TimedOut(Phase),
    /// The response is a stream.
    Taken(Box<TakeOver>),
    /// The peer speaks HTTP/2.
    Http2,
}

/// Parts that a connection gets from its listener.
pub(super) struct Context<H> {
    pub(super) respond: Respond<H>,
    pub(super) stopping: Stopping,
    /// Tracker of all tasks of the listener.
    pub(super) tasks: TaskTracker,
}

/// Serves requests until either side closes the connection. While the service drains, one more request is served;
/// once it stops, only those in flight.
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
            let (stream, permit) = socket.into_parts();
            // In a separate task, because this one is as large as hyper's connection.
            tasks.spawn(detached_stream::send(stream, *taken, permit));
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
                activity.timeouts.head.as_secs()
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
            // If this fails, the peer has closed the connection.
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
    // Polled only to be woken by it; `has_begun` is the flag.
    let _ = poll_fn(|context| Poll::Ready(begun.as_mut().poll(context))).await;
    let mut is_stopping = false;
    let mut due = Instant::now() + activity.timeouts.idle;
    let mut timer = pin!(sleep_until(due));
    // Whether the timer wakes this task. It does so until it is reset. Checking whether it has elapsed is cheaper
    // than registering for another wakeup.
    let mut is_armed = false;
    poll_fn(|context| {
        loop {
            match connection.poll_without_shutdown(context) {
                Poll::Ready(Ok(())) => return Poll::Ready(End::Closed),
                Poll::Ready(Err(error)) => return Poll::Ready(End::Failed(error)),
                Poll::Pending => {}
            }
            // First of all: once hyper has given up the connection, it must not be polled again.
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
        // The timer is only ever moved to an earlier time, which happens when a head has begun to arrive and is
        // incomplete. Otherwise it fires too early now and then, and is set to the current deadline.
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
                None => Instant::now() + activity.timeouts.idle,
            };
            timer.as_mut().reset(due);
        }
        is_armed = true;
        Poll::Pending
    })
    .await
}

/// Sends a problem, without hyper, and closes the connection.
async fn refuse<S>(mut socket: Socket<S>, problem: Problem)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    socket.activity.begin();
    if socket.write_all(&wire::refusal(problem)).await.is_ok() {
        linger(socket).await;
    }
}

/// Closes a connection whose peer may still be sending. Its input is read and dropped for a while: closing with
/// unread input resets the connection, and the peer's system may then discard the response.
pub(super) async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    if stream.shutdown().await.is_ok() {
        let _ = timeout(LINGER_TIME, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await;
    }
}

#[cfg(test)]
mod tests;
