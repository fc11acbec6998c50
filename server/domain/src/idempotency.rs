//! Idempotent requests: repeating one has no further effect.

use chrono::TimeDelta;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Time for which a request is remembered.
pub const REMEMBERED: TimeDelta = TimeDelta::hours(24);

/// Maximum number of characters of a key.
pub const MAX_KEY: usize = 255;

/// Request with a key. A request from the same owner with the same key and hash is the same request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// 1 to [`MAX_KEY`] visible ASCII characters.
    pub key: String,
    /// SHA-256 of method, path, query and body. Of JSON, spaces and the order of members do not count.
    pub hash: [u8; 32],
}

impl IdempotentRequest {
    /// Creates a request with this key; `None` if the key is invalid. `target` is path and query.
    pub fn new(key: &str, method: &str, target: &str, body: &[u8]) -> Option<Self> {
        let is_valid =
            (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid.then(|| Self { key: key.to_owned(), hash: hash(method, target, body) })
    }
}

fn hash(method: &str, target: &str, body: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(format!("{method} {target}\n"));
    match serde_json::from_slice::<Value>(body) {
        Ok(mut value) => {
            value.sort_all_objects();
            hash.update(value.to_string());
        }
        Err(_) => hash.update(body),
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(key: &str, body: &str) -> Option<IdempotentRequest> {
        IdempotentRequest::new(key, "POST", "/a?b=c", body.as_bytes())
    }

    #[test]
    fn a_key_has_visible_ascii_characters_and_not_too_many() {
        for valid in ["a", "~!\"{}", "8e03978e-40d5-43e8-bc93-6894a57f9324", &"x".repeat(255)] {
            assert_eq!(request(valid, "{}").unwrap().key, valid);
        }
        for invalid in ["", " ", "a b", "a\tb", "é", "\u{7f}", &"x".repeat(256)] {
            assert_eq!(request(invalid, "{}"), None, "{invalid:?}");
        }
    }

    #[test]
    fn spaces_escapes_and_the_order_of_members_do_not_make_another_body() {
        let one = r#"{"a":{"b":1,"c":["x","y"]},"d":"é"}"#;
        for same in [
            " {\n\"a\" : {\"b\":1, \"c\":[\"x\",\"y\"]}, \"d\":\"é\"} ",
            r#"{"d":"\u00e9","a":{"c":["x","y"],"b":1}}"#,
        ] {
            assert_eq!(request("k", one), request("k", same), "{same}");
        }
        for other in [
            r#"{"a":{"b":1,"c":["y","x"]},"d":"é"}"#,
            r#"{"a":{"b":"1","c":["x","y"]},"d":"é"}"#,
            r#"{"a":{"b":1,"c":["x","y"]},"d":"é","e":null}"#,
            "",
            "a,b\n1,2\n",
        ] {
            assert_ne!(request("k", one), request("k", other), "{other}");
        }
        assert_ne!(request("k", "a,b\n1,2\n"), request("k", "a, b\n1,2\n"), "of CSV all counts");
    }

    #[test]
    fn another_method_path_or_query_makes_another_request() {
        let one = IdempotentRequest::new("k", "POST", "/a?b=c", b"");
        for (method, target) in [("PUT", "/a?b=c"), ("POST", "/a"), ("POST", "/a?b=d")] {
            assert_ne!(one, IdempotentRequest::new("k", method, target, b""), "{method} {target}");
        }
    }
}
