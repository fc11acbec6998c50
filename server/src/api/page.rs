//! Values of the parameter `page`: the position in the list of reports at which a page begins. Clients get them in
//! links and send them back unchanged.
//!
//! A value has the last report before the page: the time of its publication, and its id.

use store::Rank;

use crate::sealed::{seal, unseal};

/// Encodes the report before the page.
pub(super) fn encode(after: &Rank) -> String {
    let mut bytes = after.published_at.to_be_bytes().to_vec();
    bytes.extend_from_slice(after.id.as_bytes());
    seal(bytes)
}

/// Decodes the report before the page; `None` if [`encode`] did not write this.
pub(super) fn decode(page: &str) -> Option<Rank> {
    let bytes = unseal(page)?;
    let (published_at, id) = bytes.split_first_chunk()?;
    let id = std::str::from_utf8(id).ok()?.to_owned();
    Some(Rank { published_at: i64::from_be_bytes(*published_at), id })
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

    use super::*;

    fn rank(published_at: i64, id: &str) -> Rank {
        Rank { published_at, id: id.to_owned() }
    }

    #[test]
    fn what_comes_back_is_what_was_sent() {
        for after in [
            rank(1_772_366_400_000, "rep_1f0c"),
            rank(0, ""),
            rank(i64::MIN, "Ü\u{10FFFF} &=+%/"),
            rank(i64::MAX, &"ü".repeat(128)),
        ] {
            let page = encode(&after);
            assert!(page.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            assert_eq!(decode(&page), Some(after));
        }
    }

    #[test]
    fn the_checksum_is_that_of_crc_32() {
        // From Python's struct.pack(">q", …), zlib.crc32 and base64.urlsafe_b64encode. The API document shows this
        // value as an example.
        let page = "AAABnKlFCgByZXBfMWYwYyOrtcs";
        assert_eq!(encode(&rank(1_772_366_400_000, "rep_1f0c")), page);
    }

    #[test]
    fn what_is_cut_short_or_changed_in_one_character_is_refused() {
        let page = encode(&rank(1_772_366_400_000, "rep_1f0c"));
        for length in 0..page.len() {
            assert_eq!(decode(&page[..length]), None, "{length}");
        }
        for at in 0..page.len() {
            let mut bytes = page.clone().into_bytes();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            assert_eq!(decode(std::str::from_utf8(&bytes).unwrap()), None, "{at}");
        }
        for other in ["2", "x", "====", "ümlaut", &format!("{page}="), &format!("{page}AAAA")] {
            assert_eq!(decode(other), None, "{other}");
        }
    }

    #[test]
    fn what_has_a_right_checksum_and_is_too_short_or_no_text_is_refused() {
        for bytes in [&b""[..], b"1234567", b"12345678\xff"] {
            let checksum = crc32fast::hash(bytes).to_be_bytes();
            let page = BASE64_URL_SAFE_NO_PAD.encode([bytes, &checksum].concat());
            assert_eq!(decode(&page), None, "{bytes:?}");
        }
    }
}
