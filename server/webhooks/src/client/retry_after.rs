use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use http::HeaderValue;

use crate::schedule::LONGEST_RETRY_AFTER;

/// Wait that `Retry-After` requests (RFC 9110, section 10.2.3): seconds, or a date, relative to `now`. At most 24
/// hours; zero for a date in the past. `None` if the value is malformed.
pub(super) fn parse(value: &HeaderValue, now: DateTime<Utc>) -> Option<Duration> {
    let text = value.to_str().ok()?.trim();
    let wait = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number with too many digits is more than a day.
        text.parse().map_or(Duration::MAX, Duration::from_secs)
    } else {
        let date = httpdate::parse_http_date(text).ok()?;
        date.duration_since(SystemTime::from(now)).unwrap_or_default()
    };
    Some(wait.min(LONGEST_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_understood_and_nothing_else() {
        let now = "2026-03-01T12:00:00Z".parse().unwrap();
        let table: &[(&str, Option<u64>)] = &[
            ("0", Some(0)),
            ("120", Some(120)),
            (" 120 ", Some(120)),
            ("86400", Some(86_400)),
            ("86401", Some(86_400)),
            ("99999999999999999999999999", Some(86_400)),
            ("Sun, 01 Mar 2026 12:01:30 GMT", Some(90)),
            ("Sunday, 01-Mar-26 12:01:30 GMT", Some(90)),
            ("Sun Mar  1 12:01:30 2026", Some(90)),
            ("Sun, 01 Mar 2026 12:00:00 GMT", Some(0)),
            ("Sat, 28 Feb 2026 12:00:00 GMT", Some(0)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(86_400)),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("soon", None),
            ("2026-03-01T12:01:30Z", None),
            ("Sun, 01 Mar 2026 25:00:00 GMT", None),
        ];
        for (text, seconds) in table {
            let value = HeaderValue::from_str(text).unwrap();
            assert_eq!(parse(&value, now), seconds.map(Duration::from_secs), "{text:?}");
        }
        assert_eq!(parse(&HeaderValue::from_bytes(b"\xff").unwrap(), now), None);
    }
}
