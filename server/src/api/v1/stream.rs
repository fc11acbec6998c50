//! The stream. A connection holds a timer and the place it asked for, and at each of its ticks
//! takes the frame of that moment: nothing is queued for it and nobody broadcasts to it.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{Stream, stream};
use http::{HeaderValue, header};
use serde_json::json;

use super::openapi::{Operation, parameter, reference};
use crate::{
    api::{Caller, Parameters},
    error::{Code, Problem, Result},
    frame,
    limit::{MAX_STREAMS, OpenStream},
    state::App,
    store::PlaceFilter,
};

/// The interval of the interface document.
pub const TICK: Duration = Duration::from_secs(5);
/// Within which a client that lost its connection comes back, spread so that a restart does not
/// bring all of them at the same moment.
const RETRY: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(7);

/// `GET /api/v1/stream`: metrics and reports at once and then every 5 seconds.
pub async fn get(
    State(app): State<App>,
    caller: Caller,
    parameters: Parameters,
) -> Result<Response> {
    let place = parameters.place();
    let Some(seat) = app.streams.open(caller.network) else {
        return Err(Problem::too_many_streams(format!(
            "{MAX_STREAMS} streams are open from this address: close one, or share one between \
             pages."
        )));
    };
    // Before the answer begins, so that a place which cannot be read is an error with a status.
    let first = app.frame(&place).await;
    let body = Body::from_stream(events(app, place, first, seat));
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // A proxy must neither keep, nor alter, nor hold back the stream.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// What a connection holds between two ticks.
struct Connection {
    app: App,
    place: PlaceFilter,
    /// What is sent before the first tick: `retry:` and the frame, which all connections share, as one
    /// block.
    greeting: std::array::IntoIter<Bytes, 2>,
    ticker: crate::clock::Ticker,
    ended: bool,
    /// Counted while it lives.
    _seat: OpenStream,
}

fn events(
    app: App,
    place: PlaceFilter,
    first: Bytes,
    seat: OpenStream,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let greeting = [frame::retry(app.random.duration(RETRY)), first].into_iter();
    let connection = Connection {
        ticker: app.clock.ticker(TICK),
        _seat: seat,
        app,
        place,
        greeting,
        ended: false,
    };
    stream::unfold(connection, |mut connection| async move {
        let frame = connection.next().await?;
        Some((Ok(frame), connection))
    })
}

impl Connection {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.greeting.next() {
            return Some(first);
        }
        if self.ended {
            return None;
        }
        tokio::select! {
            biased;
            () = self.app.stopping.cancelled() => {
                self.ended = true;
                Some(frame::last_retry(self.app.random.duration(RETRY)))
            }
            () = self.ticker.tick() => Some(self.app.frame(&self.place).await),
        }
    }
}

pub(super) fn described() -> Operation {
    let example = format!(
        "retry: 4210\nevent: metrics\ndata: {}\n\nevent: reports\ndata: {}\n\n",
        super::metrics::example(),
        super::reports::example(),
    );
    let content = json!({
        "text/event-stream": {
            "schema": {
                "type": "array",
                "format": "event-stream",
                "items": reference("StreamEvent"),
            },
            "example": example,
        },
    });
    Operation::read("/api/v1/stream", "getStream", "Counters and newest reports, live")
        .about(
            "Server-sent events: `metrics` and `reports` at once, and then every 5 seconds. When \
             the data cannot be read, a tick is the event `error` instead. Each opening counts as \
             one request, and an address has at most 20 streams open.",
        )
        .parameters(parameter::places())
        .answers_with("The stream, which does not end by itself", content)
        .untagged()
        .problems(&[Code::InvalidParameter, Code::TooManyStreams])
}
