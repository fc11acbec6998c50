//! Problems of requests that are not admitted.

use limits::{Client, Decision};

use crate::problem::Problem;

/// Detail of the problem of a request for real data with a key of a sandbox.
pub(super) const ONLY_SANDBOX: &str = "Keys of the tier test neither see nor change real data: leave the key out, or use a key of the \
    tier partner.";

/// Problem of a well-formed key that is not valid.
pub(crate) fn unknown_key() -> Problem {
    Problem::unauthenticated(
        "The key is unknown, revoked or expired. Request a new one from the operator, or send none.",
    )
}

/// Detail of the problem of a client with this many open streams.
pub(super) fn too_many_streams(client: Client, most: u32) -> String {
    let whose = match client {
        Client::Key(_) => "with this key",
        Client::Network(_) => "from this address",
    };
    format!("{most} streams are open {whose}: close one, or share one between pages.")
}

/// Problem of a client whose quota is used up.
pub(super) fn used_up(client: Client, decision: &Decision) -> Problem {
    let requests = decision.quota.requests.unwrap_or(u32::MAX);
    let detail = match client {
        Client::Key(_) => format!(
            "The key's quota of {requests} requests a minute is used up. Wait for the time in Retry-After."
        ),
        Client::Network(_) => format!(
            "The quota of {requests} requests a minute is used up. Wait for the time in Retry-After; a key has a \
                higher quota."
        ),
    };
    Problem::rate_limited(detail, decision.reset).of_quota(decision.quota.name)
}
