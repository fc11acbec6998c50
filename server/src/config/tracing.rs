use std::str::FromStr;

use clap::Args;
use url::Url;

/// Where traces go. The names of the variables are OpenTelemetry's.
#[derive(Args, Clone, Debug)]
pub struct Tracing {
    /// Collector of OpenTelemetry that gets a span for each request and each webhook, over OTLP/HTTP, such as
    /// http://127.0.0.1:4318 [default: none]
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL", hide_env_values = true)]
    pub otlp_endpoint: Option<OtlpEndpoint>,

    /// What the service is called there
    #[arg(long, env = "OTEL_SERVICE_NAME", default_value = "svc", value_name = "NAME")]
    pub otlp_service_name: String,

    /// Share of all traces that is recorded, from 0 to 1; a trace that the caller does not record is never
    #[arg(
        long,
        env = "OTEL_TRACES_SAMPLER_ARG",
        default_value_t = 1.0,
        value_name = "SHARE",
        value_parser = parse_share
    )]
    pub otlp_share: f64,
}

/// The URL of a collector; an empty one stands for none, as OpenTelemetry has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtlpEndpoint(Option<Url>);

impl FromStr for OtlpEndpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
        let advice = "write a URL of http or https, such as http://127.0.0.1:4318";
        url.map(|url| Self(Some(url))).ok_or_else(|| advice.to_owned())
    }
}

impl Tracing {
    /// The collector, if there is one.
    pub fn collector(&self) -> Option<&Url> {
        self.otlp_endpoint.as_ref()?.0.as_ref()
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a number from 0 to 1, such as 0.1".to_owned())
}
