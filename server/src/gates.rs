//! The [gates](edge::gate) of this service's routes, by the quota that their requests count against.

use edge::gate::Gate;
use limits::Quota;

use crate::intake;

/// No quota: the response is in memory, for every request.
pub(crate) const FREE: Gate = Gate::charging("free");
/// Counts responses that are in no cache against `uncached` of the visitor's network.
pub(crate) const UNCACHED: Gate = Gate::charging("uncached");
/// Counts each request against the quota of its key or, without a key, against `public` of the client's network.
pub(crate) const REQUEST: Gate = Gate::charging("request");
/// Counts each attempt against `sign-in` of the client's network.
pub(crate) const SIGN_IN: Gate = Gate::charging("sign-in").up_to(4 << 10);
/// Counts requests with the cookie of an unknown session against `sign-in` of the client's network.
pub(crate) const SESSION: Gate = Gate::charging("session");

/// Names of the quotas with a counter of refused requests.
pub(crate) const QUOTAS: [&str; 5] =
    [Quota::PUBLIC.name, Quota::PARTNER.name, "uncached", "sign-in", intake::QUOTA];
