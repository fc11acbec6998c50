use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use base::random::{Random, scattered};
use http::{HeaderMap, HeaderName, HeaderValue};
use spans::Parent;

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Id of a request in the log and in its response: the id of its trace, or the `X-Request-Id` of the client or a proxy, or
/// one of its own. All have 128 bits: an id of another form would need escaping in logs, and could not be a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestId(u128);

/// Generator of request ids. The first half is random for each process, the second is a counter. So no random number
/// is drawn per request, which would need a lock.
#[derive(Debug)]
pub(super) struct RequestIds {
    process: u64,
    next: AtomicU64,
}

impl RequestIds {
    pub(super) fn new(random: &Random) -> Self {
        Self { process: random.number(), next: AtomicU64::new(random.number()) }
    }

    /// Id of a request, and its parent span in another service.
    pub(super) fn of(&self, headers: &HeaderMap) -> (RequestId, Option<Parent>) {
        let traced = headers.get(TRACEPARENT).and_then(|parent| traced(parent.as_bytes()));
        if let Some((trace, parent)) = traced {
            return (RequestId(trace), Some(parent));
        }
        let mut given = headers.get_all(X_REQUEST_ID).iter();
        if let (Some(given), None) = (given.next(), given.next())
            && let Some(id) = uuid(given.as_bytes())
        {
            return (RequestId(id), None);
        }
        let number = scattered(self.next.fetch_add(1, Ordering::Relaxed));
        (RequestId(u128::from(self.process) << 64 | u128::from(number)), None)
    }
}

/// Ids of the trace and the span in a `traceparent` (W3C Trace Context, 3.2), if it is valid. Later versions may
/// append more fields.
fn traced(parent: &[u8]) -> Option<(u128, Parent)> {
    let (known, more) = parent.split_at_checked(55)?;
    let mut fields = known.split(|byte| *byte == b'-');
    let [version, trace, span, flags] = [(); 4].map(|()| fields.next().unwrap_or_default());
    let version = number(version, 2)?;
    let is_whole = more.is_empty() || (version > 0 && more.first() == Some(&b'-'));
    let is_sampled = number(flags, 2)? & 1 == 1;
    let span = u64::try_from(number(span, 16)?).ok()?;
    let trace = number(trace, 32)?;
    let is_valid = trace > 0 && span > 0 && version < 0xff && is_whole;
    is_valid.then_some((trace, Parent { span, is_sampled }))
}

/// Number of a UUID (RFC 9562), or of 32 hexadecimal digits, such as nginx's `$request_id`. Not zero.
fn uuid(text: &[u8]) -> Option<u128> {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    let mut digits = [0; 32];
    let mut given = text
        .iter()
        .enumerate()
        .filter(|(at, byte)| !(text.len() == 36 && HYPHENS.contains(at) && **byte == b'-'));
    for digit in &mut digits {
        *digit = given.next()?.1.to_ascii_lowercase();
    }
    let is_whole = given.next().is_none();
    number(&digits, 32).filter(|id| *id > 0 && is_whole)
}

/// Number of exactly `length` lowercase hexadecimal digits.
fn number(digits: &[u8], length: usize) -> Option<u128> {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let text = str::from_utf8(digits).ok()?;
    let is_number = digits.len() == length && digits.iter().all(is_digit);
    is_number.then(|| u128::from_str_radix(text, 16).ok())?
}

impl RequestId {
    /// Id of the trace that contains the request.
    pub(super) fn trace(self) -> u128 {
        self.0
    }

    pub(super) fn header(self) -> Option<HeaderValue> {
        let mut digits = [0; 32];
        hex::encode_to_slice(self.0.to_be_bytes(), &mut digits).ok()?;
        HeaderValue::from_bytes(&digits).ok()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Fuzz target, see `fuzz.rs`: an accepted id equals the input, and can be written.
#[cfg(test)]
pub(crate) fn fuzz(parent: &[u8]) {
    if let Some((trace, _)) = traced(parent) {
        assert_eq!(&parent[3..35], RequestId(trace).to_string().as_bytes());
        assert!(RequestId(trace).header().is_some());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn a_valid_traceparent_names_the_request() {
        for parent in [
            format!("00-{TRACE}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-0000000000000001-00"),
            format!("01-{TRACE}-00f067aa0ba902b7-01"),
            format!("fe-{TRACE}-00f067aa0ba902b7-01-more"),
        ] {
            let (id, parent_span) = traced(parent.as_bytes()).unwrap();
            assert_eq!(RequestId(id).to_string(), TRACE, "{parent}");
            assert_eq!(parent_span.is_sampled, parent.contains("-01"), "{parent}");
        }
    }

    #[test]
    fn one_that_is_not_valid_does_not() {
        for parent in [
            String::new(),
            TRACE.to_owned(),
            format!("00-{TRACE}-00f067aa0ba902b7-0"),
            format!("00-{TRACE}-00f067aa0ba902b7-01-more"),
            format!("01-{TRACE}-00f067aa0ba902b7-01more"),
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-+{}-00f067aa0ba902b7-01", &TRACE[1..]),
            format!("00-{}-00f067aa0ba902b7-01", "ä".repeat(16)),
            format!("0-{TRACE}-00f067aa0ba902b7-001"),
        ] {
            assert_eq!(traced(parent.as_bytes()), None, "{parent}");
        }
    }

    #[test]
    fn a_uuid_of_the_client_or_a_proxy_names_the_request_unless_there_is_a_trace() {
        let ids = RequestIds::new(&Random::seeded(1));
        let id = |given: &[&str], trace: Option<&str>| {
            let mut headers = HeaderMap::new();
            for given in given {
                headers.append(X_REQUEST_ID, HeaderValue::from_str(given).unwrap());
            }
            if let Some(trace) = trace {
                headers.insert(TRACEPARENT, HeaderValue::from_str(trace).unwrap());
            }
            ids.of(&headers).0.to_string()
        };
        let digits = "8e03978e40d543e8bc936894a57f9324";
        let uuid = "8e03978e-40d5-43e8-bc93-6894a57f9324";
        for given in [digits, uuid, &uuid.to_uppercase()] {
            assert_eq!(id(&[given], None), digits);
        }
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        assert_eq!(id(&[uuid], Some(&parent)), TRACE);
        assert_eq!(id(&[uuid], Some("nonsense")), digits);
        for other in [
            &["job-17"][..],
            &[""],
            &["8e03978e40d543e8bc936894a57f932"],
            &["8e03978e40d543e8bc936894a57f93245"],
            &["8e03978e-40d543e8bc936894a57f9324"],
            &["8e03978e-40d5-43e8-bc93-6894a57f932"],
            &["8e03978e-40d5-43e8-bc936-894a57f9324"],
            &["00000000-0000-0000-0000-000000000000"],
            &["8e03978e40d543e8bc936894a57f932g"],
            &[uuid, uuid],
        ] {
            let own = id(other, None);
            assert_ne!(own, id(other, None), "{other:?}");
            assert_ne!(own, digits, "{other:?}");
        }
    }

    #[test]
    fn requests_without_a_trace_have_ids_of_their_own_in_the_same_form() {
        let ids = RequestIds::new(&Random::seeded(1));
        let drawn: HashSet<String> =
            (0..1_000).map(|_| ids.of(&HeaderMap::new()).0.to_string()).collect();
        assert_eq!(drawn.len(), 1_000);
        for id in drawn {
            assert_eq!(number(id.as_bytes(), 32).map(RequestId).unwrap().header().unwrap(), id);
        }
    }
}
