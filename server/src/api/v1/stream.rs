//! The stream. A connection holds a timer and its request, and at each tick takes the current frame: there are no
//! queues and no broadcasts.
//!
//! A client requests either one place, and gets all of its data at each tick, or several views, and gets those that
//! have changed: one connection is enough for all widgets in a browser.
//!
//! If the service [drains](edge::draining) or stops, the last line of the stream contains the time after which the
//! client should reconnect.

mod event;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use base::{clock::Clock, histogram::Histogram, random::Random};
use bytes::Bytes;
use edge::{
    accept::takes_gzip,
    detached_stream,
    draining::{Draining, Stay},
    gzipped_stream::{GzippedStream, SharedFrames},
};
use futures_util::{Stream, stream};
use http::{HeaderMap, HeaderName, header};
use limits::Slot;
use serde_json::json;
use store::PlaceFilter;

pub use self::event::StreamEvent;
use crate::{
    api::{
        Caller, Parameters,
        views::{self, VIEW},
    },
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, REGION},
    },
    problem::{Code, Problem, Result},
    responses::{ResponseCache, frame, view::RequestedView},
    site::visitors::{Visitor, cost},
};

/// Interval between two ticks, part of the API.
pub const TICK: Duration = Duration::from_secs(5);
/// Range of the delays after which clients reconnect: random, so that after a restart they don't all come at the same
/// moment.
const RETRY: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(7);
/// Range of the delays if the node drains: other nodes could take the client at once.
const RETRY_ELSEWHERE: std::ops::Range<Duration> =
    Duration::from_millis(500)..Duration::from_millis(1_500);

/// Proxies must neither store, nor change, nor buffer the stream.
const CACHE: &str = "no-cache, no-transform";
const PLACE: [Parameter; 3] = [COUNTRY, REGION, CITY];
const PARAMETERS: &[Parameter] = &[COUNTRY, REGION, CITY, VIEW];

/// Parts of the service that streams need.
#[derive(Debug)]
pub struct Streams {
    pub responses: ResponseCache,
    pub clock: Clock,
    pub random: Random,
    pub draining: Draining,
    /// Delays of ticks, including the time to make their frames.
    pub lateness: Histogram,
    /// Compressed frames.
    pub gzipped: SharedFrames,
}

/// `GET /api/v1/stream`: metrics and reports at once and then every 5 seconds.
pub async fn get(
    State(streams): State<Arc<Streams>>,
    caller: Caller,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let payer = caller.key.is_none().then_some(visitor);
    let mut subject = Subject::of(&Parameters::of(query.as_deref(), PARAMETERS)?, payer)?;
    let first = subject.frame(&streams.responses).await;
    let is_gzipped = takes_gzip(&headers);
    let frames = events(streams, subject, first, caller.stream, is_gzipped);
    let coding = is_gzipped.then_some((header::CONTENT_ENCODING, "gzip"));
    Ok(detached_stream::response(HEADERS.into_iter().chain(coding), Box::pin(frames)))
}

/// Proxies must neither store, nor change, nor buffer the stream.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_TYPE, "text/event-stream"),
    (header::CACHE_CONTROL, CACHE),
    (header::VARY, "accept-encoding"),
    (HeaderName::from_static("x-accel-buffering"), "no"),
];

/// Subject of a stream.
enum Subject {
    Place(PlaceFilter),
    Views {
        views: Box<[RequestedView]>,
        /// State of each view as last sent: see [`ResponseCache::changes`].
        sent: Box<[u64]>,
        /// Visitor who pays for uncached views; none for a client with a key.
        payer: Option<Visitor>,
    },
}

impl Subject {
    fn of(parameters: &Parameters<'_>, payer: Option<Visitor>) -> Result<Self> {
        let views = views::requested(parameters)?;
        if views.is_empty() {
            return Ok(Self::Place(parameters.place()?));
        }
        if parameters.has_any(&PLACE) {
            return Err(Problem::invalid_parameter(
                "Both views and a place are given: put the place into a view.",
            ));
        }
        let sent = vec![0; views.len()].into();
        Ok(Self::Views { views, sent, payer })
    }

    async fn frame(&mut self, responses: &ResponseCache) -> Bytes {
        match self {
            Self::Place(place) => responses.tick(place).await,
            Self::Views { views, sent, payer } => {
                let may_make =
                    || payer.as_ref().is_none_or(|payer| payer.pay(cost::ANSWER).is_ok());
                responses.changes(views, sent, may_make).await
            }
        }
    }
}

/// State of a connection between two ticks.
struct Connection {
    streams: Arc<Streams>,
    subject: Subject,
    /// Output before the first tick: `retry:` and the frame, which all connections share, in one block.
    greeting: std::vec::IntoIter<Bytes>,
    ticker: base::clock::Ticker,
    /// `None` once the stream has ended. Also from the start if it was opened while the service drains: it then ends
    /// after the greeting, and its client reconnects to another node.
    stay: Option<Stay>,
    /// `None` if the client does not accept gzip.
    gzip: Option<Box<GzippedStream>>,
    /// Counts the stream while it is open.
    _counted: Option<Slot>,
}

fn events(
    streams: Arc<Streams>,
    subject: Subject,
    first: Bytes,
    counted: Option<Slot>,
    is_gzipped: bool,
) -> impl Stream<Item = Bytes> {
    let stay = streams.draining.enter();
    let retry = if stay.is_some() { RETRY } else { RETRY_ELSEWHERE };
    let greeting = vec![frame::retry(streams.random.duration(retry)), first].into_iter();
    let gzip =
        is_gzipped.then(|| Box::new(GzippedStream::new(streams.gzipped.clone(), frame::TICK)));
    let connection = Connection {
        gzip,
        ticker: streams.clock.ticker(TICK),
        stay,
        _counted: counted,
        streams,
        subject,
        greeting,
    };
    // Boxed, because the future of the next frame would have room for the connection twice.
    stream::unfold(Box::new(connection), |mut connection| async move {
        let frame = connection.next().await;
        let sent = match &mut connection.gzip {
            Some(gzip) => Box::pin(gzip.part(frame)).await?,
            None => frame?,
        };
        Some((sent, connection))
    })
}

impl Connection {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.greeting.next() {
            return Some(first);
        }
        // Frees its memory.
        self.greeting = Vec::new().into_iter();
        let stay = self.stay.as_mut()?;
        tokio::select! {
            biased;
            () = stay.over() => {
                self.stay = None;
                Some(frame::last_retry(self.streams.random.duration(RETRY)))
            }
            late = self.ticker.tick() => Some(self.frame(late).await),
        }
    }

    /// Returns the frame of a tick that is already `late`.
    async fn frame(&mut self, late: Duration) -> Bytes {
        let clock = &self.streams.clock;
        let began = clock.elapsed();
        // Boxed, because the future is large, and each open stream would keep memory for it.
        let frame = Box::pin(self.subject.frame(&self.streams.responses)).await;
        self.streams.lateness.record(late + clock.elapsed().saturating_sub(began));
        frame
    }
}

pub(super) fn described() -> Operation {
    Operation::read("/api/v1/stream", "getStream", "Counters and newest reports, live")
        .about(
            "Server-sent events: `metrics` and `reports` immediately, and then every 5 seconds. If the data cannot be \
                read, the tick is an `error` event instead. With `view`, one stream carries several places: a `view` \
                event for each of them immediately, and again after every change; every tick ends with a `tick` event. \
                Ignore unknown events. When the service is about to stop, the stream ends, and its last line, \
                `retry:`, has the delay before reconnecting. Opening a stream counts as one request, and the operator \
                limits the number of open streams per address, by default 20.",
        )
        .parameters(PARAMETERS)
        // A stream of events is text; what the text contains is an array of events.
        .answers_with("The stream, which ends only when the service stops", |schemas| {
            let events = json!({ "type": "array", "items": schemas.response::<StreamEvent>() });
            let schema = json!({
                "type": "string",
                "contentMediaType": "text/event-stream",
                "contentSchema": events,
            });
            json!({ "text/event-stream": { "schema": schema, "example": examples::stream() } })
        })
        .cache(CACHE)
        .problems(&[Code::InvalidParameter, Code::TooManyStreams])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each open stream keeps its state in memory, so its size is a budget: 2 KiB with the socket and its task.
    #[test]
    fn the_state_of_an_open_stream_is_small() {
        fn size<A, B, C, D, E, R>(_: impl Fn(A, B, C, D, E) -> R) -> usize {
            size_of::<R>()
        }
        let (connection, future) = (size_of::<Connection>(), size(events));
        assert!(connection <= 256 && future <= 256, "{connection} and {future} bytes");
    }
}
