use std::time::Duration;

use domain::tier::Tier;

use super::WINDOW;

/// Maximum number of requests of a client per [`WINDOW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Name in the headers: printable ASCII without quotes and backslashes.
    pub name: &'static str,
    /// Maximum number; `None` means no limit.
    pub requests: Option<u32>,
}

impl Quota {
    /// Quota of clients without a key.
    pub const PUBLIC: Quota = Quota { name: "public", requests: Some(60) };
    pub const PARTNER: Quota = Quota { name: "partner", requests: Some(1_000) };
    pub const ENTERPRISE: Quota = Quota { name: "enterprise", requests: None };
    /// Quota of a sandbox, as large as that of a partner.
    pub const TEST: Quota = Quota { name: "test", ..Self::PARTNER };
    /// Quota of the operator's own tools.
    pub const OPERATOR: Quota = Quota { name: "operator", requests: None };

    /// Quota of a key.
    pub const fn of(tier: Tier) -> &'static Self {
        match tier {
            Tier::Partner => &Self::PARTNER,
            Tier::Enterprise => &Self::ENTERPRISE,
            Tier::Test => &Self::TEST,
            Tier::Operator => &Self::OPERATOR,
        }
    }
}

/// Whether a request may be served, and the remaining quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Quota that the request counts against.
    pub quota: Quota,
    pub accepted: bool,
    /// Number of further requests that would be accepted now; `u32::MAX` if there is no limit.
    pub remaining: u32,
    /// Time until the oldest counted request leaves the window, zero if none is counted. After a rejection, the next
    /// request is accepted then, unless another one comes before it.
    pub reset: Duration,
}

/// Decision of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) accepted: bool,
    pub(super) remaining: u32,
    pub(super) reset: Duration,
}

impl Verdict {
    pub(super) const UNLIMITED: Verdict =
        Verdict { accepted: true, remaining: u32::MAX, reset: Duration::ZERO };
}

impl Decision {
    pub(super) fn new(quota: Quota, verdict: Verdict) -> Self {
        let Verdict { accepted, remaining, reset } = verdict;
        Self { quota, accepted, remaining, reset }
    }

    /// Returns [`Decision::reset`] in seconds, rounded up.
    pub fn reset_seconds(&self) -> u64 {
        let seconds = self.reset.as_secs() + u64::from(self.reset.subsec_nanos() > 0);
        // The log rounds an instant up by less than a millisecond, which can add a 61st second. A rejected client
        // gets that second, since otherwise its retry would be rejected again.
        if self.accepted { seconds.min(WINDOW.as_secs()) } else { seconds }
    }
}
