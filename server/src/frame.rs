//! Frames: what the stream sends at a tick, as bytes of `text/event-stream` (the HTML standard's
//! server-sent events).

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};

/// Metrics and reports. Both are JSON on one line, so neither can break out of its event.
pub fn good(metrics: &Bytes, reports: &Bytes) -> Bytes {
    let mut frame = BytesMut::with_capacity(metrics.len() + reports.len() + 64);
    for (event, data) in [("metrics", metrics), ("reports", reports)] {
        frame.put_slice(b"event: ");
        frame.put_slice(event.as_bytes());
        frame.put_slice(b"\ndata: ");
        frame.put_slice(data);
        frame.put_slice(b"\n\n");
    }
    frame.freeze()
}

/// A tick that failed.
pub fn failed() -> Bytes {
    Bytes::from_static(
        b"event: error\ndata: {\"message\":\"The data cannot be read at the moment. \
          What was sent before is the last that is known.\"}\n\n",
    )
}

/// How long a client waits before it connects again: a field for the event that follows it. Alone in a
/// block, some clients would take it for an empty message.
pub fn retry(wait: Duration) -> Bytes {
    Bytes::from(format!("retry: {}\n", wait.as_millis()))
}

/// The same at the end of a stream, where no event follows.
pub fn last_retry(wait: Duration) -> Bytes {
    Bytes::from(format!("retry: {}\n\n", wait.as_millis()))
}
