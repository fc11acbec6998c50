//! Body of a request for a test: the event to send, with a report of one's own.

use axum::extract::Request;
use base::{
    clock::Clock,
    time::{Timestamp, format_instant},
};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    event::{EventName, ImportedHistory, Sample, StoppedEndpoint},
    report::NewReport,
    report_id::MAX_CHARACTERS,
};
use edge::problem::Fault;
use model::{Metrics, ReportType};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    api::body::{self, given},
    problem::{Code, Problem, Result},
};

/// Event to send, instead of `webhook.test`.
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(rename = "TestEvent")]
pub(crate) struct TestEvent {
    /// Name of the event.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "TestName")]
    event: Option<TestName>,
    /// Report of an event about one; the members of a sample report stand in for those that are left out.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "TestReport")]
    report: Option<Map<String, Value>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
enum TestName {
    #[serde(rename = "webhook.test")]
    Test,
    #[serde(rename = "report.created")]
    Created,
    #[serde(rename = "report.updated")]
    Updated,
    #[serde(rename = "report.withdrawn")]
    Withdrawn,
    #[serde(rename = "metrics.updated")]
    Metrics,
    #[serde(rename = "reports.imported")]
    Imported,
    #[serde(rename = "subscription.paused")]
    Paused,
    #[serde(rename = "subscription.disabled")]
    Disabled,
}

impl TestName {
    /// Event that the test looks like; `None` is `webhook.test`.
    const fn event(self) -> Option<EventName> {
        Some(match self {
            Self::Test => return None,
            Self::Created => EventName::ReportCreated,
            Self::Updated => EventName::ReportUpdated,
            Self::Withdrawn => EventName::ReportWithdrawn,
            Self::Metrics => EventName::MetricsUpdated,
            Self::Imported => EventName::ReportsImported,
            Self::Paused => EventName::SubscriptionPaused,
            Self::Disabled => EventName::SubscriptionDisabled,
        })
    }
}

/// Made-up report.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "the members are read like those of an import")]
struct TestReport {
    /// Id of the report.
    #[schemars(length(max = MAX_CHARACTERS))]
    id: Option<String>,
    /// Kind of event.
    r#type: Option<ReportType>,
    #[schemars(length(min = 1, max = 256))]
    city: Option<String>,
    #[schemars(length(max = 256))]
    region: Option<String>,
    #[schemars(length(min = 1, max = 256))]
    country: Option<String>,
    /// Number of people.
    #[schemars(range(min = 1, max = 1_000_000))]
    people_count: Option<u32>,
    /// Time of the report.
    #[schemars(extend("format" = "date-time"))]
    created_at: Option<String>,
}

/// Example of a body.
pub(crate) fn example() -> Value {
    json!({
        "event": "report.created",
        "report": { "id": "rep_test", "type": "water", "city": "Campinas", "country": "Brazil", "peopleCount": 12 },
    })
}

/// Reads the event to send; `None` is `webhook.test`.
pub(crate) async fn read(request: Request, clock: &Clock) -> Result<Option<Sample>> {
    checked(body::read_if_any(request, |_| Code::InvalidBody).await?, clock)
}

/// Returns the event of this name with a made-up report, if it has one; `None` is `webhook.test`.
pub(crate) fn named(event: &str, clock: &Clock) -> Result<Option<Sample>> {
    let members = Map::from_iter([("event".to_owned(), json!(event))]);
    checked(body::parsed(members, |_| Code::InvalidBody)?, clock)
}

fn checked(TestEvent { event, report }: TestEvent, clock: &Clock) -> Result<Option<Sample>> {
    let Some(event) = event.and_then(TestName::event) else {
        return if report.is_some() { Err(without_report()) } else { Ok(None) };
    };
    let is_about_report = matches!(
        event,
        EventName::ReportCreated | EventName::ReportUpdated | EventName::ReportWithdrawn
    );
    match (report, is_about_report) {
        (Some(_), false) => Err(without_report()),
        (report, true) => {
            let report = completed(report.unwrap_or_default(), clock)?;
            let (region, report) = (report.region.clone(), report.public());
            Ok(Some(Sample::Report { event, report, region }))
        }
        (None, false) => Ok(Some(made_up(event, clock.now()))),
    }
}

/// Completes and checks a report, as if it were imported.
fn completed(members: Map<String, Value>, clock: &Clock) -> Result<NewReport> {
    let mut row = Map::new();
    for (name, value) in [
        ("id", json!("rep_test")),
        ("type", json!("spirit")),
        ("city", json!("Campinas")),
        ("region", json!("São Paulo")),
        ("country", json!("Brazil")),
        ("peopleCount", json!(12)),
        ("createdAt", json!(format_instant(clock.now()))),
    ] {
        row.insert(name.to_owned(), value);
    }
    row.extend(members.into_iter().filter(|(_, value)| !value.is_null()));
    import::one(&row, clock.clone()).map_err(|refusals| {
        let fault = |refusal: &import::Refusal| Fault {
            line: None,
            pointer: Some(match refusal.field {
                Some(field) => format!("/report/{field}"),
                None => "/report".to_owned(),
            }),
            detail: refusal.reason.to_string(),
        };
        let detail = match refusals.first() {
            Some(import::Refusal { field: Some(field), reason, .. }) => {
                format!("\"report.{field}\": {reason}.")
            }
            Some(refusal) => format!("\"report\": {}.", refusal.reason),
            None => "\"report\" is wrong.".to_owned(),
        };
        Problem::invalid_body(detail).with_faults(refusals.iter().map(fault).collect())
    })
}

fn without_report() -> Problem {
    Problem::invalid_body(
        "\"report\" is for the events report.created, report.updated and report.withdrawn.",
    )
    .at("/report".to_owned())
}

/// Made-up contents of an event that is not about one report.
fn made_up(event: EventName, now: DateTime<Utc>) -> Sample {
    match event {
        EventName::ReportsImported => Sample::Imported(ImportedHistory {
            reports: 42,
            since: now - TimeDelta::days(30),
            until: now - TimeDelta::days(1),
        }),
        EventName::SubscriptionPaused | EventName::SubscriptionDisabled => {
            let is_paused = event == EventName::SubscriptionPaused;
            let reason = if is_paused { "the response was 503" } else { "a test" };
            let endpoint = StoppedEndpoint {
                subscription: "sub_test",
                url: "https://partner.example.com/svc",
                reason: Some(reason),
                since: is_paused.then(|| Timestamp(now - TimeDelta::hours(1))),
            };
            Sample::Stopped { event, endpoint }
        }
        _ => Sample::Metrics(metrics(now)),
    }
}

/// Made-up counters.
fn metrics(now: DateTime<Utc>) -> Metrics {
    Metrics {
        spirit: 120,
        water: 80,
        both: 7,
        total: 207,
        spirit_today: 3,
        water_today: 1,
        both_today: 0,
        total_today: 4,
        countries: 31,
        cities: 96,
        updated_at: format_instant(now),
    }
}
