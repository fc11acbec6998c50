//! Parsers for `X-Forwarded-…` and `Forwarded` (RFC 7239), one header line at a time, rightmost entry first. An
//! address of `None` is missing or malformed.

use std::{
    borrow::Cow,
    mem,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use http::HeaderName;

/// Values that a proxy adds to a forwarded request, unvalidated.
#[derive(Default)]
pub(super) struct Hop<'a> {
    /// Address of the proxy's caller.
    pub(super) address: Option<IpAddr>,
    pub(super) proto: Option<Cow<'a, [u8]>>,
    pub(super) host: Option<Cow<'a, [u8]>>,
}

/// Entries of a line of `X-Forwarded-Proto` or `X-Forwarded-Host`.
pub(super) fn entries(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    listed(line.rsplit(|byte| *byte == b','))
}

pub(super) static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Hops of a line of `X-Forwarded-For`: `1.2.3.4`, `2001:db8::1` or `[2001:db8::1]`, the first and the last
/// optionally with a port.
pub(super) fn x_forwarded_for(line: &[u8]) -> impl Iterator<Item = Option<IpAddr>> {
    entries(line).map(|element| {
        let text = str::from_utf8(element).ok()?;
        match text.parse::<Ipv6Addr>() {
            Ok(bare) => Some(IpAddr::V6(bare).to_canonical()),
            Err(_) => node(text, is_port),
        }
    })
}

/// Hops of a line of `Forwarded`: its elements.
pub(super) fn forwarded(line: &[u8]) -> impl Iterator<Item = Hop<'_>> {
    // Quotes can only be matched from the left. A client gains nothing by leaving a quote open in front of a proxy's
    // element: the proxy's own quotes come in pairs, so the last element stays open, and a hop that ends in an open
    // quote is ignored.
    let elements: Vec<&[u8]> = listed(split(line, b',')).collect();
    elements.into_iter().rev().map(|element| hop(element).unwrap_or_default())
}

/// Trims the elements of a list and skips empty ones (RFC 9110, 5.6.1).
fn listed<'a>(elements: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = &'a [u8]> {
    elements.map(<[u8]>::trim_ascii).filter(|element| !element.is_empty())
}

/// Splits at separators outside quotes.
fn split(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |byte| {
        if mem::take(&mut escaped) {
            return false;
        }
        match byte {
            b'"' => quoted = !quoted,
            b'\\' => escaped = quoted,
            _ => {}
        }
        *byte == separator && !quoted
    })
}

/// Parses an element such as `for=192.0.2.1;proto=https`. `None` if it is malformed or repeats a parameter.
fn hop(element: &[u8]) -> Option<Hop<'_>> {
    let (mut node_name, mut proto, mut host) = (None, None, None);
    for pair in listed(split(element, b';')) {
        let equals = pair.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (&pair[..equals], unquote(&pair[equals + 1..])?);
        if !is_token(name) {
            return None;
        }
        let known = match name.to_ascii_lowercase().as_slice() {
            b"for" => &mut node_name,
            b"proto" => &mut proto,
            b"host" => &mut host,
            _ => continue,
        };
        if known.replace(value).is_some() {
            return None;
        }
    }
    let is_port = |port: &str| is_port(port) || is_obfuscated_port(port);
    let address = node_name.and_then(|name| node(str::from_utf8(&name).ok()?, is_port));
    Some(Hop { address, proto, host })
}

/// Returns a token unchanged, and a quoted string without its quotes and escapes.
fn unquote(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let [b'"', quoted @ .., b'"'] = value else {
        return is_token(value).then_some(Cow::Borrowed(value));
    };
    if !quoted.iter().any(|byte| matches!(byte, b'"' | b'\\')) {
        return Some(Cow::Borrowed(quoted));
    }
    let mut plain = Vec::with_capacity(quoted.len());
    let mut bytes = quoted.iter().copied();
    while let Some(byte) = bytes.next() {
        plain.push(match byte {
            b'"' => return None,
            b'\\' => bytes.next()?,
            byte => byte,
        });
    }
    Some(Cow::Owned(plain))
}

/// Parses `192.0.2.1` or `[2001:db8::1]`, optionally with a port after a colon. Anything else is not an address:
/// `unknown`, `_hidden`, zone ids, octal and hexadecimal numbers.
fn node(text: &str, is_port: impl Fn(&str) -> bool) -> Option<IpAddr> {
    let (address, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            (IpAddr::V6(address.parse().ok()?), port)
        }
        None => {
            let (address, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            (IpAddr::V4(address.parse::<Ipv4Addr>().ok()?), port)
        }
    };
    let well_formed = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    well_formed.then(|| address.to_canonical())
}

pub(super) fn is_port(text: &str) -> bool {
    text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

fn is_obfuscated_port(text: &str) -> bool {
    let name = text.strip_prefix('_').unwrap_or_default();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !name.is_empty() && name.bytes().all(allowed)
}

/// Whether the text is a token (RFC 9110, 5.6.2).
fn is_token(text: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !text.is_empty() && text.iter().all(allowed)
}
