//! Why no answer came, in words for a log that a partner may see. The library's own words are of no
//! use there: they name the URL, whose path may be a secret, and not the cause.

use std::{error::Error, io, iter, time::Duration};

use rustls::CertificateError;

use super::Patience;
use crate::webhooks::resolver::LookupError;

const MAX_CHARACTERS: usize = 200;

const CLOSED: &str = "the connection was closed before an answer";

/// What to say of a request that failed.
pub(super) fn describe(error: &reqwest::Error, patience: Patience) -> String {
    let no_connection = || format!("no connection within {}", shown(patience.connect));
    let known = causes(error).find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<LookupError>() {
            Some(error.to_string())
        } else if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            Some(format!("TLS: {}", tls(error)))
        } else if let Some(error) = cause.downcast_ref::<hyper::Error>() {
            http(error).map(str::to_owned)
        } else {
            match cause.downcast_ref::<io::Error>()?.kind() {
                io::ErrorKind::TimedOut => Some(no_connection()),
                kind => network(kind).map(str::to_owned),
            }
        }
    });
    known.unwrap_or_else(|| {
        if error.is_timeout() {
            return no_connection();
        }
        // The innermost: the outer ones name the URL.
        let cause = causes(error).last().map(ToString::to_string).unwrap_or_default();
        format!("the request failed ({cause})")
    })
}

/// What to say when time was up.
pub(super) fn no_answer(patience: Patience) -> String {
    format!("no answer within {}", shown(patience.answer))
}

/// The text, or its beginning where it is too long.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().nth(MAX_CHARACTERS).is_none() {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARACTERS - 1).chain(['…']).collect()
}

/// What is behind an error, from the outside in. An `io::Error` hides what it wraps from
/// [`Error::source`], which gives what is behind that.
fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(error.source(), |cause| {
        let cause: &'a (dyn Error + 'static) = *cause;
        match cause.downcast_ref::<io::Error>() {
            Some(error) => error.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => cause.source(),
        }
    })
}

fn tls(error: &rustls::Error) -> String {
    use rustls::Error::{AlertReceived, InvalidCertificate, InvalidMessage, PeerIncompatible};
    match error {
        InvalidCertificate(error) => {
            format!("the certificate is not trusted ({})", certificate(error))
        }
        InvalidMessage(_) => "what answers does not speak it".to_owned(),
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
        Some("the head of the answer is too long")
    } else if error.is_parse() {
        Some("not HTTP/1.1")
    } else if error.is_incomplete_message() {
        Some(CLOSED)
    } else {
        None
    }
}

fn network(kind: io::ErrorKind) -> Option<&'static str> {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable,
        NetworkUnreachable, NotConnected, UnexpectedEof,
    };
    match kind {
        ConnectionRefused => Some("connection refused"),
        HostUnreachable => Some("the host cannot be reached"),
        NetworkUnreachable => Some("the network cannot be reached"),
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof => {
            Some(CLOSED)
        }
        _ => None,
    }
}

fn shown(patience: Duration) -> String {
    match patience.subsec_millis() {
        0 => format!("{} s", patience.as_secs()),
        _ => format!("{} ms", patience.as_millis()),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::dns::{Name, Resolve, Resolving};
    use rustls::RootCertStore;

    use super::*;
    use crate::webhooks::client::trust;

    /// Fails each connection with an error of this kind.
    struct Failing(io::ErrorKind);

    impl Resolve for Failing {
        fn resolve(&self, _: Name) -> Resolving {
            let error = io::Error::from(self.0);
            Box::pin(async move { Err(error.into()) })
        }
    }

    #[tokio::test]
    async fn what_the_network_says_is_put_into_words_without_the_url() {
        use io::ErrorKind::*;
        for (kind, words) in [
            (ConnectionRefused, "connection refused"),
            (ConnectionReset, CLOSED),
            (BrokenPipe, CLOSED),
            (HostUnreachable, "the host cannot be reached"),
            (NetworkUnreachable, "the network cannot be reached"),
            (TimedOut, "no connection within 5 s"),
            (PermissionDenied, "the request failed (permission denied)"),
        ] {
            let client = reqwest::Client::builder()
                .tls_backend_preconfigured(trust::tls(RootCertStore::empty()).unwrap())
                .dns_resolver(Failing(kind))
                .build()
                .unwrap();
            let error = client.get("http://gone.example/t0p?t0p").send().await.unwrap_err();
            assert_eq!(describe(&error, Patience::default()), words);
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        let (fits, long) = ("ä".repeat(200), "ä".repeat(201));
        assert_eq!(shortened(&fits), fits);
        assert_eq!(shortened(&long), format!("{}…", "ä".repeat(199)));
    }

    #[test]
    fn patience_is_shown_in_the_unit_that_fits() {
        assert_eq!(no_answer(Patience::default()), "no answer within 15 s");
        let answer = Duration::from_millis(250);
        let patience = Patience { answer, ..Patience::default() };
        assert_eq!(no_answer(patience), "no answer within 250 ms");
    }
}
