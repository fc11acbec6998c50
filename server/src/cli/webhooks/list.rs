use domain::{
    event::EventName,
    event_filter::EventFilter,
    subscription::SubscriptionStatus::{Active, Disabled},
};
use store::{ListedSubscription, Store};

use crate::{
    cli::{Exit, output},
    config::Output,
};

/// Maximum numbers of characters of a partner's name and of a URL, so that the table fits 120 columns.
const PARTNER_WIDTH: usize = 24;
const URL_WIDTH: usize = 116;

pub(super) async fn run(store: &Store, Output { json }: Output) -> anyhow::Result<Exit> {
    let listed = store.subscriptions().list().await?;
    if json {
        output::json(&serde_json::json!({ "subscriptions": listed }))?;
    } else if listed.is_empty() {
        output::line(
            "No subscriptions: partners create them with their keys, by POST /api/v1/webhooks.",
        )?;
    } else {
        let header = ["ID", "PARTNER", "STATE", "FAILING SINCE", "PENDING", "DELIVERED", "FAILED"];
        let rows: Vec<_> = listed.iter().map(cells).collect();
        output::noted_table(&header, &rows, |number| Some(note(listed.get(number)?)))?;
    }
    Ok(Exit::Done)
}

fn cells(listed: &ListedSubscription) -> Vec<String> {
    vec![
        listed.subscription.id.clone(),
        output::cut(&listed.holder(), PARTNER_WIDTH),
        state(listed).to_owned(),
        listed.failing_since.map_or_else(|| "-".to_owned(), |since| since.to_string()),
        listed.pending.to_string(),
        listed.delivered.to_string(),
        listed.failed.to_string(),
    ]
}

fn state(listed: &ListedSubscription) -> &'static str {
    match (listed.subscription.status, &listed.paused_until, &listed.failing_since) {
        (Disabled, ..) => Disabled.as_str(),
        (Active, Some(_), _) => "PAUSED",
        (Active, None, Some(_)) => "FAILING",
        (Active, None, None) => Active.as_str(),
    }
}

/// Details that do not fit into the row: URL, events, filter, and the reason for a pause.
fn note(listed: &ListedSubscription) -> String {
    let subscription = &listed.subscription;
    let events: Vec<&str> = subscription.events.iter().copied().map(EventName::as_str).collect();
    let mut lines = vec![output::cut(&subscription.url, URL_WIDTH), events.join(", ")];
    lines.extend(subscription.filter.as_ref().map(|filter| format!("Filter: {}", parts(filter))));
    let paused = listed.paused_until.as_ref();
    lines.extend(paused.map(|until| format!("Paused after failures; next attempt at {until}")));
    let reason = subscription.disabled_reason.as_ref();
    lines.extend(reason.map(|reason| format!("Disabled: {reason}")));
    lines.join("\n  ")
}

/// Describes a filter: `country "BR", types water, both`.
fn parts(filter: &EventFilter) -> String {
    let place =
        [("country", filter.country()), ("region", filter.region()), ("city", filter.city())];
    let place = place.into_iter().filter_map(|(name, part)| Some(format!("{name} {:?}", part?)));
    let types: Vec<&str> = filter.types().iter().map(|kind| kind.as_str()).collect();
    let types = (!types.is_empty()).then(|| format!("types {}", types.join(", ")));
    place.chain(types).collect::<Vec<_>>().join(", ")
}
