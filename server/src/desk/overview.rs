//! Status of the service, for the desk.

use base::time::format_instant;
use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc, Weekday};
use desk::backend::{Key, Overview, Subscription};
use domain::subscription::SubscriptionStatus;
use kit::time::minute;
use model::{Interval, Series};
use store::{AuditQuery, DigestState, Filter, ListedKey, ListedSubscription, Period, Store};

use super::audit::Words;
use crate::{ops::health, problem::Result, state::AppState};

/// Number of audit log entries shown.
const ENTRIES: u32 = 10;

pub(super) async fn of(app: &AppState, store: &Store) -> Result<Overview> {
    let query = AuditQuery { limit: ENTRIES, whole_decisions: true, ..AuditQuery::default() };
    let (deeds, words) = (store.audit_log().entries(&query).await?.entries, Words::of(app));
    let mail = mail(app, store).await?;
    let mut problems = health::problems(&app.draining, &app.snapshots, &app.store);
    problems.extend(mail.problem);
    Ok(Overview {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        problems,
        approved: app.snapshots.current().snapshot.metrics.value.total,
        waiting: store.reports().pending().await?,
        open_streams: app.streams.count(),
        mail: mail.about,
        subscriptions: subscriptions(store).await?,
        keys: keys(store, app.clock.now()).await?,
        deeds: deeds.into_iter().map(|entry| words.line(entry)).collect(),
    })
}

/// Sentences about mails to moderators, if the service sends any.
#[derive(Default)]
struct MailState {
    about: Option<String>,
    problem: Option<String>,
}

async fn mail(app: &AppState, store: &Store) -> Result<MailState> {
    let settings = &app.settings.mail;
    if settings.smtp_url.is_none() {
        return Ok(MailState::default());
    }
    let at = |instant| minute(&format_instant(instant));
    let DigestState { sent_at, failure } = store.mail_digest().state().await?;
    let addresses = match settings.mail_to.len() {
        1 => "1 address".to_owned(),
        several => format!("{several} addresses"),
    };
    let last = sent_at
        .map_or_else(|| "none was sent yet".to_owned(), |sent| format!("the last on {}", at(sent)));
    Ok(MailState {
        about: Some(format!(
            "Mails about pending reports go to {addresses}, at most once every {} hours; {last}.",
            settings.mail_hours
        )),
        problem: failure.map(|(failed, why)| {
            format!("the mail about pending reports was not sent on {}: {why}", at(failed))
        }),
    })
}

/// All subscriptions, newest first.
pub(super) async fn subscriptions(store: &Store) -> Result<Vec<Subscription>> {
    Ok(store.subscriptions().list().await?.into_iter().map(subscription).collect())
}

/// All keys with their state at this time, newest first.
pub(super) async fn keys(store: &Store, now: DateTime<Utc>) -> Result<Vec<Key>> {
    Ok(store.keys().list().await?.into_iter().map(|listed| key(listed, now)).collect())
}

/// The series of the last days, weeks or months up to today, from the cached responses of the
/// public API.
pub(super) async fn over_time(app: &AppState, interval: Interval) -> Result<Series> {
    let snapshot = app.responses.snapshot();
    let today = snapshot.today;
    let period = Period { from: beginning(interval, today), to: Some(today) };
    let filter = Filter { period, ..Filter::default() };
    match &*app.responses.series_at(snapshot, filter, interval).await? {
        Ok(series) => Ok(series.value.clone()),
        Err(too_long) => Err(too_long.into()),
    }
}

/// First day of the last 30 days, 26 weeks, 24 months or 10 years.
fn beginning(interval: Interval, today: NaiveDate) -> Option<NaiveDate> {
    match interval {
        Interval::Day => today.checked_sub_days(Days::new(29)),
        Interval::Week => today.week(Weekday::Mon).first_day().checked_sub_days(Days::new(25 * 7)),
        Interval::Month => today.with_day(1)?.checked_sub_months(Months::new(23)),
        Interval::Year => NaiveDate::from_ymd_opt(today.year() - 9, 1, 1),
    }
}

fn subscription(listed: ListedSubscription) -> Subscription {
    let of = listed.subscription;
    let (state, note) = match (of.status, listed.paused_until, listed.failing_since) {
        (SubscriptionStatus::Disabled, ..) => ("disabled", of.disabled_reason.unwrap_or_default()),
        (_, Some(until), _) => ("paused", format!("until {}", minute(&until.to_string()))),
        (_, None, Some(since)) => ("failing", format!("since {}", minute(&since.to_string()))),
        (_, None, None) => ("active", String::new()),
    };
    Subscription {
        id: of.id,
        partner: listed.partner,
        url: of.url,
        state: state.to_owned(),
        note,
        pending: listed.pending,
        delivered: listed.delivered,
        failed: listed.failed,
    }
}

fn key(listed: ListedKey, now: DateTime<Utc>) -> Key {
    Key {
        state: listed.status(now).to_owned(),
        prefix: listed.prefix,
        holder: listed.partner,
        tier: listed.tier.with(listed.scope),
        last_used: listed.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
    }
}
