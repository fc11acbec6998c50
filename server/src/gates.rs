//! The [gates](edge::gate) of this service's routes, by what their requests count against.

use edge::gate::Gate;
use limits::Quota;

/// No quota: the response is in memory, for every request.
pub(crate) const FREE: Gate = Gate::charging("free");
/// `uncached` of the visitor's network, for each response that no cache has.
pub(crate) const UNCACHED: Gate = Gate::charging("uncached");
/// The quota of the key, or `public` of the client's network without one, for each request.
pub(crate) const REQUEST: Gate = Gate::charging("request");
/// `sign-in` of the client's network, for each attempt.
pub(crate) const SIGN_IN: Gate = Gate::charging("sign-in").up_to(4 << 10);
/// `sign-in` of the client's network, for a request with a cookie of no session.
pub(crate) const SESSION: Gate = Gate::charging("session");

/// Names of the quotas whose requests over the limit are counted.
pub(crate) const QUOTAS: [&str; 4] =
    [Quota::PUBLIC.name, Quota::PARTNER.name, "uncached", "sign-in"];
