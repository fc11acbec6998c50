//! Sends webhooks. The receiver is somebody else's: it may be slow, lie, never end, redirect, or be
//! put where it should not be reached. So nothing is followed, nothing is read that is not needed,
//! the URL is judged again before each send, and its addresses when the connection is made.

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
use crate::endpoints::Endpoints;
use connector::Connector;
use fault::{Fault, Unless};

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

/// Connections to one receiver that are kept open for the next event.
const IDLE_CONNECTIONS: usize = 64;

/// How much of an answer's body is read, for the connection's sake: nobody looks at it.
const MOST_DRAINED: usize = 16 * 1_024;

/// How long a receiver may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// To resolve, connect and shake hands.
    pub connect: Duration,
    /// For everything, from the first look at the URL to the end of the answer's head.
    pub answer: Duration,
    /// To end the answer's body, after which the connection can be used again.
    pub drain: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(15),
            drain: Duration::from_secs(1),
        }
    }
}

/// One try to be made.
#[derive(Clone, Debug)]
pub struct Post<'a> {
    /// As stored: what is allowed may have changed since.
    pub url: &'a str,
    pub secrets: &'a Secrets,
    /// Goes as `webhook-id`: the same on each try.
    pub id: &'a str,
    /// Goes as `X-SVC-Sequence`: the number of the event in the log.
    pub sequence: i64,
    /// Goes as `webhook-timestamp`, and is what a date in `Retry-After` counts from.
    pub now: DateTime<Utc>,
    /// The very bytes that are signed and sent.
    pub body: Bytes,
}

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer's status, or why there was none, in at most 200 characters for a person: no
    /// secret, no body, no path of the URL.
    pub outcome: Result<u16, String>,
    /// Whether it failed on this service's side (no name server, no network, no free file
    /// descriptor), which says nothing about the receiver. Never of an answer.
    pub is_ours: bool,
    /// What the receiver asked for when it did not accept: at most 24 hours.
    pub retry_after: Option<Duration>,
}

impl Answer {
    /// Whether the receiver has taken the event: any 2xx, and nothing else.
    pub fn is_accepted(&self) -> bool {
        matches!(self.outcome, Ok(200..=299))
    }

    fn none(Fault { words, is_ours, .. }: &Fault) -> Self {
        Self { outcome: Err(fault::shortened(words)), is_ours: *is_ours, retry_after: None }
    }
}

/// Why there is no client. The settings of a service cannot cause it.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("TLS cannot be set up")]
    Tls(#[from] rustls::Error),
    #[error("the HTTP client cannot be set up")]
    Http(#[from] reqwest::Error),
}

/// The HTTP client of all webhooks of a process. Cheap to clone; clones share the connections.
#[derive(Clone, Debug)]
pub struct Client {
    http: legacy::Client<Connector, Full<Bytes>>,
    resolver: Resolver,
    allowed: Endpoints,
    patience: Patience,
    spans: Spans,
}

/// TLS for clients, which trusts the system's certificates.
pub fn trusted_tls() -> Result<rustls::ClientConfig, rustls::Error> {
    trust::tls(trust::roots())
}

impl Client {
    /// Trusts the system's certificates.
    pub fn new(allowed: Endpoints, resolver: Resolver) -> Result<Self, BuildError> {
        Self::with_patience(allowed, resolver, Patience::default())
    }

    /// The same with other limits, for tests of receivers that hang.
    pub fn with_patience(
        allowed: Endpoints,
        resolver: Resolver,
        patience: Patience,
    ) -> Result<Self, BuildError> {
        Self::build(allowed, resolver, patience, trust::roots())
    }

    fn build(
        allowed: Endpoints,
        resolver: Resolver,
        patience: Patience,
        roots: impl Into<Arc<RootCertStore>>,
    ) -> Result<Self, BuildError> {
        let tls = Arc::new(trust::tls(roots)?);
        let vetted = VettedResolver { resolver: resolver.clone(), allowed: allowed.clone() };
        // It follows no redirect and uses no proxy, which would connect to addresses that nobody has judged.
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .build(Connector::new(vetted, tls.into(), patience.connect));
        Ok(Self { http, resolver, allowed, patience, spans: Spans::default() })
    }

    /// The same, which tells the collector of each try.
    pub fn with_spans(self, spans: Spans) -> Self {
        Self { spans, ..self }
    }

    pub(super) fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Makes one try. Never takes longer than the patience for an answer.
    pub async fn post(&self, post: Post<'_>) -> Answer {
        let deadline = Instant::now() + self.patience.answer;
        // An address in the URL is never looked up, so the resolver does not see it.
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
                let end = deadline.min(Instant::now() + self.patience.drain);
                drain(response, end).await;
                answer
            }
            Ok(Err(error)) => {
                let fault = fault::describe(&error, self.patience);
                let host = url.as_url().host_str().unwrap_or_default();
                Answer::none(&self.judged(fault, host).await)
            }
            Err(_) => Answer::none(&fault::no_answer(self.patience)),
        }
    }

    /// The fault, as that of whose it is: what looks like ours may be the receiver's.
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
    }
}

/// Reads a short body to its end, so that the connection can carry the next event. Of one that is
/// long, slow or broken the connection is dropped: what it answered stands in the head.
async fn drain(mut response: Response<Incoming>, end: Instant) {
    let mut left = MOST_DRAINED;
    while let Ok(Some(Ok(frame))) = timeout_at(end, response.frame()).await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests;
