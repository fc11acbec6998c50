//! Events: facts that are sent to partners, and the exact bytes of each.

mod sample;

use std::borrow::Cow;

use base::{
    random::Random,
    time::{Timestamp, format_instant},
};
use chrono::{DateTime, NaiveDate, Utc};
use geo::places::{country_key, fold};
use model::{Metrics, Report, ReportType};
use serde::{Deserialize, Serialize};

pub use self::sample::Sample;
use crate::{named::named, report::Status};

named! {
    /// Names of events that subscriptions list.
    EventName {
        ReportCreated = "report.created",
        MetricsUpdated = "metrics.updated",
        ReportWithdrawn = "report.withdrawn",
        ReportUpdated = "report.updated",
        ReportsImported = "reports.imported",
        /// For the partner's other subscriptions only.
        SubscriptionPaused = "subscription.paused",
        /// For the partner's other subscriptions only.
        SubscriptionDisabled = "subscription.disabled",
    }
    internal {
        /// Only for subscriptions of the operator.
        ReportPending = "report.pending",
    }
}

impl EventName {
    /// Whether the event is for everybody who lists it. Others are written with their deliveries, for one partner, and
    /// are not in the log that partners read.
    pub fn is_for_all(self) -> bool {
        !matches!(self, Self::SubscriptionPaused | Self::SubscriptionDisabled)
    }

    /// Whether the event called `name` is one of `events` and for everybody who lists it.
    pub fn is_listed(name: &str, events: &[Self]) -> bool {
        events.iter().any(|event| event.is_for_all() && event.as_str() == name)
    }
}

/// Name of the event that `svc webhooks test` sends. Partners cannot subscribe to it.
pub const TEST: &str = "webhook.test";

/// Event. Its body is serialised once, here: the stored bytes are the ones signed and sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Sent with every attempt as `webhook-id`.
    pub id: String,
    pub name: &'static str,
    pub body: Vec<u8>,
    /// Report that the event is about, if any.
    pub about: Option<About>,
    /// Report before the correction that the event announces.
    pub before: Option<About>,
}

/// Properties of a report that filters use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Keys of country, region and city, separated by line feeds, which no key contains.
    pub place: String,
    pub kind: ReportType,
}

impl About {
    /// Properties of a report in a region, which is empty if none was given.
    pub fn report(report: &Report, region: &str) -> Self {
        let [region, city] = [region, &report.city].map(fold);
        let place = format!("{}\n{region}\n{city}", country_key(&report.country));
        Self { place, kind: report.kind }
    }
}

/// Webhook form of a report.
#[derive(Serialize)]
struct ReportData<'a> {
    #[serde(flatten)]
    report: &'a Report,
    status: Status,
}

/// Webhook form of a report that waits for a decision. It has everything that the decision needs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PendingReportData<'a> {
    id: &'a str,
    city: &'a str,
    /// Empty if none was given.
    region: &'a str,
    country: &'a str,
    people_count: u32,
    #[serde(rename = "type")]
    kind: ReportType,
    event_date: NaiveDate,
    created_at: &'a str,
    status: Status,
}

/// Part of the body of an event about a report, for reading it back.
#[derive(Deserialize)]
struct ReportEventBody<'a> {
    #[serde(borrow)]
    data: ReportId<'a>,
}

#[derive(Deserialize)]
struct ReportId<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

#[derive(Serialize)]
struct TestData<'a> {
    message: &'static str,
    subscription: &'a str,
}

/// Published history: reports that were published as of their creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportedHistory {
    /// Number of reports.
    pub reports: u64,
    /// First time of publication.
    pub since: DateTime<Utc>,
    /// Last time of publication.
    pub until: DateTime<Utc>,
}

#[derive(Serialize)]
struct ImportedData {
    reports: u64,
    since: String,
    until: String,
}

impl From<&ImportedHistory> for ImportedData {
    fn from(&ImportedHistory { reports, since, until }: &ImportedHistory) -> Self {
        Self { reports, since: format_instant(since), until: format_instant(until) }
    }
}

/// Data of an event about an endpoint that receives nothing for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StoppedEndpoint<'a> {
    /// Id of its subscription.
    pub subscription: &'a str,
    pub url: &'a str,
    /// Reason, such as the last failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// Start of the first of the failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

#[derive(Serialize)]
struct Body<'a, D> {
    event: &'static str,
    timestamp: &'a str,
    data: D,
}

impl Event {
    /// Event for a published report.
    pub fn report_created(
        report: &Report,
        region: &str,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        Self::of_report(EventName::ReportCreated, Status::Approved, report, region, now, random)
    }

    /// Event for a withdrawn report.
    pub fn report_withdrawn(
        report: &Report,
        region: &str,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        Self::of_report(EventName::ReportWithdrawn, Status::Withdrawn, report, region, now, random)
    }

    /// Event for a report that waits for a decision. `event_date` is the date of the reported event; the report has
    /// none, because public reports do not contain it.
    pub fn report_pending(
        report: &Report,
        region: &str,
        event_date: NaiveDate,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        let data = PendingReportData {
            id: &report.id,
            city: &report.city,
            region,
            country: &report.country,
            people_count: report.people_count,
            kind: report.kind,
            event_date,
            created_at: &report.created_at,
            status: Status::Pending,
        };
        let event = Self::new(EventName::ReportPending.as_str(), data, now, random);
        Self { about: Some(About::report(report, region)), ..event }
    }

    /// Event for the correction of a published report.
    pub fn report_updated(
        report: &Report,
        region: &str,
        before: About,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        let (name, status) = (EventName::ReportUpdated, Status::Approved);
        let event = Self::of_report(name, status, report, region, now, random);
        Self { before: Some(before), ..event }
    }

    fn of_report(
        name: EventName,
        status: Status,
        report: &Report,
        region: &str,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        let event = Self::new(name.as_str(), ReportData { report, status }, now, random);
        Self { about: Some(About::report(report, region)), ..event }
    }

    /// Event for changed counters.
    pub fn metrics_updated(metrics: &Metrics, now: DateTime<Utc>, random: &Random) -> Self {
        Self::new(EventName::MetricsUpdated.as_str(), metrics, now, random)
    }

    /// Event for imported history.
    pub fn reports_imported(
        history: &ImportedHistory,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        let data = ImportedData::from(history);
        Self::new(EventName::ReportsImported.as_str(), data, now, random)
    }

    /// Event for an endpoint that was paused or disabled: `name` is which.
    pub fn subscription_stopped(
        name: EventName,
        stopped: &StoppedEndpoint<'_>,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        Self::new(name.as_str(), stopped, now, random)
    }

    /// Event for the operator's test of a subscription.
    pub fn test(subscription: &str, now: DateTime<Utc>, random: &Random) -> Self {
        let message = "This is a test. Nothing happened.";
        Self::new(TEST, TestData { message, subscription }, now, random)
    }

    fn new(name: &'static str, data: impl Serialize, now: DateTime<Utc>, random: &Random) -> Self {
        let body = Body { event: name, timestamp: &format_instant(now), data };
        Self {
            id: format!("evt_{}", random.base62(22)),
            name,
            // Strings and numbers always serialise. An event without a body must never be stored.
            body: serde_json::to_vec(&body).unwrap_or_else(|error| panic!("{name}: {error}")),
            about: None,
            before: None,
        }
    }
}

/// Id of the report that an event is about, from its name and body.
pub fn report_of(name: &str, body: &[u8]) -> Option<String> {
    let told = || serde_json::from_slice(body).ok();
    let ReportEventBody { data } = name.starts_with("report.").then(told)??;
    Some(data.id.into_owned())
}

#[cfg(test)]
mod tests {
    use base::time::parse_instant;

    use super::*;

    #[test]
    fn a_report_is_told_in_its_webhook_form() {
        let report = Report {
            id: "r-1".to_owned(),
            city: "São Paulo".to_owned(),
            country: "Brazil".to_owned(),
            people_count: 3,
            kind: ReportType::Spirit,
            created_at: "2026-03-01T11:59:00.000Z".to_owned(),
            event_date: None,
            included: None,
        };
        let now = parse_instant("2026-03-01T12:00:00Z").unwrap();
        let event = Event::report_created(&report, "SP", now, &Random::seeded(1));
        let about = About { place: "BR\nsp\nsao paulo".to_owned(), kind: ReportType::Spirit };
        assert_eq!((&event.about, &event.before), (&Some(about), &None));
        assert_eq!(report_of(event.name, &event.body).as_deref(), Some("r-1"));
        assert_eq!(report_of("metrics.updated", &event.body), None);
        assert_eq!(report_of(event.name, b"{}"), None);
        assert_eq!(
            String::from_utf8(event.body).unwrap(),
            "{\"event\":\"report.created\",\"timestamp\":\"2026-03-01T12:00:00.000Z\",\"data\":\
             {\"id\":\"r-1\",\"city\":\"São Paulo\",\"country\":\"Brazil\",\"peopleCount\":3,\
             \"type\":\"spirit\",\"createdAt\":\"2026-03-01T11:59:00.000Z\",\
             \"status\":\"APPROVED\"}}"
        );
        assert!(event.id.starts_with("evt_") && event.id.len() == 26, "{}", event.id);
    }
}
