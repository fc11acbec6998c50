//! Attempts: an event is sent once.

use chrono::{DateTime, Utc};

use super::client::{Answer, Client, Post};
use crate::{clock::Clock, domain::signature::Secrets};

/// What became of a request.
#[derive(Clone, Debug)]
pub struct Sent {
    pub started_at: DateTime<Utc>,
    /// In milliseconds.
    pub duration: i64,
    pub answer: Answer,
}

/// Sends an event once.
pub async fn send(
    client: &Client,
    clock: &Clock,
    url: &str,
    secrets: &Secrets,
    event: &str,
    body: bytes::Bytes,
) -> Sent {
    let (started_at, began) = (clock.now(), clock.elapsed());
    let answer = client.post(Post { url, secrets, id: event, now: started_at, body }).await;
    let duration = i64::try_from((clock.elapsed() - began).as_millis()).unwrap_or(i64::MAX);
    Sent { started_at, duration, answer }
}
