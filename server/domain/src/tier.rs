use crate::{named::named, scope::Scope};

named! {
    /// Tier of a key, which decides its limits and rights.
    #[derive(Default, clap::ValueEnum)]
    Tier {
        /// 1,000 requests per minute, and webhooks.
        #[default]
        Partner = "partner",
        /// Unlimited requests, and webhooks.
        Enterprise = "enterprise",
        /// For the operator's own people and tools: unlimited requests, no webhooks, and what its scope allows.
        Operator = "operator",
    }
}

impl Tier {
    /// In words: an operator's key goes with what it allows.
    pub fn with(self, scope: Option<Scope>) -> String {
        match scope {
            Some(scope) => format!("{self} ({scope})"),
            None => self.to_string(),
        }
    }

    /// Whether the key's holder may own webhook subscriptions.
    pub const fn may_subscribe(self) -> bool {
        matches!(self, Tier::Partner | Tier::Enterprise)
    }
}
