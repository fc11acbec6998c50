//! Parsers of this crate that are [fuzzed](scratch::fuzz) with the corpus in `corpus/`.

use std::path::Path;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use scratch::fuzz::{self, Target};

use crate::{accept, representation, request_id};

const TARGETS: &[Target] = &[
    Target { name: "accept", check: accepted },
    Target { name: "if-none-match", check: if_none_match },
    Target { name: "traceparent", check: request_id::fuzz },
];

/// Headers with each line of the input as a value, if HTTP allows it.
fn headers(name: &HeaderName, bytes: &[u8]) -> HeaderMap {
    let lines = bytes.split(|byte| *byte == b'\n').take(100);
    let values = lines.filter_map(|line| HeaderValue::from_bytes(line).ok());
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(name, value);
    }
    headers
}

fn accepted(bytes: &[u8]) {
    let accepts = headers(&header::ACCEPT, bytes);
    assert!(!(accept::prefers_html(&accepts) && accept::prefers_json(&accepts)));
    accept::coding(&headers(&header::ACCEPT_ENCODING, bytes));
}

fn if_none_match(bytes: &[u8]) {
    representation::fuzz(&headers(&header::IF_NONE_MATCH, bytes));
}

#[test]
fn whatever_comes_from_outside_is_read_or_refused() {
    fuzz::run(TARGETS, &Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"));
}
