use std::net::IpAddr;

use http::{HeaderMap, HeaderValue, header};

use super::{
    TrustedProxies,
    forwarded::{self, X_FORWARDED_FOR},
};

/// The address that a request comes from: the peer of the socket or, if that is a trusted proxy,
/// who `X-Forwarded-For` or `Forwarded` says. Never IPv4-mapped.
///
/// A proxy appends its caller, so only the right end of a header is known to be a
/// proxy's word; the left end is whatever the client sent. Hence the walk goes from the right over
/// trusted addresses to the first that is not: the client. Where it meets something that is no
/// address it ends, and the client is the last address before that.
///
/// If both headers are present and give different clients, neither is believed: a proxy passes on
/// the header that it does not write itself, so one of them may be the client's own words.
pub fn client_ip(peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusted.contains(peer) {
        return peer;
    }
    match named(peer, headers, trusted) {
        (Some(one), Some(other)) if one != other => peer,
        (one, other) => one.or(other).unwrap_or(peer),
    }
}

/// Whether a trusted proxy sends both headers, and they name different clients.
pub(super) fn contradict(peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> bool {
    matches!(named(peer, headers, trusted), (Some(one), Some(other)) if one != other)
}

/// The clients that `X-Forwarded-For` and `Forwarded` name.
fn named(
    peer: IpAddr,
    headers: &HeaderMap,
    trusted: &TrustedProxies,
) -> (Option<IpAddr>, Option<IpAddr>) {
    let lines = |name| headers.get_all(name).iter().rev().map(HeaderValue::as_bytes);
    let x_forwarded_for =
        walk(lines(&X_FORWARDED_FOR).flat_map(forwarded::x_forwarded_for), peer, trusted);
    let addresses = |line| forwarded::forwarded(line).map(|hop| hop.address);
    let forwarded = walk(lines(&header::FORWARDED).flat_map(addresses), peer, trusted);
    (x_forwarded_for, forwarded)
}

/// The client according to the hops of one header, rightmost first; `None` if there are none.
fn walk(
    hops: impl Iterator<Item = Option<IpAddr>>,
    peer: IpAddr,
    trusted: &TrustedProxies,
) -> Option<IpAddr> {
    let mut client = None;
    for hop in hops {
        let Some(address) = hop else {
            return client.or(Some(peer));
        };
        client = Some(address);
        if !trusted.contains(address) {
            break;
        }
    }
    client
}

#[cfg(test)]
mod tests;
