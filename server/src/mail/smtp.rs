//! Connection to the SMTP server.

use std::{fmt, str::FromStr, time::Duration};

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    transport::smtp::{
        Error,
        authentication::Credentials,
        client::{Tls, TlsParameters},
        extension::ClientId,
    },
};
use url::{Host, Url};

/// Maximum wait for each response of the server.
const TIMEOUT: Duration = Duration::from_secs(30);

const FORM: &str = "write it as smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST, with special characters \
    encoded as in any URL, such as %40 for @";

const PARAMETERS: &str = "the only parameters are ?tls=required and ?tls=none, after smtp://";

/// Encryption of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encryption {
    /// From the start.
    Tls,
    /// After the command STARTTLS. Without it, nothing is sent.
    StartTls,
    None,
}

/// SMTP server, from `--smtp-url`. It may contain a password, so only the host is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpUrl {
    encryption: Encryption,
    host: String,
    port: u16,
    /// User and password.
    credentials: Option<(String, String)>,
}

impl FromStr for SmtpUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(text).map_err(|_| FORM)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(FORM)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let encryption = match (url.scheme(), url.query()) {
            ("smtps", None) => Encryption::Tls,
            ("smtp", None) if is_this_machine(&host) => Encryption::None,
            ("smtp", None | Some("tls=required")) => Encryption::StartTls,
            ("smtp", Some("tls=none")) => Encryption::None,
            ("smtp" | "smtps", Some(_)) => return Err(PARAMETERS),
            _ => return Err(FORM),
        };
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(FORM);
        }
        let decoded = |text: &str| {
            let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
            decoded.map(|text| text.into_owned()).map_err(|_| FORM)
        };
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            (user, Some(password)) => Some((decoded(user)?, decoded(password)?)),
            (_, None) => return Err(FORM),
        };
        if credentials.is_some() && encryption == Encryption::None && !is_this_machine(&host) {
            return Err(
                "a password is only sent encrypted: leave out ?tls=none, or the user and the password",
            );
        }
        let port = url.port().unwrap_or(match encryption {
            Encryption::Tls => 465,
            Encryption::StartTls => 587,
            Encryption::None => 25,
        });
        Ok(Self { encryption, host, port, credentials })
    }
}

/// Whether connections to the host stay on this machine.
fn is_this_machine(host: &str) -> bool {
    match Host::parse(host).or_else(|_| Host::parse(&format!("[{host}]"))) {
        Ok(Host::Ipv4(address)) => address.is_loopback(),
        Ok(Host::Ipv6(address)) => address.is_loopback(),
        Ok(Host::Domain(name)) => name == "localhost",
        Err(_) => false,
    }
}

impl fmt::Display for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpUrl({self}, …)")
    }
}

/// Reason why a mail may not have arrived.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) reason: String,
    /// Whether the server may have accepted the mail.
    pub(super) may_have_arrived: bool,
}

impl SmtpUrl {
    /// Sends a mail. Tries the connection first: if that fails, the server has no mail.
    pub(super) async fn send(&self, message: Message) -> Result<(), Failure> {
        let unsent = |error: Error| Failure { reason: error.to_string(), may_have_arrived: false };
        let transport = self.transport().map_err(unsent)?;
        if !transport.test_connection().await.map_err(unsent)? {
            let reason = "the server closed the connection".to_owned();
            return Err(Failure { reason, may_have_arrived: false });
        }
        let sent = transport.send(message).await.map_err(|error| Failure {
            reason: error.to_string(),
            // A negative response is the only proof that the server has refused the mail.
            may_have_arrived: error.status().is_none(),
        });
        sent.map(|_| ())
    }

    fn transport(&self) -> Result<AsyncSmtpTransport<Tokio1Executor>, Error> {
        let parameters = || TlsParameters::new(self.host.clone());
        let tls = match self.encryption {
            Encryption::Tls => Tls::Wrapper(parameters()?),
            Encryption::StartTls => Tls::Required(parameters()?),
            Encryption::None => Tls::None,
        };
        let transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&self.host)
            .port(self.port)
            .tls(tls)
            .hello_name(own_name())
            .timeout(Some(TIMEOUT));
        let credentials = self.credentials.clone();
        let credentials = credentials.map(|(user, password)| Credentials::new(user, password));
        Ok(match credentials {
            Some(credentials) => transport.credentials(credentials).build(),
            None => transport.build(),
        })
    }
}

/// Name by which this machine introduces itself.
fn own_name() -> ClientId {
    let machine = rustix::system::uname();
    let name = machine.nodename().to_string_lossy();
    let is_host = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
    };
    if is_host(&name) { ClientId::Domain(name.into_owned()) } else { ClientId::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_encrypted_unless_it_says_otherwise() {
        for (url, encryption, shown) in [
            ("smtps://u:p@mail.example.org", Encryption::Tls, "mail.example.org:465"),
            ("smtp://u:p@mail.example.org", Encryption::StartTls, "mail.example.org:587"),
            ("smtp://mail.example.org:2525/", Encryption::StartTls, "mail.example.org:2525"),
            ("smtp://localhost:587?tls=required", Encryption::StartTls, "localhost:587"),
            ("smtp://mailpit:1025?tls=none", Encryption::None, "mailpit:1025"),
            ("smtp://localhost", Encryption::None, "localhost:25"),
            ("smtp://u:p@127.0.0.1:1025", Encryption::None, "127.0.0.1:1025"),
            ("smtp://[::1]:25", Encryption::None, "::1:25"),
        ] {
            let parsed: SmtpUrl = url.parse().unwrap();
            assert_eq!((parsed.encryption, &*parsed.to_string()), (encryption, shown), "{url}");
        }
    }

    #[test]
    fn users_and_passwords_are_decoded_and_never_shown() {
        let url: SmtpUrl = "smtps://ada%40example.org:p%2Fq@mail.example.org".parse().unwrap();
        assert_eq!(url.credentials, Some(("ada@example.org".to_owned(), "p/q".to_owned())));
        assert_eq!(format!("{url:?}"), "SmtpUrl(mail.example.org:465, …)");
    }

    #[test]
    fn other_urls_are_refused() {
        for url in [
            "",
            "mail.example.org",
            "https://mail.example.org",
            "smtp:mail.example.org",
            "smtps://",
            "smtps://mail.example.org/inbox",
            "smtps://mail.example.org?tls=none",
            "smtp://mail.example.org?tls=opportunistic",
            "smtps://user@mail.example.org",
            "smtp://u:p@mail.example.org?tls=none",
        ] {
            assert!(url.parse::<SmtpUrl>().is_err(), "{url}");
        }
    }
}
