use crate::{named::named, scope::Scope};

named! {
    /// Tier of a key, which determines its limits and rights.
    #[derive(Default, clap::ValueEnum)]
    Tier {
        /// 1,000 requests per minute, and webhooks.
        #[default]
        Partner = "partner",
        /// Unlimited requests, and webhooks.
        Enterprise = "enterprise",
        /// For programs in development: webhooks with made-up events, and no real data.
        Test = "test",
        /// For the operator's own people and tools: unlimited requests, and the rights of its scope.
        Operator = "operator",
    }
}

impl Tier {
    /// Text for people: the tier, followed by the scope of an operator's key.
    pub fn with(self, scope: Option<Scope>) -> String {
        match scope {
            Some(scope) => format!("{self} ({scope})"),
            None => self.to_string(),
        }
    }

    /// Whether the key's holder is a partner, who may own webhook subscriptions.
    pub const fn may_subscribe(self) -> bool {
        matches!(self, Tier::Partner | Tier::Enterprise | Tier::Test)
    }

    /// Whether the key belongs to a sandbox: it never sees or changes real data.
    pub const fn is_sandbox(self) -> bool {
        matches!(self, Tier::Test)
    }
}
