//! Attempts: sending an event once.

use std::time::Duration;

use base::clock::Clock;
use chrono::{DateTime, Utc};
use domain::signature::Secrets;
use opentelemetry::{KeyValue, trace::SpanKind};
use spans::Span;
use url::Url;

use super::client::{Answer, Client, Post};

/// Result of an attempt.
#[derive(Clone, Debug)]
pub struct Sent {
    pub started_at: DateTime<Utc>,
    /// Duration in milliseconds.
    pub duration: i64,
    pub answer: Answer,
}

/// Sends an event once, with its sequence number and id.
pub async fn send(
    client: &Client,
    clock: &Clock,
    url: &str,
    secrets: &Secrets,
    (sequence, event): (i64, &str),
    body: bytes::Bytes,
) -> Sent {
    let (started_at, began) = (clock.now(), clock.elapsed());
    let post = Post { url, secrets, id: event, sequence, now: started_at, body };
    let answer = client.post(post).await;
    let lasted = clock.elapsed() - began;
    client.spans().record(|| span(url, event, &answer, (clock.now(), lasted)));
    let duration = i64::try_from(lasted.as_millis()).unwrap_or(i64::MAX);
    Sent { started_at, duration, answer }
}

/// Records the attempt as a trace of its own. Contains only the host of the URL, because the path may have a secret.
fn span(
    url: &str,
    event: &str,
    answer: &Answer,
    (ended_at, duration): (DateTime<Utc>, Duration),
) -> Span {
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let mut attributes = vec![
        KeyValue::new("http.request.method", "POST"),
        KeyValue::new("server.address", host.unwrap_or_default()),
        KeyValue::new("svc.event.id", event.to_owned()),
    ];
    attributes.push(match &answer.outcome {
        Ok(status) => KeyValue::new("http.response.status_code", i64::from(*status)),
        Err(reason) => KeyValue::new("error.type", reason.clone()),
    });
    Span {
        trace: None,
        parent: None,
        kind: SpanKind::Client,
        name: "webhook".to_owned(),
        ended_at,
        duration,
        attributes,
        has_failed: !answer.is_accepted(),
    }
}
