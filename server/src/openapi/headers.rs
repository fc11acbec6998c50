//! Response headers.

use edge::representation::PRIVATE_READ_CACHE;
use serde_json::{Map, Value, json};

/// All headers, by name.
pub fn all() -> Value {
    json!({
        "RateLimit": header(
            "Remaining quota (IETF draft 10): `r` requests; in `t` seconds the oldest counted request leaves the \
                window.",
            "\"public\";r=59;t=60",
        ),
        "RateLimit-Policy": header(
            "The quota: its name, and `q` requests in any `w` seconds. Without a limit, `q` is \
             999999999999999.",
            "\"public\";q=60;w=60",
        ),
        "Retry-After": {
            "description": "Seconds to wait before the next request.",
            "schema": { "type": "integer", "minimum": 1 },
            "example": 12,
        },
        "ETag": header(
            "Identifies this content. A weak tag (`W/`) can be sent as `If-None-Match`: the response is 304 until the \
             content changes. A strong one can be sent as `If-Match` with a change: the response is 412 if someone else \
             changed the resource.",
            "W/\"5f1d0c2b9a8e7d6c5b4a3f2e\"",
        ),
        "Idempotent-Replayed": header(
            "`true`: this is the response to an earlier request with the same `Idempotency-Key`.",
            "true",
        ),
        "Link": header(
            "Links (RFC 8288), relative to the URL of the request, with its parameters. `next`: the next page; absent \
                on the last page. `current`: reports published since the newest of this response, for a later request; \
                absent with `page`.",
            "<reports?limit=100&page=AAABnKlFCgByZXBfMWYwYyOrtcs>; rel=\"next\", \
             <reports?limit=100&since=2026-03-01T12%3A00%3A00.000Z>; rel=\"current\"",
        ),
        "Reports-Revision": {
            "description": "Changes whenever reports are withdrawn, history is imported, or the list changes other \
                than by newer publications. The same for all parameters. A page shows this revision or a later one.",
            "schema": { "type": "integer" },
            "example": 1_772_366_400_007_u64,
        },
        "Cache-Control": cache_control(PRIVATE_READ_CACHE),
        "X-Request-Id": header(
            "Identifies the request in the service\u{2019}s log: the id of the trace in its \
             `traceparent`; else its own `X-Request-Id` if that is a UUID or 32 hexadecimal digits; else a new id.",
            "4bf92f3577b34da6a3ce929d0e0e4736",
        ),
        "WWW-Authenticate": header("How to authenticate.", "Bearer"),
    })
}

fn header(description: &str, example: &str) -> Value {
    json!({
        "description": description,
        "schema": { "type": "string" },
        "example": example,
    })
}

fn cache_control(example: &str) -> Value {
    header("Whether, and for how long, the response may be reused.", example)
}

/// References to the headers of every response, to those in `more`, and to `Cache-Control` if `cache` is given.
pub(super) fn references(more: &[&str], cache: Option<&str>) -> Value {
    let reference = |name: &&str| {
        ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }))
    };
    let mut headers: Map<String, Value> = ["RateLimit", "RateLimit-Policy", "X-Request-Id"]
        .iter()
        .chain(more)
        .map(reference)
        .collect();
    match cache {
        Some(PRIVATE_READ_CACHE) => headers.extend([reference(&"Cache-Control")]),
        Some(other) => _ = headers.insert("Cache-Control".to_owned(), cache_control(other)),
        None => {}
    }
    Value::Object(headers)
}
