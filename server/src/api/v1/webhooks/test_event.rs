//! Body of a request for a test: the event to send, with a report of one's own.

use axum::extract::Request;
use base::{clock::Clock, time::format_instant};
use domain::{
    event::{EventName, Sample},
    report_id::MAX_CHARACTERS,
};
use edge::problem::Fault;
use model::{Metrics, Report, ReportType};
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
    let TestEvent { event, report } = body::read_if_any(request, |_| Code::InvalidBody).await?;
    let event = match event.unwrap_or(TestName::Test) {
        TestName::Created => EventName::ReportCreated,
        TestName::Updated => EventName::ReportUpdated,
        TestName::Withdrawn => EventName::ReportWithdrawn,
        TestName::Test | TestName::Metrics if report.is_some() => {
            return Err(Problem::invalid_body(
                "\"report\" is for the events report.created, report.updated and report.withdrawn.",
            )
            .at("/report".to_owned()));
        }
        TestName::Metrics => return Ok(Some(Sample::Metrics(metrics(clock)))),
        TestName::Test => return Ok(None),
    };
    Ok(Some(Sample::Report { event, report: checked(report.unwrap_or_default(), clock)? }))
}

/// Completes and checks a report, as if it were imported.
fn checked(members: Map<String, Value>, clock: &Clock) -> Result<Report> {
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
    import::one(&row, clock.clone()).map(|report| report.public()).map_err(|refusals| {
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

/// Made-up counters.
fn metrics(clock: &Clock) -> Metrics {
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
        updated_at: format_instant(clock.now()),
    }
}
