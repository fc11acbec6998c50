use std::fmt;

use chrono::TimeDelta;
use store::Backlog;
use webhooks::{dispatcher::Tally, url};

use super::families::Families;
use crate::ops::readings::Reading;

/// Writes deliveries, and the backlog of each subscription.
pub(super) fn write(
    families: &mut Families<'_>,
    tally: &Tally,
    reading: Option<&Reading>,
) -> fmt::Result {
    write_sent(families, tally)?;
    families.gauges(
        "svc_webhook_deliveries_pending",
        "Pending events of all subscriptions",
        reading.map(|reading| ([], reading.backlogs.iter().map(|one| one.events).sum::<i64>())),
    )?;
    write_subscriptions(families, reading)?;
    let backlogs = reading.map(|reading| reading.backlogs.as_slice()).unwrap_or_default();
    let hosts: Vec<String> = backlogs.iter().map(|one| url::host(&one.url)).collect();
    let labelled = || backlogs.iter().zip(&hosts).map(|(one, host)| (one, labels(one, host)));
    families.gauges(
        "svc_webhook_backlog_events",
        "Pending events of a subscription, in the log or waiting for a retry",
        labelled().map(|(one, labels)| (labels, one.events)),
    )?;
    families.gauges(
        "svc_webhook_oldest_undelivered_seconds",
        "Age of the oldest pending event of an active subscription; 0 if there is none",
        labelled().map(|(one, labels)| (labels, waiting_for(one).as_seconds_f64())),
    )
}

fn write_sent(families: &mut Families<'_>, tally: &Tally) -> fmt::Result {
    families.counter(
        "svc_webhook_attempts_accepted",
        "Webhook requests that a receiver accepted",
        tally.accepted(),
    )?;
    families.counter(
        "svc_webhook_attempts_failed",
        "Webhook requests that failed",
        tally.failed(),
    )?;
    families.histograms(
        "svc_webhook_attempt_duration_seconds",
        "Duration of webhook requests, by the class of the response's status",
        tally.durations().map(|(outcome, durations)| ([("outcome", outcome)], durations)),
    )?;
    families.counters(
        "svc_webhook_deliveries",
        "Finished webhook deliveries, by result",
        tally.deliveries().map(|(outcome, count)| ([("outcome", outcome)], count)),
    )
}

/// Age of the oldest pending event; zero for a disabled subscription, which gets none.
fn waiting_for(backlog: &Backlog) -> TimeDelta {
    if backlog.is_disabled { TimeDelta::zero() } else { backlog.age }
}

fn write_subscriptions(families: &mut Families<'_>, reading: Option<&Reading>) -> fmt::Result {
    let with = |is_disabled| {
        let backlogs = reading?.backlogs.iter();
        u64::try_from(backlogs.filter(|one| one.is_disabled == is_disabled).count()).ok()
    };
    let counts = [("active", with(false)), ("disabled", with(true))];
    families.gauges(
        "svc_webhook_subscriptions",
        "Subscriptions, by status",
        counts.into_iter().filter_map(|(status, count)| Some(([("status", status)], count?))),
    )
}

fn labels<'l>(backlog: &'l Backlog, host: &'l str) -> [(&'static str, &'l str); 3] {
    [("subscription", &backlog.subscription), ("partner", &backlog.partner), ("host", host)]
}
