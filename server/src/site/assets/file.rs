use bytes::Bytes;
use edge::representation::Representation;

use super::loader;

/// For files with a fixed name: cached for an hour, then revalidated.
pub(super) const FIXED: &str = "public, max-age=3600, stale-while-revalidate=86400";
/// For files with a hash of their content in their name.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The site is missing or incomplete.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Incomplete(pub(super) String);

/// Returns the file at a URL path. The path determines how long it may be cached, except for `/assets/…`.
pub(super) fn file(url: &str, body: Bytes, assets: &'static str) -> Option<Representation> {
    let cache_control = match url {
        _ if url.starts_with("/assets/") => assets,
        _ if loader::is_release(url) => IMMUTABLE,
        _ => FIXED,
    };
    Some(Representation::file(url, body)?.cache_control(cache_control))
}
