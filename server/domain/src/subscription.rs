use std::fmt;

use crate::{event::EventName, event_filter::EventFilter, named::named};

/// Number of the partner that has the operator's own subscriptions. All operators' keys with the scope `admin` manage
/// them.
pub const OPERATOR: i64 = 0;

/// Name of that partner. It has no keys of partners.
pub const OPERATOR_NAME: &str = "operator";

/// Maximum number of subscriptions of a partner.
pub const MAX_SUBSCRIPTIONS: u32 = 25;

named! {
    /// Whether events are sent to a subscription.
    SubscriptionStatus { Active = "ACTIVE", Disabled = "DISABLED", }
}

named! {
    /// Health of an endpoint, as partners see it.
    EndpointState {
        /// The last attempt was accepted, or there was none.
        Healthy = "HEALTHY",
        /// The last attempts failed.
        Failing = "FAILING",
        /// Too many attempts failed, or the endpoint requested a pause: only an occasional probe is sent.
        Paused = "PAUSED",
        /// Nothing is sent, because the subscription is disabled.
        Disabled = "DISABLED",
    }
}

named! {
    /// State of a delivery.
    #[derive(clap::ValueEnum)]
    #[value(rename_all = "SCREAMING_SNAKE_CASE")]
    DeliveryStatus {
        /// Waiting to be sent, for the first time or again.
        Pending = "PENDING",
        /// The receiver responded with 2xx.
        Delivered = "DELIVERED",
        /// Every attempt has failed.
        Failed = "FAILED",
    }
}

/// Key of a delivery: the numbers of its subscription and its event.
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

/// New subscription to be stored.
#[derive(Clone, Debug)]
pub struct NewSubscription {
    pub id: String,
    pub partner_id: i64,
    pub url: String,
    /// Without duplicates.
    pub events: Vec<EventName>,
    pub filter: Option<EventFilter>,
    pub secret: String,
}
