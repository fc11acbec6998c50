use serde_json::{Map, Value, json};

/// The headers that answers carry, by name.
pub(super) fn all() -> Value {
    let header = |description: &str, example: &str| json!({ "description": description, "schema": { "type": "string" }, "example": example });
    json!({
        "RateLimit": header(
            "Where the client stands (IETF draft 10): `r` requests are left; in `t` seconds the \
             oldest that counts leaves the window.",
            "\"public\";r=59;t=60",
        ),
        "RateLimit-Policy": header(
            "The quota: its name, `q` requests in any `w` seconds. Without a limit, `q` is \
             999999999999999.",
            "\"public\";q=60;w=60",
        ),
        "Retry-After": {
            "description": "After how many seconds to ask again.",
            "schema": { "type": "integer", "minimum": 1 },
            "example": 12,
        },
        "ETag": header(
            "Names this content: send it as `If-None-Match`, and the answer is 304 until it changes.",
            "W/\"5f1d0c2b9a8e7d6c5b4a3f2e\"",
        ),
        "Cache-Control": header(
            "How long the answer may be reused.",
            "public, max-age=1, stale-while-revalidate=5",
        ),
        "WWW-Authenticate": header("How to authenticate.", "Bearer"),
    })
}

/// References to the headers that every answer of the API has, and to `more`.
pub(super) fn references(more: &[&str]) -> Value {
    let reference = |name: &&str| {
        ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }))
    };
    let headers: Map<String, Value> =
        ["RateLimit", "RateLimit-Policy"].iter().chain(more).map(reference).collect();
    Value::Object(headers)
}
