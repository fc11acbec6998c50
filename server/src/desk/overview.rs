//! Status of the service, for the desk.

use base::time::format_instant;
use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc, Weekday};
use desk::{
    backend::{Key, KeyState, Overview, Subscription, SubscriptionState},
    minute_in,
};
use domain::{scope::Scope, subscription::SubscriptionStatus, tier::Tier};
use kit::{lang::Lang, words::Words};
use model::{Interval, Series};
use store::{
    AuditQuery, DISABLED_BY_OPERATOR, DISABLED_BY_PARTNER, DigestState, Filter, ListedKey,
    ListedSubscription, Period, Store, WITHOUT_KEY,
};

use super::{
    audit,
    words::{
        health::{DAMAGED, DRAINING, OUTDATED, UNREADABLE, UNWRITABLE},
        in_english,
        mail::{ADDRESSES, EVERY_HOURS, MAIL_NOT_SENT, MAILS, MAILS_NONE_YET},
        webhooks,
    },
};
use crate::{
    keys::settings,
    ops::health::{self, NodeProblem},
    problem::Result,
    state::AppState,
};

/// Number of audit log entries shown.
const ENTRIES: u32 = 10;

pub(super) async fn of(app: &AppState, store: &Store, lang: Lang) -> Result<Overview> {
    let query = AuditQuery { limit: ENTRIES, whole_decisions: true, ..AuditQuery::default() };
    let deeds = store.audit_log().entries(&query).await?.entries;
    let (words, audit_words) = (Words::all(lang), audit::Words::of(app, lang));
    let mail = mail(app, store, &words).await?;
    let problems = health::problems(&app.draining, &app.snapshots, &app.store);
    let problems = problems.into_iter().map(|problem| in_words(&words, &problem));
    Ok(Overview {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        problems: problems.chain(mail.problem).collect(),
        approved: app.snapshots.current().snapshot.metrics.value.total,
        waiting: store.reports().pending().await?,
        open_streams: app.streams.count(),
        mail: mail.about,
        subscriptions: subscriptions(store, lang).await?,
        keys: keys(store, app.clock.now()).await?,
        deeds: deeds.into_iter().map(|entry| audit_words.line(entry)).collect(),
    })
}

/// Sentences about mails to moderators, if the service sends any.
#[derive(Default)]
struct MailState {
    about: Option<String>,
    problem: Option<String>,
}

async fn mail(app: &AppState, store: &Store, words: &Words) -> Result<MailState> {
    let settings = &app.settings.mail;
    if settings.smtp_url.is_none() || settings.mail_to.is_empty() {
        return Ok(MailState::default());
    }
    let at = |instant| minute_in(words, &format_instant(instant));
    let DigestState { sent_at, failure } = store.mail_digest().state().await?;
    let addresses = words.sentence(ADDRESSES, settings.mail_to.len() as u64);
    let hours = words.sentence(EVERY_HOURS, u64::from(settings.mail_hours));
    let values = [("addresses", &*addresses), ("hours", &*hours)];
    let about = match sent_at {
        None => words.with(MAILS_NONE_YET, &values),
        Some(sent) => {
            let [addresses, hours] = values;
            words.with(MAILS, &[addresses, hours, ("at", &at(sent))])
        }
    };
    let problem = failure.map(|(failed, why)| {
        words.with(MAIL_NOT_SENT, &[("at", &at(failed)), ("reason", &in_english(words, &why))])
    });
    Ok(MailState { about: Some(about), problem })
}

/// All subscriptions, newest first.
pub(super) async fn subscriptions(store: &Store, lang: Lang) -> Result<Vec<Subscription>> {
    let listed = store.subscriptions().list().await?;
    Ok(listed.into_iter().map(|listed| subscription(listed, lang)).collect())
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

/// A problem of the node as a sentence.
fn in_words(words: &Words, problem: &NodeProblem) -> String {
    match problem {
        NodeProblem::Draining => words.text(DRAINING).to_owned(),
        NodeProblem::Damaged(cause) => words.with_data(DAMAGED, &[("cause", cause)]),
        NodeProblem::Unreadable => words.text(UNREADABLE).to_owned(),
        NodeProblem::Outdated(age) => words.sentence(OUTDATED, age.as_secs()),
        NodeProblem::Unwritable(cause) => words.with_data(UNWRITABLE, &[("cause", cause)]),
    }
}

fn subscription(listed: ListedSubscription, lang: Lang) -> Subscription {
    let partner = listed.holder();
    let of = listed.subscription;
    let state = match (of.status, listed.paused_until, listed.failing_since) {
        (SubscriptionStatus::Disabled, ..) => SubscriptionState::Disabled {
            reason: reason(of.disabled_reason.unwrap_or_default(), lang),
        },
        (_, Some(until), _) => SubscriptionState::Paused { until: until.to_string() },
        (_, None, Some(since)) => SubscriptionState::Failing { since: since.to_string() },
        (_, None, None) => SubscriptionState::Active,
    };
    Subscription {
        id: of.id,
        partner,
        url: of.url,
        state,
        pending: listed.pending,
        delivered: listed.delivered,
        failed: listed.failed,
    }
}

/// The reason of a disabled subscription. Those that the store writes are translated.
pub(crate) fn reason(stored: String, lang: Lang) -> String {
    match &*stored {
        DISABLED_BY_OPERATOR => webhooks::DISABLED_BY_OPERATOR.text(lang).to_owned(),
        DISABLED_BY_PARTNER => webhooks::DISABLED_BY_PARTNER.text(lang).to_owned(),
        WITHOUT_KEY => webhooks::WITHOUT_KEY.text(lang).to_owned(),
        _ => stored,
    }
}

fn key(listed: ListedKey, now: DateTime<Utc>) -> Key {
    Key {
        state: match listed.status(now) {
            "revoked" => KeyState::Revoked,
            "expired" => KeyState::Expired,
            _ => KeyState::Active,
        },
        prefix: listed.prefix,
        holder: listed.partner,
        purpose: purpose(listed.tier, listed.scope),
        last_used: listed.last_used_at.map(|at| at.to_string()),
        requests: listed.requests_last_day,
        settings: settings::in_words(&listed.settings),
    }
}

/// Tier of a key, followed by a colon and the scope of an operator's key.
pub(super) fn purpose(tier: Tier, scope: Option<Scope>) -> String {
    match scope {
        Some(scope) => format!("{tier}:{scope}"),
        None => tier.to_string(),
    }
}
