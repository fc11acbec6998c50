//! Idempotent requests: repeating one has no further effect.

use chrono::TimeDelta;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Time for which a request is remembered.
pub const REMEMBERED: TimeDelta = TimeDelta::hours(24);

/// Maximum number of characters of a key.
pub const MAX_KEY: usize = 255;

/// Request with a key. A request from the same partner with the same key and body is the same request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// 1 to [`MAX_KEY`] visible ASCII characters.
    pub key: String,
    /// SHA-256 of the body's JSON, without spaces and with the members of each object in order.
    pub body_hash: [u8; 32],
}

impl IdempotentRequest {
    /// Creates a request with this key; `None` if the key is invalid.
    pub fn new(key: &str, body: &Map<String, Value>) -> Option<Self> {
        let is_valid =
            (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid.then(|| Self { key: key.to_owned(), body_hash: hash(body) })
    }
}

fn hash(body: &Map<String, Value>) -> [u8; 32] {
    let mut body = Value::Object(body.clone());
    body.sort_all_objects();
    Sha256::digest(body.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(key: &str, body: &str) -> Option<IdempotentRequest> {
        let Ok(Value::Object(body)) = serde_json::from_str(body) else { panic!("{body}") };
        IdempotentRequest::new(key, &body)
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
        ] {
            assert_ne!(request("k", one), request("k", other), "{other}");
        }
    }
}
