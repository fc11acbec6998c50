use std::fmt;

use super::{event::EventName, event_filter::EventFilter};

/// The most subscriptions that a partner may have.
pub const MAX_SUBSCRIPTIONS: u32 = 25;

/// Whether a subscription is sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SubscriptionStatus {
    Active,
    Disabled,
}

impl SubscriptionStatus {
    pub const ALL: [SubscriptionStatus; 2] =
        [SubscriptionStatus::Active, SubscriptionStatus::Disabled];

    /// The name stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            SubscriptionStatus::Active => "ACTIVE",
            SubscriptionStatus::Disabled => "DISABLED",
        }
    }

    /// The status with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// What partners see of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EndpointState {
    /// The last attempt was accepted, or there was none.
    Healthy,
    /// The last attempts failed.
    Failing,
    /// So many of them did, or the endpoint has asked for it, that nothing is sent but a probe now and then.
    Paused,
    /// Nothing is sent, because the subscription is disabled.
    Disabled,
}

impl EndpointState {
    pub const ALL: [&'static str; 4] = ["HEALTHY", "FAILING", "PAUSED", "DISABLED"];
}

impl fmt::Display for SubscriptionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeliveryStatus {
    /// To be sent, for the first time or again.
    Pending,
    /// The receiver has answered 2xx.
    Delivered,
    /// Every try has failed.
    Failed,
}

impl DeliveryStatus {
    pub const ALL: [DeliveryStatus; 3] =
        [DeliveryStatus::Pending, DeliveryStatus::Delivered, DeliveryStatus::Failed];

    /// The name stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            DeliveryStatus::Pending => "PENDING",
            DeliveryStatus::Delivered => "DELIVERED",
            DeliveryStatus::Failed => "FAILED",
        }
    }

    /// The status with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

impl fmt::Display for DeliveryStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What names a delivery: the numbers of its subscription and its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId {
    pub subscription: i64,
    pub event: i64,
}

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dlv_{}_{}", self.subscription, self.event)
    }
}

impl std::str::FromStr for DeliveryId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        };
        let parts = text.strip_prefix("dlv_").and_then(|rest| rest.split_once('_'));
        parts
            .and_then(|(subscription, event)| {
                Some(Self { subscription: number(subscription)?, event: number(event)? })
            })
            .ok_or_else(|| {
                "write it as `svc webhooks deliveries` shows it, such as dlv_3_1042".to_owned()
            })
    }
}

/// A subscription to be stored.
#[derive(Clone, Debug)]
pub struct NewSubscription {
    pub id: String,
    pub partner_id: i64,
    pub url: String,
    /// Each once.
    pub events: Vec<EventName>,
    pub filter: Option<EventFilter>,
    pub secret: String,
}
