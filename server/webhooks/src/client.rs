//! Sends webhooks. Receivers are not under the operator's control: they may be slow, lie, never end, redirect, or be
//! in a place that must not be reached. So the client follows no redirects and reads no more than it needs. It checks
//! the URL again before each send, and the addresses when it connects.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use domain::signature::Secrets;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use http_body_util::{BodyExt, Full};
use hyper::{Request, Response, body::Incoming};
use hyper_util::{
    client::legacy,
    rt::{TokioExecutor, TokioTimer},
};
use rustls::RootCertStore;
use spans::Spans;
use tokio::time::{Instant, timeout_at};

use super::{
    resolver::{Resolver, VettedResolver},
    url::WebhookUrl,
};
use crate::targets::WebhookTargets;
pub use beginning::MAX_KEPT;
use connector::Connector;
use fault::{Fault, Unless};

mod beginning;
mod connector;
mod fault;
mod retry_after;
mod trust;

const USER_AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"), " (webhooks)");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
const X_SVC_SEQUENCE: HeaderName = HeaderName::from_static("x-svc-sequence");
const X_SVC_SIGNATURE: HeaderName = HeaderName::from_static("x-svc-signature");

/// Maximum number of idle connections to one receiver, kept for the next events.
const IDLE_CONNECTIONS: usize = 64;

/// Maximum number of bytes of a response body that are read, because reading it to its end keeps the connection usable.
const MAX_DRAINED: usize = 16 * 1_024;

/// Timeouts for a receiver.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// Timeout to resolve the name, connect and perform the TLS handshake.
    pub connect: Duration,
    /// Timeout for the whole attempt, from parsing the URL to the end of the response's head.
    pub answer: Duration,
    /// Timeout for the end of the response's body, after which the connection can be reused.
    pub drain: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(15),
            drain: Duration::from_secs(1),
        }
    }
}

/// Request of one attempt.
#[derive(Clone, Debug)]
pub struct Post<'a> {
    /// URL as stored: the policy may have changed since.
    pub url: &'a str,
    pub secrets: &'a Secrets,
    /// Value of `webhook-id`, the same for all attempts.
    pub id: &'a str,
    /// Value of `X-SVC-Sequence`: the number of the event in the log.
    pub sequence: i64,
    /// Value of `webhook-timestamp`, and the time that a date in `Retry-After` is compared with.
    pub now: DateTime<Utc>,
    /// Exact bytes that are signed and sent.
    pub body: Bytes,
}

/// Result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status of the response, or the reason for its absence: at most 200 characters, readable, and without secrets,
    /// bodies or the URL's path.
    pub outcome: Result<u16, String>,
    /// Whether the failure is on this service's side (no name server, no network, no free file descriptor), and so no
    /// evidence against the receiver. Always `false` for a response.
    pub is_ours: bool,
    /// Pause that the receiver requested when it did not accept the event: at most 24 hours.
    pub retry_after: Option<Duration>,
    /// Beginning of the body of a response that did not accept the event: at most [`MAX_KEPT`] bytes.
    pub response: Option<String>,
}

impl Answer {
    /// Whether the receiver has accepted the event: any 2xx, and nothing else.
    pub fn is_accepted(&self) -> bool {
        matches!(self.outcome, Ok(200..=299))
    }

    fn none(Fault { words, is_ours, .. }: &Fault) -> Self {
        let outcome = Err(fault::shortened(words));
        Self { outcome, is_ours: *is_ours, retry_after: None, response: None }
    }
}

/// Reason for which no client can be built. A service's settings cannot cause it.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("TLS cannot be set up")]
    Tls(#[from] rustls::Error),
    #[error("the HTTP client cannot be set up")]
    Http(#[from] reqwest::Error),
}

/// HTTP client for all webhooks of a process. Cheap to clone; clones share the connections.
#[derive(Clone, Debug)]
pub struct Client {
    http: legacy::Client<Connector, Full<Bytes>>,
    resolver: Resolver,
    allowed: WebhookTargets,
    timeouts: Timeouts,
    spans: Spans,
}

/// TLS settings of a client that trusts the system's certificates.
pub fn trusted_tls() -> Result<rustls::ClientConfig, rustls::Error> {
    trust::tls(trust::roots())
}

impl Client {
    /// Client that trusts the system's certificates.
    pub fn new(allowed: WebhookTargets, resolver: Resolver) -> Result<Self, BuildError> {
        Self::with_timeouts(allowed, resolver, Timeouts::default())
    }

    /// Client with other timeouts, for tests of receivers that hang.
    pub fn with_timeouts(
        allowed: WebhookTargets,
        resolver: Resolver,
        timeouts: Timeouts,
    ) -> Result<Self, BuildError> {
        Self::build(allowed, resolver, timeouts, trust::roots())
    }

    fn build(
        allowed: WebhookTargets,
        resolver: Resolver,
        timeouts: Timeouts,
        roots: impl Into<Arc<RootCertStore>>,
    ) -> Result<Self, BuildError> {
        let tls = Arc::new(trust::tls(roots)?);
        let vetted = VettedResolver { resolver: resolver.clone(), allowed: allowed.clone() };
        // No redirects and no proxy: they would lead to unchecked addresses.
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .build(Connector::new(vetted, tls.into(), timeouts.connect));
        Ok(Self { http, resolver, allowed, timeouts, spans: Spans::default() })
    }

    /// Records a span for each attempt.
    pub fn with_spans(self, spans: Spans) -> Self {
        Self { spans, ..self }
    }

    pub(super) fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Makes one attempt. Never takes longer than the timeout for a response.
    pub async fn post(&self, post: Post<'_>) -> Answer {
        let deadline = Instant::now() + self.timeouts.answer;
        // An address in the URL is never looked up, so the resolver does not check it.
        let url = match WebhookUrl::parse(post.url, &self.allowed) {
            Ok(url) => url,
            Err(refusal) => return Answer::none(&Fault::theirs(refusal.to_string())),
        };
        let Ok(request) = request(&url, &post) else {
            return Answer::none(&Fault::ours("the event's id does not fit into a header"));
        };
        match timeout_at(deadline, self.http.request(request)).await {
            Ok(Ok(response)) => {
                let answer = judge(&response, post.now);
                let end = deadline.min(Instant::now() + self.timeouts.drain);
                let body = drain(response, end).await;
                // Nobody reads the responses of accepted events, and storing them would make each delivery larger.
                let response = if answer.is_accepted() { None } else { beginning::shown(&body) };
                Answer { response, ..answer }
            }
            Ok(Err(error)) => {
                let fault = fault::describe(&error, self.timeouts);
                let host = url.as_url().host_str().unwrap_or_default();
                Answer::none(&self.judged(fault, host).await)
            }
            Err(_) => Answer::none(&fault::no_answer(self.timeouts)),
        }
    }

    /// Decides whose fault it is: a fault that looks like the service's own may be the receiver's.
    async fn judged(&self, fault: Fault, host: &str) -> Fault {
        // An IPv6 address is in brackets.
        let host = host.trim_matches(['[', ']']);
        match fault.unless {
            Some(Unless::OthersResolve) if self.resolver.others_resolve(host).await => {
                Fault::theirs(fault.words)
            }
            Some(Unless::OnlyIpv6) if self.resolver.lacks_ipv6(host).await => Fault::theirs(
                "the host has only IPv6 addresses, and this service can reach only IPv4 ones",
            ),
            _ => fault,
        }
    }
}

fn request(url: &WebhookUrl, post: &Post<'_>) -> Result<Request<Full<Bytes>>, http::Error> {
    let mut request = Request::post(url.as_url().as_str()).body(Full::new(post.body.clone()))?;
    *request.headers_mut() = headers(post)?;
    Ok(request)
}

fn headers(post: &Post<'_>) -> Result<HeaderMap, header::InvalidHeaderValue> {
    let timestamp = post.now.timestamp();
    let standard = post.secrets.standard_signature(post.id, timestamp, &post.body);
    let own = post.secrets.x_svc_signature(&post.body);
    Ok(HeaderMap::from_iter([
        (header::ACCEPT, HeaderValue::from_static("*/*")),
        (header::USER_AGENT, HeaderValue::from_static(USER_AGENT)),
        (header::CONTENT_TYPE, JSON),
        (WEBHOOK_ID, HeaderValue::try_from(post.id)?),
        (WEBHOOK_TIMESTAMP, HeaderValue::from(timestamp)),
        (WEBHOOK_SIGNATURE, HeaderValue::try_from(standard)?),
        (X_SVC_SIGNATURE, HeaderValue::try_from(own)?),
        (X_SVC_SEQUENCE, HeaderValue::from(post.sequence)),
    ]))
}

fn judge(response: &Response<Incoming>, now: DateTime<Utc>) -> Answer {
    let status = response.status();
    let wish = response.headers().get(header::RETRY_AFTER).filter(|_| !status.is_success());
    Answer {
        outcome: Ok(status.as_u16()),
        is_ours: false,
        retry_after: wish.and_then(|value| retry_after::parse(value, now)),
        response: None,
    }
}

/// Reads a short body to its end, so that the connection can be reused, and returns the first [`MAX_KEPT`] bytes. If the
/// body is long, slow or broken, the connection is dropped: the head has all that is needed.
async fn drain(mut response: Response<Incoming>, end: Instant) -> Vec<u8> {
    let (mut left, mut kept) = (MAX_DRAINED, Vec::new());
    while let Ok(Some(Ok(frame))) = timeout_at(end, response.frame()).await {
        let Some(data) = frame.data_ref() else { continue };
        kept.extend(data.iter().take(MAX_KEPT - kept.len()));
        match left.checked_sub(data.len()) {
            Some(rest) => left = rest,
            None => break,
        }
    }
    kept
}

#[cfg(test)]
mod tests;
