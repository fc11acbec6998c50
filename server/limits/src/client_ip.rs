use std::net::IpAddr;

use http::{HeaderMap, HeaderValue, header};

use super::{
    TrustedProxies,
    forwarded::{self, X_FORWARDED_FOR},
};

/// Client address of a request: the socket's peer or, if that is a trusted proxy, the address from `X-Forwarded-For`
/// or `Forwarded`. Never IPv4-mapped.
///
/// Proxies append the address of their caller. So only the right end of a header comes from a proxy; the left end can
/// be anything that the client sent. The function therefore walks from the right, past trusted addresses, to the
/// first untrusted one: the client. If it meets something that is not an address, it stops, and the client is the
/// last address before that.
///
/// If both headers are present and give different clients, neither is trusted: a proxy forwards the header that it
/// does not write itself, so one of them may come from the client.
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

/// Whether a trusted proxy sent both headers, and they name different clients.
pub(super) fn contradict(peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> bool {
    matches!(named(peer, headers, trusted), (Some(one), Some(other)) if one != other)
}

/// Clients according to `X-Forwarded-For` and `Forwarded`.
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
