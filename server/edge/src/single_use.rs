//! Compression of responses that only one client gets, so none of their forms is kept.

use axum::{body::Body, response::Response};
use flate2::Compression;
use http::{HeaderMap, HeaderValue, header};
use http_body_util::BodyExt;

use super::{
    accept::takes_gzip,
    representation::{MIN_COMPRESSED, gzip},
};

/// Compresses a response, if the client accepts gzip. The response must contain no secret beside text of the request:
/// its size would reveal whether both are alike (BREACH).
///
/// # Errors
/// If the body cannot be read.
pub async fn gzipped(response: Response, request: &HeaderMap) -> Result<Response, axum::Error> {
    if response.headers().contains_key(header::CONTENT_ENCODING) {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !takes_gzip(request) {
        return Ok(Response::from_parts(parts, body));
    }
    let plain = body.collect().await?.to_bytes();
    let packed =
        (plain.len() >= MIN_COMPRESSED).then(|| gzip(&plain, Compression::fast())).flatten();
    let body = match packed {
        Some(packed) => {
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            packed
        }
        None => plain,
    };
    Ok(Response::from_parts(parts, Body::from(body)))
}

#[cfg(test)]
mod tests {
    use axum::body::HttpBody;

    use super::*;

    async fn answer(accepted: &'static str, text: String) -> (Option<HeaderValue>, u64) {
        let request =
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
        let response = gzipped(Response::new(text.into()), &request).await.unwrap();
        let coding = response.headers().get(header::CONTENT_ENCODING).cloned();
        (coding, response.body().size_hint().exact().unwrap())
    }

    #[tokio::test]
    async fn long_texts_are_compressed_for_clients_that_accept_gzip() {
        let (coding, length) = answer("gzip, br", "report ".repeat(1_000)).await;
        assert_eq!(coding.unwrap(), "gzip");
        assert!(length < 1_000, "{length}");
        assert_eq!(answer("identity", "report ".repeat(1_000)).await, (None, 7_000));
        assert_eq!(answer("gzip", "report".to_owned()).await, (None, 6));
    }
}
