//! Reasons for a missing response, and whose fault it is, worded for a log that partners may see. The library's own
//! messages are unsuitable: they contain the URL, whose path may be a secret, but not the cause.

use std::{error::Error, io, time::Duration};

use base::causes::causes;
use rustix::io::Errno;
use rustls::CertificateError;

use super::{Timeouts, connector::TooLong};
use crate::resolver::LookupError;

const MAX_CHARACTERS: usize = 200;

const NO_MEMORY: &str = "this service is out of memory";

const TOO_LONG: &str = "the head of the response is too long";

const CLOSED: &str = "the connection was closed without a response";

/// Reason for a missing response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) words: String,
    /// Whether the fault is this service's, or its machine's or network's, and not the receiver's.
    pub(super) is_ours: bool,
    /// Condition under which the fault is the receiver's after all.
    pub(super) unless: Option<Unless>,
}

/// Conditions under which a fault that looks like the service's own is the receiver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unless {
    /// Other names can be looked up.
    OthersResolve,
    /// The host has only IPv6 addresses, and this machine has only IPv4.
    OnlyIpv6,
}

impl Fault {
    pub(super) fn ours(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_ours: true, unless: None }
    }

    fn ours_unless(unless: Unless, words: impl Into<String>) -> Self {
        Self { unless: Some(unless), ..Self::ours(words) }
    }

    pub(super) fn theirs(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_ours: false, unless: None }
    }
}

/// Fault of a failed request.
pub(super) fn describe(error: &(dyn Error + 'static), timeouts: Timeouts) -> Fault {
    let no_connection =
        || Fault::theirs(format!("no connection within {}", shown(timeouts.connect)));
    let known = causes(error).find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<LookupError>() {
            Some(match error.is_ours() {
                true => Fault::ours_unless(Unless::OthersResolve, error.to_string()),
                false => Fault::theirs(error.to_string()),
            })
        } else if cause.is::<TooLong>() {
            Some(Fault::theirs(TOO_LONG))
        } else if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            Some(Fault::theirs(format!("TLS: {}", tls(error))))
        } else if let Some(error) = cause.downcast_ref::<hyper::Error>() {
            http(error).map(Fault::theirs)
        } else {
            let error = cause.downcast_ref::<io::Error>()?;
            match error.kind() {
                io::ErrorKind::TimedOut => Some(no_connection()),
                _ => network(error),
            }
        }
    });
    known.unwrap_or_else(|| {
        // The innermost cause: outer errors describe the operation, not the problem.
        let cause = causes(error).last().map(ToString::to_string).unwrap_or_default();
        Fault::theirs(format!("the request failed ({cause})"))
    })
}

/// Fault of a request that timed out.
pub(super) fn no_answer(timeouts: Timeouts) -> Fault {
    Fault::theirs(format!("no response within {}", shown(timeouts.answer)))
}

/// Text, truncated if it is too long.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().nth(MAX_CHARACTERS).is_none() {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARACTERS - 1).chain(['…']).collect()
}

fn tls(error: &rustls::Error) -> String {
    use rustls::Error::{AlertReceived, InvalidCertificate, InvalidMessage, PeerIncompatible};
    match error {
        InvalidCertificate(error) => {
            format!("the certificate is not trusted ({})", certificate(error))
        }
        InvalidMessage(_) => "the server does not speak it".to_owned(),
        PeerIncompatible(_) => "the receiver offers no version or cipher of today".to_owned(),
        AlertReceived(alert) => format!("the receiver broke off with the alert {alert:?}"),
        error => error.to_string(),
    }
}

fn certificate(error: &CertificateError) -> String {
    use CertificateError::{
        BadEncoding, BadSignature, Expired, ExpiredContext, NotValidForName,
        NotValidForNameContext, NotValidYet, NotValidYetContext, Revoked, UnknownIssuer,
    };
    match error {
        Expired | ExpiredContext { .. } => "it has expired".to_owned(),
        NotValidYet | NotValidYetContext { .. } => "it is not valid yet".to_owned(),
        NotValidForName | NotValidForNameContext { .. } => "it is for another name".to_owned(),
        UnknownIssuer => "its issuer is not known".to_owned(),
        BadSignature => "its signature is wrong".to_owned(),
        Revoked => "it was revoked".to_owned(),
        BadEncoding => "it cannot be read".to_owned(),
        error => error.to_string(),
    }
}

fn http(error: &hyper::Error) -> Option<&'static str> {
    if error.is_parse_too_large() {
        Some(TOO_LONG)
    } else if error.is_parse() {
        Some("not HTTP/1.1")
    } else if error.is_incomplete_message() {
        Some(CLOSED)
    } else {
        None
    }
}

fn network(error: &io::Error) -> Option<Fault> {
    use io::ErrorKind::{
        AddrNotAvailable, BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset,
        HostUnreachable, NetworkDown, NetworkUnreachable, NotConnected, OutOfMemory, UnexpectedEof,
    };
    match error.kind() {
        ConnectionRefused => Some(Fault::theirs("connection refused")),
        HostUnreachable => Some(Fault::theirs("the host cannot be reached")),
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof => {
            Some(Fault::theirs(CLOSED))
        }
        NetworkUnreachable => {
            Some(Fault::ours_unless(Unless::OnlyIpv6, "the network cannot be reached"))
        }
        NetworkDown => Some(Fault::ours("the network is down")),
        AddrNotAvailable => Some(Fault::ours("this service has no free address to send from")),
        OutOfMemory => Some(Fault::ours(NO_MEMORY)),
        _ => exhausted(error.raw_os_error()?).map(Fault::ours),
    }
}

/// Resource that this machine has run out of, by the system's error number: `io::ErrorKind` has no variant for it.
fn exhausted(code: i32) -> Option<&'static str> {
    match Errno::from_raw_os_error(code) {
        Errno::MFILE | Errno::NFILE => Some("this service has no free file descriptor"),
        Errno::NOBUFS => Some(NO_MEMORY),
        _ => None,
    }
}

fn shown(timeouts: Duration) -> String {
    match timeouts.subsec_millis() {
        0 => format!("{} s", timeouts.as_secs()),
        _ => format!("{} ms", timeouts.as_millis()),
    }
}

#[cfg(test)]
mod tests {
    use http::Uri;
    use http_body_util::Empty;
    use hyper_util::{
        client::legacy::{Client, connect::HttpConnector},
        rt::TokioExecutor,
    };
    use tower::service_fn;

    use super::*;

    type Maker = fn() -> io::Error;

    /// Fault of a connection that fails with this system error.
    async fn fault_of(error: Maker) -> Fault {
        let failing = HttpConnector::new_with_resolver(service_fn(move |_| async move {
            Err::<std::vec::IntoIter<std::net::SocketAddr>, _>(error())
        }));
        let client: Client<_, Empty<&[u8]>> = Client::builder(TokioExecutor::new()).build(failing);
        let uri = Uri::from_static("http://gone.example/t0p?t0p");
        describe(&client.get(uri).await.unwrap_err(), Timeouts::default())
    }

    fn code(errno: Errno) -> io::Error {
        io::Error::from_raw_os_error(errno.raw_os_error())
    }

    #[tokio::test]
    async fn what_the_receivers_side_causes_is_put_into_words_without_the_url() {
        let table: &[(Maker, &str)] = &[
            (|| code(Errno::CONNREFUSED), "connection refused"),
            (|| code(Errno::CONNRESET), CLOSED),
            (|| code(Errno::PIPE), CLOSED),
            (|| code(Errno::HOSTUNREACH), "the host cannot be reached"),
            (|| code(Errno::TIMEDOUT), "no connection within 5 s"),
            (|| io::ErrorKind::PermissionDenied.into(), "the request failed (permission denied)"),
        ];
        for (error, words) in table {
            assert_eq!(fault_of(*error).await, Fault::theirs(*words));
        }
    }

    #[tokio::test]
    async fn what_this_machine_or_its_network_lacks_is_no_fault_of_the_receiver() {
        let table: &[(Maker, &str)] = &[
            (|| code(Errno::NETDOWN), "the network is down"),
            (|| code(Errno::ADDRNOTAVAIL), "this service has no free address to send from"),
            (|| code(Errno::MFILE), "this service has no free file descriptor"),
            (|| code(Errno::NFILE), "this service has no free file descriptor"),
            (|| code(Errno::NOMEM), NO_MEMORY),
            (|| code(Errno::NOBUFS), NO_MEMORY),
        ];
        for (error, words) in table {
            assert_eq!(fault_of(*error).await, Fault::ours(*words));
        }
    }

    #[tokio::test]
    async fn a_network_that_cannot_be_reached_is_a_fault_of_ours_unless_only_ipv6_is_missing() {
        let unreachable = fault_of(|| code(Errno::NETUNREACH)).await;
        let words = "the network cannot be reached";
        assert_eq!(unreachable, Fault::ours_unless(Unless::OnlyIpv6, words));
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        let (fits, long) = ("ä".repeat(200), "ä".repeat(201));
        assert_eq!(shortened(&fits), fits);
        assert_eq!(shortened(&long), format!("{}…", "ä".repeat(199)));
    }

    #[test]
    fn patience_is_shown_in_the_unit_that_fits() {
        assert_eq!(no_answer(Timeouts::default()), Fault::theirs("no response within 15 s"));
        let answer = Duration::from_millis(250);
        let timeouts = Timeouts { answer, ..Timeouts::default() };
        assert_eq!(no_answer(timeouts), Fault::theirs("no response within 250 ms"));
    }
}
