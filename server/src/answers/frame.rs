//! Frames: what the stream sends at a tick, as bytes of `text/event-stream` (the HTML standard's
//! server-sent events).

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use edge::representation::to_json;

/// A tick: metrics and reports. Both are JSON on one line, so neither can break out of its event.
pub fn tick(metrics: &Bytes, reports: &Bytes) -> Bytes {
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

/// One view, whose `members` are those of [`Answers::view`](crate::answers::Answers::view): the
/// event `view`, with the text that requested it.
pub fn view(requested: &str, members: &[u8], frame: &mut BytesMut) {
    frame.put_slice(b"event: view\ndata: ");
    view_object(requested, members, frame);
    frame.put_slice(b"\n\n");
}

/// The data of that event, `{"view":…,"metrics":{…},"reports":[…]}`, on one line.
pub fn view_object(requested: &str, members: &[u8], out: &mut BytesMut) {
    out.put_slice(b"{\"view\":");
    out.put_slice(&to_json(&requested));
    out.put_slice(b",");
    out.put_slice(members);
    out.put_slice(b"}");
}

/// The end of a tick: views that it did not bring are as they were.
pub const TICK: &[u8] = b"event: tick\ndata: {}\n\n";

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
