use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;
use url::Url;
use webhooks::client::{self, BuildError};

const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a collector's response in bytes. Real ones are almost empty.
const MAX_ANSWERED: usize = 64 << 10;

/// Sends batches to a collector.
#[derive(Clone, Debug)]
pub(super) struct Collector {
    http: reqwest::Client,
    /// Runtime for requests: the exporter has a thread of its own, which belongs to no runtime.
    runtime: Handle,
    /// Host of the collector, without a password.
    host: Arc<str>,
    is_failing: Arc<AtomicBool>,
}

impl Collector {
    pub(super) fn new(endpoint: &Url) -> Result<Self, BuildError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(client::trusted_tls()?)
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .build()?;
        let host = endpoint.host_str().unwrap_or_default().into();
        Ok(Self { http, runtime: Handle::current(), host, is_failing: Arc::default() })
    }

    /// Logs when sending begins to fail and when it works again.
    fn note(&self, sent: &Result<Response<Bytes>, HttpError>) {
        let failed = match sent {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(response.status().to_string()),
            Err(error) => Some(chain(&**error)),
        };
        let had_failed = self.is_failing.swap(failed.is_some(), Ordering::Relaxed);
        let host = &*self.host;
        match failed {
            Some(reason) if !had_failed => {
                tracing::warn!(host, reason, "traces are lost: the collector does not take them");
            }
            None if had_failed => tracing::info!(host, "the collector takes traces again"),
            _ => {}
        }
    }
}

// Written as `async_trait` expands it.
impl HttpClient for Collector {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        let collector = self.clone();
        let sent = self.runtime.spawn(async move {
            let sent = send(&collector.http, request).await;
            collector.note(&sent);
            sent
        });
        Box::pin(async move { sent.await? })
    }
}

async fn send(
    http: &reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let mut response =
        http.execute(request.try_into()?).await.map_err(reqwest::Error::without_url)?;
    let mut answer = Response::builder().status(response.status()).body(Bytes::new())?;
    *answer.headers_mut() = std::mem::take(response.headers_mut());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        if body.len() + chunk.len() > MAX_ANSWERED {
            return Err("the answer is too long".into());
        }
        body.extend_from_slice(&chunk);
    }
    *answer.body_mut() = body.into();
    Ok(answer)
}

/// An error with its causes.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
