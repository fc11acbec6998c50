use std::net::IpAddr;

use http::{HeaderMap, HeaderName, HeaderValue, header, uri::Scheme};

use super::{
    TrustedProxies,
    forwarded::{self, Hop, X_FORWARDED_FOR},
};

static X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
static X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Origin that the client requested from the outermost trusted proxy, as reported by the proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardedOrigin {
    /// Either `http` or `https`.
    pub scheme: Option<Scheme>,
    /// Host in lower case, optionally with a port.
    pub host: Option<String>,
}

/// Reads `X-Forwarded-Proto`, `X-Forwarded-Host`, and `proto` and `host` of `Forwarded` (RFC 7239). Like
/// [`client_ip`](fn@super::client_ip), it trusts only trusted proxies, and reads from the right as many entries as there
/// are trusted proxies in a row. Entries further left may come from the client.
///
/// Malformed values are ignored, and so are two headers that disagree.
pub fn forwarded_origin(
    peer: IpAddr,
    headers: &HeaderMap,
    trusted: &TrustedProxies,
) -> ForwardedOrigin {
    if !trusted.contains(peer) {
        return ForwardedOrigin::default();
    }
    let lines = |name| headers.get_all(name).iter().rev().map(HeaderValue::as_bytes);
    let is_proxy = |address: Option<IpAddr>| address.is_some_and(|one| trusted.contains(one));

    // Each proxy appends its caller, so the first address that is not a proxy ends the row.
    let addresses = lines(&X_FORWARDED_FOR).flat_map(forwarded::x_forwarded_for);
    let proxies = 1 + addresses.take_while(|address| is_proxy(*address)).count();
    let entries = |name| lines(name).flat_map(forwarded::entries).take(proxies);
    let x_forwarded = ForwardedOrigin {
        scheme: entries(&X_FORWARDED_PROTO).filter_map(scheme).last(),
        host: entries(&X_FORWARDED_HOST).filter_map(host).last(),
    };

    let mut forwarded = ForwardedOrigin::default();
    for Hop { address, proto, host: named } in
        lines(&header::FORWARDED).flat_map(forwarded::forwarded)
    {
        forwarded.scheme = proto.as_deref().and_then(scheme).or(forwarded.scheme);
        forwarded.host = named.as_deref().and_then(host).or(forwarded.host);
        if !is_proxy(address) {
            break;
        }
    }
    ForwardedOrigin {
        scheme: agreed(x_forwarded.scheme, forwarded.scheme),
        host: agreed(x_forwarded.host, forwarded.host),
    }
}

/// Returns the value unless two headers disagree. A proxy forwards the header that it does not write itself, so one
/// of them may come from the client.
fn agreed<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => one.or(other),
    }
}

fn scheme(text: &[u8]) -> Option<Scheme> {
    match text {
        _ if text.eq_ignore_ascii_case(b"https") => Some(Scheme::HTTPS),
        _ if text.eq_ignore_ascii_case(b"http") => Some(Scheme::HTTP),
        _ => None,
    }
}

/// Parses a host with an optional port, in lower case. Rejects characters with a meaning in URLs or HTML.
pub fn host(text: &[u8]) -> Option<String> {
    const LONGEST: usize = 255;
    let text = str::from_utf8(text).ok()?;
    let (name, port) = match text.rfind(':').filter(|_| !text.ends_with(']')) {
        Some(colon) => (&text[..colon], Some(&text[colon + 1..])),
        None => (text, None),
    };
    let is_name = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            !name.is_empty() && name.bytes().all(allowed)
        }
    };
    let is_whole = text.len() <= LONGEST && port.is_none_or(forwarded::is_port);
    (is_name && is_whole).then(|| text.to_ascii_lowercase())
}
