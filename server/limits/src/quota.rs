use std::time::Duration;

use domain::tier::Tier;

use super::WINDOW;

/// How many requests a client may make in a [`WINDOW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Name in the headers: printable ASCII without quotes and backslashes.
    pub name: &'static str,
    /// `None` is no limit.
    pub requests: Option<u32>,
}

impl Quota {
    /// Who has no key.
    pub const PUBLIC: Quota = Quota { name: "public", requests: Some(60) };
    pub const PARTNER: Quota = Quota { name: "partner", requests: Some(1_000) };
    pub const ENTERPRISE: Quota = Quota { name: "enterprise", requests: None };
    /// The operator's own tools.
    pub const OPERATOR: Quota = Quota { name: "operator", requests: None };

    /// The quota of a key.
    pub const fn of(tier: Tier) -> &'static Self {
        match tier {
            Tier::Partner => &Self::PARTNER,
            Tier::Enterprise => &Self::ENTERPRISE,
            Tier::Operator => &Self::OPERATOR,
        }
    }
}

/// Whether a request may be served, and what is left of its quota after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What the request was counted against.
    pub quota: Quota,
    pub accepted: bool,
    /// How many more would be accepted now; `u32::MAX` if there is no limit.
    pub remaining: u32,
    /// How long until the oldest counted request leaves the window, zero if none is counted. If
    /// this one was refused, the next is accepted then, unless another one comes before it.
    pub reset: Duration,
}

/// A decision as a backend takes it.
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

    /// [`Decision::reset`] in whole seconds, never too few of them.
    pub(super) fn reset_seconds(&self) -> u64 {
        let seconds = self.reset.as_secs() + u64::from(self.reset.subsec_nanos() > 0);
        // The log rounds an instant up by less than a millisecond, which would be a 61st second.
        // A refused client is told it, because it is turned away once more before.
        if self.accepted { seconds.min(WINDOW.as_secs()) } else { seconds }
    }
}
