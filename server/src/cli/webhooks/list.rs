use crate::{
    cli::{Exit, output},
    config::Output,
    domain::event::EventName,
    store::{ListedSubscription, Store},
};

/// Characters of a URL that the table shows.
const URL_WIDTH: usize = 40;

pub(super) async fn run(store: &Store, Output { json }: Output) -> anyhow::Result<Exit> {
    let listed = store.list_subscriptions().await?;
    if json {
        output::json(&serde_json::json!({ "subscriptions": listed }))?;
    } else if listed.is_empty() {
        output::line(
            "No subscriptions: partners create them with their keys, by POST /api/v1/webhooks.",
        )?;
    } else {
        let header = [
            "ID",
            "PARTNER",
            "URL",
            "EVENTS",
            "STATUS",
            "PENDING",
            "DELIVERED",
            "FAILED",
            "FAILING SINCE",
        ];
        let rows: Vec<_> = listed.iter().map(cells).collect();
        output::noted_table(&header, &rows, |number| {
            let reason = listed.get(number)?.subscription.disabled_reason.as_ref()?;
            Some(format!("Disabled: {reason}"))
        })?;
    }
    Ok(Exit::Done)
}

fn cells(listed: &ListedSubscription) -> Vec<String> {
    let subscription = &listed.subscription;
    let events: Vec<&str> = subscription.events.iter().copied().map(EventName::as_str).collect();
    vec![
        subscription.id.clone(),
        listed.partner.clone(),
        output::cut(&subscription.url, URL_WIDTH),
        events.join(","),
        subscription.status.to_string(),
        listed.pending.to_string(),
        listed.delivered.to_string(),
        listed.failed.to_string(),
        listed.failing_since.clone().unwrap_or_else(|| "-".to_owned()),
    ]
}
