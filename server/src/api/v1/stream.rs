//! The stream. A connection holds a timer and what it asked for, and at each of its ticks takes the
//! frame of that moment: nothing is queued for it and nobody broadcasts to it.
//!
//! It asks either for one place, and gets all of it at each tick, or for several views, and gets of
//! each what has changed: one connection is enough for a browser, whatever its widgets show.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::Body,
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{Stream, stream};
use http::{HeaderValue, header};
use serde_json::json;

use super::openapi::{Operation, parameter, reference};
use crate::{
    answers::{
        frame,
        view::{self, AskedView},
    },
    api::Caller,
    http::problem::{Code, Problem, Result},
    limit::OpenStream,
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
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let mut subject = Subject::parse(query.as_deref().unwrap_or_default())?;
    let Some(seat) = app.streams.open(caller.network) else {
        return Err(Problem::too_many_streams(format!(
            "{} streams are open from this address: close one, or share one between pages.",
            app.streams.most(),
        )));
    };
    let first = subject.frame(&app).await;
    let body = Body::from_stream(events(app, subject, first, seat));
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // A proxy must neither keep, nor alter, nor hold back the stream.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// What a connection asked for.
enum Subject {
    Place(PlaceFilter),
    Views {
        views: Box<[AskedView]>,
        /// What was sent of each: see [`App::changes`].
        sent: Box<[u64]>,
    },
}

impl Subject {
    fn parse(query: &str) -> Result<Self> {
        let (views, rest) = view::asked(query)?;
        if views.is_empty() {
            return Ok(Self::Place(rest.place()));
        }
        if rest.has_any(&["country", "region", "city"]) {
            return Err(Problem::invalid_parameter(
                "Both views and a place are given: put the place into a view.",
            ));
        }
        let sent = vec![0; views.len()].into();
        Ok(Self::Views { views, sent })
    }

    async fn frame(&mut self, app: &App) -> Bytes {
        match self {
            Self::Place(place) => app.frame(place).await,
            Self::Views { views, sent } => app.changes(views, sent).await,
        }
    }
}

/// What a connection holds between two ticks.
struct Connection {
    app: App,
    subject: Subject,
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
    subject: Subject,
    first: Bytes,
    seat: OpenStream,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let greeting = [frame::retry(app.random.duration(RETRY)), first].into_iter();
    let connection = Connection {
        ticker: app.clock.ticker(TICK),
        _seat: seat,
        app,
        subject,
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
            () = self.ticker.tick() => Some(self.subject.frame(&self.app).await),
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
             the data cannot be read, a tick is the event `error` instead. With `view`, one stream \
             carries several places: the event `view` tells of one that it has changed, at once and \
             then when it has, and every tick ends with the event `tick`. Each opening counts as one \
             request, and an address has at most 20 streams open, unless the operator allows another number.",
        )
        .parameters([parameter::places().to_vec(), vec![parameter::views()]].concat())
        .answers_with("The stream, which does not end by itself", content)
        .untagged()
        .problems(&[Code::InvalidParameter, Code::TooManyStreams])
}
