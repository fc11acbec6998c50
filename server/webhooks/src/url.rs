//! Validated URL of a webhook. It is parsed by the WHATWG URL standard, like the URL that the client connects to:
//! there, `0x7f.1`, `017700000001` and full-width digits are all 127.0.0.1.

use std::fmt;

use rustls::pki_types::DnsName;
use url::{Host, Url};

use super::{
    policy::Reason,
    resolver::{LookupError, Resolver},
};
use crate::targets::WebhookTargets;

const MAX_CHARACTERS: usize = 2_048;

/// Suffixes of local names: of RFC 6761, 6762 and 8375, ICANN's `internal`, and unregistered ones that routers and
/// companies use.
const LOCAL_NAMES: [&str; 10] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
];

/// Absolute URL that webhooks may go to, in normal form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WebhookUrl(Url);

/// Host of a stored URL, with its port if that is not the default; empty if it has none. The only part of a URL that
/// may be logged: its path may be secret.
pub fn host(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Reason for which a URL is rejected, as a sentence with advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is not a valid webhook URL: `INVALID_URL`.
    #[error("{0}")]
    Invalid(String),
    /// The URL leads to a place that is not allowed: `URL_NOT_ALLOWED`.
    #[error("{0}")]
    NotAllowed(String),
}

impl WebhookUrl {
    /// Validates a URL without resolving its host. A name may still resolve to an address that is not allowed, see
    /// [`WebhookUrl::check_reachable`].
    pub fn parse(text: &str, allowed: &WebhookTargets) -> Result<Self, Refusal> {
        check_length(text)?;
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(invalid(
                "The URL has a blank, a line break, a control character or a backslash: remove \
                 it, or write it percent-encoded.",
            ));
        }
        let url = Url::parse(text).map_err(|error| {
            invalid(format!("The URL does not parse ({error}): write it as https://host/path."))
        })?;
        match url.scheme() {
            "https" => {}
            "http" if allowed.allow_http => {}
            "http" => return Err(not_allowed("The URL's scheme is http: use https.")),
            _ => return Err(invalid("The URL's scheme is neither https nor http: use https.")),
        }
        check_authority(text.get(url.scheme().len()..).unwrap_or_default())?;
        if url.fragment().is_some() {
            return Err(invalid("The URL has a fragment, which is never sent: remove the # part."));
        }
        if url.port() == Some(0) {
            return Err(invalid("The URL's port is 0, which nothing listens on: give another."));
        }
        // Percent-encoding and Punycode make the URL longer.
        check_length(url.as_str())?;
        check_host(&url, allowed)?;
        Ok(Self(url))
    }

    /// Normal form, which is the one that is used: `HTTPS://Example.ORG` is `https://example.org/`.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Host in normal form: a name in lower case and Punycode, or an address (IPv6 in brackets).
    pub fn host(&self) -> &str {
        // Never missing: `parse` accepts only https and http, which require a host.
        self.0.host_str().unwrap_or_default()
    }

    pub(super) fn as_url(&self) -> &Url {
        &self.0
    }

    /// Looks up the host, and rejects it if any of its addresses is not allowed. The addresses may change later: the
    /// client checks them again when it connects.
    pub async fn check_reachable(
        &self,
        resolver: &Resolver,
        allowed: &WebhookTargets,
    ) -> Result<(), Refusal> {
        check_host(&self.0, allowed)?;
        let Some(Host::Domain(host)) = self.0.host() else {
            return Ok(());
        };
        match resolver.vetted(host, allowed).await {
            Ok(_) => Ok(()),
            Err(LookupError::NotFound(why)) => Err(invalid(format!(
                "The host {host} does not resolve ({why}): check its spelling, or try again when \
                 its DNS record is there."
            ))),
            Err(LookupError::Unanswered(why)) => Err(invalid(format!(
                "The host {host} cannot be looked up now ({why}): try again later."
            ))),
            Err(LookupError::NotAllowed(reason)) => {
                let instead = match reason {
                    Reason::Special(_) => "one whose addresses are all public",
                    Reason::Denied => "another",
                };
                Err(not_allowed(format!("The host {host} resolves to {reason}: use {instead}.")))
            }
        }
    }
}

impl fmt::Display for WebhookUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for WebhookUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "WebhookUrl({:?})", self.as_str())
    }
}

fn invalid(detail: impl Into<String>) -> Refusal {
    Refusal::Invalid(detail.into())
}

fn not_allowed(detail: impl Into<String>) -> Refusal {
    Refusal::NotAllowed(detail.into())
}

fn check_length(text: &str) -> Result<(), Refusal> {
    if text.chars().nth(MAX_CHARACTERS).is_some() {
        return Err(invalid("The URL has more than 2,048 characters: shorten it."));
    }
    Ok(())
}

/// Checks the text after the scheme as it was written: the parser turns `https:host` and `https:///host` into
/// `https://host`, and drops an empty user.
fn check_authority(after_scheme: &str) -> Result<(), Refusal> {
    let rest = after_scheme.strip_prefix("://").filter(|rest| !rest.starts_with('/'));
    let Some(rest) = rest else {
        return Err(invalid("The URL needs two slashes, then the host: write https://host/path."));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err(invalid(
            "The URL has a user name or a password: remove the part before the @, and verify the signature to \
                authenticate the sender.",
        ));
    }
    Ok(())
}

fn check_host(url: &Url, allowed: &WebhookTargets) -> Result<(), Refusal> {
    let ip = match url.host() {
        Some(Host::Domain(name)) => return check_name(name, allowed),
        Some(Host::Ipv4(ip)) => ip.into(),
        Some(Host::Ipv6(ip)) => ip.into(),
        None => return Err(invalid("The URL has no host: write it as https://host/path.")),
    };
    let Some(reason) = allowed.addresses.refusal(ip) else { return Ok(()) };
    let instead = match reason {
        Reason::Special(_) => "one with a public address",
        Reason::Denied => "another",
    };
    Err(not_allowed(format!("The URL's host is {ip}, {reason}: use {instead}.")))
}

fn check_name(name: &str, allowed: &WebhookTargets) -> Result<(), Refusal> {
    // A name that cannot have a TLS certificate is invalid.
    if DnsName::try_from(name).is_err() {
        return Err(invalid(format!(
            "The URL's host {name:?} is not a name in DNS: check its spelling."
        )));
    }
    if allowed.addresses.allows_local_names() {
        return Ok(());
    }
    let bare = name.strip_suffix('.').unwrap_or(name);
    let local = LOCAL_NAMES.iter().any(|ending| {
        bare.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    if local || !bare.contains('.') {
        return Err(not_allowed(format!(
            "The URL's host {name} is a name of a local network: use a public host name."
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
