//! Shared code of the dispatcher's tests.

use domain::endpoint_health::EndpointHealth;
use store::Leased;

/// Leased subscription with this number.
pub(super) fn subscription(seq: i64) -> Leased {
    Leased {
        seq,
        id: format!("sub_{seq}"),
        partner: "Aid".to_owned(),
        url: "https://example.org/secret".to_owned(),
        secrets: None,
        secrets_until: None,
        events: Vec::new(),
        filter: None,
        cursor: 0,
        replayed_up_to: 0,
        rewinds: 0,
        revision: 1,
        health: EndpointHealth::default(),
    }
}
