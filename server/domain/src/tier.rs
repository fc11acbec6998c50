use std::fmt;

use super::scope::Scope;

/// What a key allows.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    clap::ValueEnum,
    serde::Deserialize,
    serde::Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// 1,000 requests per minute, and webhooks.
    #[default]
    Partner,
    /// Unlimited requests, and webhooks.
    Enterprise,
    /// For the operator's own people and tools: unlimited requests, no webhooks, and what its scope allows.
    Operator,
}

impl Tier {
    pub const ALL: [Tier; 3] = [Tier::Partner, Tier::Enterprise, Tier::Operator];

    /// The name stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Tier::Partner => "partner",
            Tier::Enterprise => "enterprise",
            Tier::Operator => "operator",
        }
    }

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

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
