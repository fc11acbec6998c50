//! The fields of draft-ietf-httpapi-ratelimit-headers-10.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Decision, WINDOW};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The largest integer of a structured field (RFC 9651, 3.3.1). The draft has no word for "no
/// limit" and requires `q` and `r`, so this stands for it.
const NO_LIMIT: u64 = 999_999_999_999_999;

impl Decision {
    /// Writes `RateLimit-Policy` and `RateLimit`, such as `"public";q=60;w=60` and
    /// `"public";r=50;t=30`. Where there is no limit, `q` and `r` are 999999999999999.
    pub fn write(&self, headers: &mut HeaderMap) {
        let name = self.quota.name;
        let (requests, remaining) = match self.quota.requests {
            Some(requests) => (requests.into(), self.remaining.into()),
            None => (NO_LIMIT, NO_LIMIT),
        };
        let policy = format!("\"{name}\";q={requests};w={}", WINDOW.as_secs());
        let limit = format!("\"{name}\";r={remaining};t={}", self.reset_seconds());
        for (field, value) in [(POLICY, policy), (LIMIT, limit)] {
            // The name of a quota is printable ASCII.
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(field, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Quota;

    fn written(quota: Quota, accepted: bool, remaining: u32, reset: Duration) -> [String; 2] {
        let mut headers = HeaderMap::new();
        // What is written twice stands there once.
        headers.insert("ratelimit", HeaderValue::from_static("old"));
        Decision { quota, accepted, remaining, reset }.write(&mut headers);
        assert_eq!(headers.len(), 2);
        ["RateLimit-Policy", "RateLimit"]
            .map(|name| headers.get(name).unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn a_client_is_told_its_quota_and_what_is_left() {
        let half_a_minute = Duration::from_secs(30);
        assert_eq!(
            written(Quota::PUBLIC, true, 50, half_a_minute),
            ["\"public\";q=60;w=60", "\"public\";r=50;t=30"]
        );
        assert_eq!(
            written(Quota::PARTNER, false, 0, half_a_minute),
            ["\"partner\";q=1000;w=60", "\"partner\";r=0;t=30"]
        );
    }

    #[test]
    fn no_limit_is_the_largest_number_there_is() {
        for (quota, name) in [(Quota::ENTERPRISE, "enterprise"), (Quota::OPERATOR, "operator")] {
            assert_eq!(
                written(quota, true, u32::MAX, Duration::ZERO),
                [
                    format!("\"{name}\";q=999999999999999;w=60"),
                    format!("\"{name}\";r=999999999999999;t=0"),
                ]
            );
        }
    }

    #[test]
    fn the_time_to_wait_is_rounded_up() {
        let seconds = |accepted, reset| {
            let [_, limit] = written(Quota::PUBLIC, accepted, 1, reset);
            limit.rsplit_once("t=").unwrap().1.to_owned()
        };
        assert_eq!(seconds(true, Duration::ZERO), "0");
        assert_eq!(seconds(true, Duration::from_nanos(1)), "1");
        assert_eq!(seconds(false, Duration::from_millis(29_001)), "30");
        assert_eq!(seconds(true, WINDOW), "60");
        let rounded = WINDOW + Duration::from_micros(700);
        assert_eq!(seconds(true, rounded), "60", "no more than the window");
        assert_eq!(seconds(false, rounded), "61", "but never before the next is accepted");
    }

    #[test]
    fn any_other_quota_is_told_too() {
        let name = "a-name-of-forty-bytes-and-not-one-byte-m";
        assert_eq!(name.len(), 40);
        let quota = Quota { name, requests: Some(u32::MAX) };
        assert_eq!(
            written(quota, false, u32::MAX, Duration::from_secs(u64::MAX)),
            [
                format!("\"{name}\";q=4294967295;w=60"),
                format!("\"{name}\";r=4294967295;t=18446744073709551615"),
            ]
        );
    }
}
