//! Frames of the stream: the output of a tick, as bytes of `text/event-stream` (the HTML standard's server-sent
//! events).

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use edge::representation::to_json;

/// Returns the frame of a tick: metrics and reports. Each is JSON on one line, so it cannot break out of its event.
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

/// Writes the event `view`, with the text that requested it and the `members` of
/// [`ResponseCache::view`](crate::responses::ResponseCache::view).
pub fn view(requested: &str, members: &[u8], frame: &mut BytesMut) {
    frame.put_slice(b"event: view\ndata: ");
    view_object(requested, members, frame);
    frame.put_slice(b"\n\n");
}

/// Writes the data of that event, `{"view":…,"metrics":{…},"reports":[…]}`, on one line.
pub fn view_object(requested: &str, members: &[u8], out: &mut BytesMut) {
    out.put_slice(b"{\"view\":");
    out.put_slice(&to_json(&requested));
    out.put_slice(b",");
    out.put_slice(members);
    out.put_slice(b"}");
}

/// End of a tick; views without an event are unchanged.
pub const TICK: &[u8] = b"event: tick\ndata: {}\n\n";

/// Returns the frame of a failed tick.
pub fn failed() -> Bytes {
    Bytes::from_static(
        b"event: error\ndata: {\"message\":\"The data cannot be read at the moment. Previously sent data is the latest \
            available.\"}\n\n",
    )
}

/// Returns the field with the delay before a client reconnects, which must precede an event. Some clients would take a
/// block with only this field for an empty message.
pub fn retry(wait: Duration) -> Bytes {
    Bytes::from(format!("retry: {}\n", wait.as_millis()))
}

/// Returns the same field for the end of a stream, where no event follows.
pub fn last_retry(wait: Duration) -> Bytes {
    Bytes::from(format!("retry: {}\n\n", wait.as_millis()))
}
