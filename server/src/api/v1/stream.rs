//! The stream. A connection holds a timer and what it asked for, and at each of its ticks takes the
//! frame of that moment: nothing is queued for it and nobody broadcasts to it.
//!
//! It asks either for one place, and gets all of it at each tick, or for several views, and gets of
//! each what has changed: one connection is enough for a browser, whatever its widgets show.

use std::time::Duration;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use bytes::Bytes;
use futures_util::{Stream, stream};
use http::{HeaderName, header};
use serde_json::json;

use crate::{
    answers::{
        frame,
        view::{self, AskedView, VIEW},
    },
    api::{Caller, Parameters},
    http::{
        feed,
        problem::{Code, Problem, Result},
    },
    limit::Slot,
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, REGION},
        reference,
    },
    state::App,
    store::PlaceFilter,
};

/// The interval of the interface document.
pub const TICK: Duration = Duration::from_secs(5);
/// Within which a client that lost its connection comes back, spread so that a restart does not
/// bring all of them at the same moment.
const RETRY: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(7);

/// A proxy must neither store, nor change, nor buffer the stream.
const CACHE: &str = "no-cache, no-transform";
const PLACE: [Parameter; 3] = [COUNTRY, REGION, CITY];
const PARAMETERS: &[Parameter] = &[COUNTRY, REGION, CITY, VIEW];

/// `GET /api/v1/stream`: metrics and reports at once and then every 5 seconds.
pub async fn get(
    State(app): State<App>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let mut subject = Subject::of(&Parameters::of(query.as_deref(), PARAMETERS))?;
    let first = subject.frame(&app).await;
    let frames = events(app, subject, first, caller.stream);
    Ok(feed::response(HEADERS, Box::pin(frames)))
}

/// A proxy must neither keep, nor alter, nor hold back the stream.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "text/event-stream"),
    (header::CACHE_CONTROL, CACHE),
    (HeaderName::from_static("x-accel-buffering"), "no"),
];

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
    fn of(parameters: &Parameters<'_>) -> Result<Self> {
        let views = view::asked(parameters)?;
        if views.is_empty() {
            return Ok(Self::Place(parameters.place()?));
        }
        if parameters.has_any(&PLACE) {
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
    _counted: Option<Slot>,
}

fn events(
    app: App,
    subject: Subject,
    first: Bytes,
    counted: Option<Slot>,
) -> impl Stream<Item = Bytes> {
    let greeting = [frame::retry(app.random.duration(RETRY)), first].into_iter();
    let connection = Connection {
        ticker: app.clock.ticker(TICK),
        _counted: counted,
        app,
        subject,
        greeting,
        ended: false,
    };
    stream::unfold(connection, |mut connection| async move {
        let frame = connection.next().await?;
        Some((frame, connection))
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
    // A stream of events is text; what the text contains is an array of events.
    let content = json!({
        "text/event-stream": {
            "schema": {
                "type": "string",
                "contentMediaType": "text/event-stream",
                "contentSchema": { "type": "array", "items": reference("StreamEvent") },
            },
            "example": examples::stream(),
        },
    });
    Operation::read("/api/v1/stream", "getStream", "Counters and newest reports, live")
        .about(
            "Server-sent events: `metrics` and `reports` immediately, and then every 5 seconds. If \
             the data cannot be read, the tick is an `error` event instead. With `view`, one stream \
             carries several places: a `view` event for each of them immediately, and later \
             whenever it has changed; every tick ends with a `tick` event. Ignore events you don't \
             know. Opening a stream counts as one request, and an address can have 20 streams open.",
        )
        .parameters(PARAMETERS)
        .answers_with("The stream. It does not end by itself", content)
        .cache(CACHE)
        .problems(&[Code::InvalidParameter, Code::TooManyStreams])
}
