//! Bytes that clients get as a text and send back unchanged: base64url with a checksum. So a truncated or made-up text
//! is refused rather than taken for another value.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// Returns the text of these bytes.
pub(crate) fn seal(mut bytes: Vec<u8>) -> String {
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the bytes of a text; `None` if [`seal`] did not write it.
pub(crate) fn unseal(text: &str) -> Option<Vec<u8>> {
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
    let (rest, checksum) = bytes.split_last_chunk()?;
    let length = rest.len();
    if crc32fast::hash(rest) != u32::from_be_bytes(*checksum) {
        return None;
    }
    bytes.truncate(length);
    Some(bytes)
}
