//! Sends [spans](::spans) to a collector over OTLP (protobuf over HTTP), if one is configured.

mod collector;

use base::random::Random;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig, WithHttpConfig};
use spans::Spans;
use url::Url;
use webhooks::client;

use self::collector::Collector;
use crate::config::Tracing;

/// Path at which collectors accept traces over HTTP.
const PATH: &str = "/v1/traces";

/// Reasons why no exporter can be made.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    #[error("traces cannot be sent to --otlp-endpoint: {0}")]
    Exporter(#[from] ExporterBuildError),
    #[error("traces cannot be sent to --otlp-endpoint")]
    Client(#[from] client::BuildError),
}

/// Returns spans for the configured collector. Without a collector, nothing is recorded.
///
/// # Errors
/// There is no exporter or HTTP client for that URL.
pub fn spans(settings: &Tracing, random: &Random) -> Result<Spans, OtlpError> {
    let Some(endpoint) = settings.collector() else { return Ok(Spans::default()) };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Collector::new(endpoint)?)
        .with_endpoint(traces_at(endpoint))
        .build()?;
    Ok(Spans::start(exporter, settings.otlp_service_name.clone(), settings.otlp_share, random))
}

/// Returns the URL for traces below the collector's base URL.
fn traces_at(endpoint: &Url) -> String {
    let mut url = endpoint.clone();
    let path = endpoint.path().trim_end_matches('/');
    match path.ends_with(PATH) {
        true => url.set_path(path),
        false => url.set_path(&format!("{path}{PATH}")),
    }
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_the_collector_s_or_that_of_its_traces() {
        for url in ["http://a:4318", "http://a:4318/", "http://a:4318/v1/traces"] {
            assert_eq!(traces_at(&url.parse().unwrap()), "http://a:4318/v1/traces");
        }
        assert_eq!(traces_at(&"https://a/otlp/".parse().unwrap()), "https://a/otlp/v1/traces");
        let with_key = "https://a/?api-key=x".parse().unwrap();
        assert_eq!(traces_at(&with_key), "https://a/v1/traces?api-key=x");
    }
}
