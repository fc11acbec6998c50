//! OpenTelemetry spans: one for each handled request, and one for each webhook that is sent. A
//! thread of the SDK sends them to an exporter in batches. If the collector is slow or unreachable
//! and the queue is full, spans are dropped, so that no request waits. Without an exporter, nothing
//! is recorded.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use base::{
    random::{Random, scattered},
    redaction::redacted,
};
use chrono::{DateTime, Utc};
use opentelemetry::{
    InstrumentationScope, KeyValue, Value,
    trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState},
};
use opentelemetry_sdk::{
    Resource,
    trace::{
        BatchConfigBuilder, BatchSpanProcessor, SpanData, SpanEvents, SpanExporter, SpanLinks,
        SpanProcessor,
    },
};

/// Maximum number of queued spans, each of a few hundred bytes.
const QUEUE: usize = 8_192;
const BATCH: usize = 512;
/// Maximum time until an incomplete batch is sent.
const DELAY: Duration = Duration::from_secs(1);
/// Timeout for the last spans when the service stops.
const LAST: Duration = Duration::from_secs(3);
/// Recorder of spans; the default discards them. Clones share the queue.
#[derive(Clone, Debug, Default)]
pub struct Spans(Option<Arc<Recorder>>);

struct Recorder {
    processor: BatchSpanProcessor,
    /// Sampling threshold: traces whose scrambled id is below it are recorded.
    below: u64,
    /// Secret key for scrambling trace ids. Clients choose the ids, and must not be able to choose
    /// whether they are sampled.
    key: u64,
    scope: InstrumentationScope,
    next: AtomicU64,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// The parent span in a request's `traceparent` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    pub span: u64,
    pub is_sampled: bool,
}

/// A completed operation.
#[derive(Clone, Debug)]
pub struct Span {
    /// Id of the trace; random if `None`.
    pub trace: Option<u128>,
    pub parent: Option<Parent>,
    pub kind: SpanKind,
    pub name: String,
    pub ended_at: DateTime<Utc>,
    pub duration: Duration,
    pub attributes: Vec<KeyValue>,
    pub has_failed: bool,
}

impl Spans {
    /// Starts the thread that sends the spans of the service. `share` is the share of recorded
    /// traces, from 0 to 1.
    pub fn start(
        exporter: impl SpanExporter + 'static,
        service: String,
        share: f64,
        random: &Random,
    ) -> Self {
        let config = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(DELAY)
            .build();
        let mut processor = BatchSpanProcessor::new(exporter, config);
        let instance = format!("{:016x}", random.number());
        let resource = Resource::builder_empty()
            .with_service_name(service)
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_attribute(KeyValue::new("service.instance.id", instance));
        processor.set_resource(&resource.build());
        Self(Some(Arc::new(Recorder {
            processor,
            below: below(share),
            key: random.number(),
            scope: InstrumentationScope::builder("svc").build(),
            next: AtomicU64::new(random.number()),
        })))
    }

    /// Whether spans of this trace are recorded: the trace is within the sampled share, and its
    /// caller, if any, records it too. A caller's sampling decision alone does not cause recording,
    /// because any client could then exceed the share.
    pub fn wants(&self, trace: u128, parent: Option<Parent>) -> bool {
        let Some(Recorder { below, key, .. }) = self.0.as_deref() else { return false };
        let is_chosen = scattered(trace as u64 ^ key) >> 1 < *below;
        is_chosen && parent.is_none_or(|parent| parent.is_sampled)
    }

    /// Queues a span if its trace is recorded. Never waits.
    pub fn record(&self, span: impl FnOnce() -> Span) {
        let Some(recorder) = &self.0 else { return };
        let span = span();
        let number = || scattered(recorder.next.fetch_add(1, Ordering::Relaxed));
        let trace = span.trace.unwrap_or_else(|| u128::from(number()) << 64 | u128::from(number()));
        if !self.wants(trace, span.parent) {
            return;
        }
        let context = SpanContext::new(
            TraceId::from(trace),
            SpanId::from(number()),
            TraceFlags::SAMPLED,
            false,
            TraceState::default(),
        );
        recorder.processor.on_end(SpanData {
            span_context: context,
            parent_span_id: span.parent.map_or(SpanId::INVALID, |parent| SpanId::from(parent.span)),
            parent_span_is_remote: span.parent.is_some(),
            span_kind: span.kind,
            name: span.name.into(),
            start_time: (span.ended_at - span.duration).into(),
            end_time: span.ended_at.into(),
            attributes: span.attributes.into_iter().map(harmless).collect(),
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: if span.has_failed { Status::error("") } else { Status::Unset },
            instrumentation_scope: recorder.scope.clone(),
        });
    }

    /// Sends the spans that are still in the queue, for at most three seconds.
    pub async fn close(&self) {
        let Some(recorder) = self.0.clone() else { return };
        let closing =
            tokio::task::spawn_blocking(move || recorder.processor.shutdown_with_timeout(LAST));
        if let Ok(Err(error)) = closing.await {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

/// Redacts secrets in an attribute, such as a key in a path.
fn harmless(attribute: KeyValue) -> KeyValue {
    let Value::String(text) = &attribute.value else { return attribute };
    let text = redacted(text.as_str()).into_owned();
    KeyValue::new(attribute.key, text)
}

/// The sampling threshold for a share, as a 63-bit number.
fn below(share: f64) -> u64 {
    (share * (1_u64 << 63) as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_all_traces_is_recorded() {
        assert_eq!([below(0.0), below(0.5), below(1.0)], [0, 1 << 62, 1 << 63]);
    }
}
