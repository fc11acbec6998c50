//! Header fields of draft-ietf-httpapi-ratelimit-headers-10.

use std::io::Write;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Decision, Quota, WINDOW};

static POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
static LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Largest integer of a structured field (RFC 9651, 3.3.1). The draft requires `q` and `r` and has no value for "no
/// limit", so this number stands for it.
const NO_LIMIT: u64 = 999_999_999_999_999;

/// Maximum length of a value: a name of 40 bytes and two numbers.
const MAX_LENGTH: usize = 96;

impl Decision {
    /// Writes `RateLimit-Policy` and `RateLimit`, such as `"public";q=60;w=60` and
    /// `"public";r=50;t=30`. Without a limit, `q` and `r` are 999999999999999.
    pub fn write(&self, headers: &mut HeaderMap) {
        if let Some(policy) = policy(&self.quota) {
            headers.insert(&POLICY, policy);
        }
        if let Some(limit) = limit(self) {
            headers.insert(&LIMIT, limit);
        }
    }
}

fn policy(quota: &Quota) -> Option<HeaderValue> {
    Some(HeaderValue::from_static(match *quota {
        Quota::PUBLIC => "\"public\";q=60;w=60",
        Quota::PARTNER => "\"partner\";q=1000;w=60",
        Quota::ENTERPRISE => "\"enterprise\";q=999999999999999;w=60",
        Quota::OPERATOR => "\"operator\";q=999999999999999;w=60",
        other => return format_policy(&other),
    }))
}

fn format_policy(quota: &Quota) -> Option<HeaderValue> {
    let requests = quota.requests.map_or(NO_LIMIT, u64::from);
    format(format_args!("\"{}\";q={requests};w={}", quota.name, WINDOW.as_secs()))
}

fn limit(decision: &Decision) -> Option<HeaderValue> {
    Some(HeaderValue::from_static(match decision.quota {
        Quota::ENTERPRISE => "\"enterprise\";r=999999999999999;t=0",
        Quota::OPERATOR => "\"operator\";r=999999999999999;t=0",
        _ => return format_limit(decision),
    }))
}

fn format_limit(decision: &Decision) -> Option<HeaderValue> {
    let quota = &decision.quota;
    let remaining = quota.requests.map_or(NO_LIMIT, |_| u64::from(decision.remaining));
    format(format_args!("\"{}\";r={remaining};t={}", quota.name, decision.reset_seconds()))
}

/// Formats on the stack first, so that the value is allocated once and without spare room. `None` if a name is not valid
/// in a header.
fn format(value: std::fmt::Arguments<'_>) -> Option<HeaderValue> {
    let mut buffer = [0; MAX_LENGTH];
    let mut rest = buffer.as_mut_slice();
    rest.write_fmt(value).ok()?;
    let length = MAX_LENGTH - rest.len();
    HeaderValue::from_bytes(&buffer[..length]).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn written(quota: Quota, accepted: bool, remaining: u32, reset: Duration) -> [String; 2] {
        let mut headers = HeaderMap::new();
        // An existing header is replaced.
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
    fn what_stands_ready_is_what_would_be_formatted() {
        for quota in [Quota::PUBLIC, Quota::PARTNER, Quota::ENTERPRISE, Quota::OPERATOR] {
            assert_eq!(policy(&quota), format_policy(&quota));
            let decision =
                Decision { quota, accepted: true, remaining: u32::MAX, reset: Duration::ZERO };
            assert_eq!(limit(&decision), format_limit(&decision));
        }
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
