use std::sync::Arc;

use app::brand::Brand;
use axum::{
    extract::{Request, State},
    response::Response,
};
use domain::event::EventName;
use edge::representation::to_json;
use http::header;
use model::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{LogPage, LogQuery, LoggedEvent, LostPlace, RegionAndDate, Store};

use crate::{
    api::{After, Parameters, Partner, cursor_after, unstored},
    openapi::{
        Operation, Parameter, examples,
        parameter::{AFTER, CITY, COUNTRY, EVENT_LIMIT, EVENTS, INCLUDE, LANG, REGION, TYPES},
        webhooks::{ImportedReports, PublishedReport, UpdatedMetrics, WithdrawnReport},
    },
    problem::{Code, Problem, Result},
    responses::ReportForm,
};

const PARAMETERS: &[Parameter] =
    &[AFTER, EVENT_LIMIT, EVENTS, COUNTRY, REGION, CITY, TYPES, LANG, INCLUDE];

const DEFAULT_LIMIT: u32 = 100;

/// A part of the log of events.
#[derive(Debug, JsonSchema)]
pub struct EventLog {
    /// Events, the oldest first.
    pub events: Vec<Logged>,
    /// The `after` of the next request. Its content may change.
    #[schemars(extend("pattern" = "^c_"))]
    pub next: String,
    /// Whether there is more to read after this.
    pub more: bool,
}

/// An event of the log.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "LoggedEvent")]
pub struct Logged {
    /// Id of the event, which a webhook has as `webhook-id`.
    #[schemars(extend("pattern" = "^evt_"))]
    pub id: String,
    /// Number that grows from event to event, with gaps; a webhook has it as `X-SVC-Sequence`.
    #[schemars(range(min = 1))]
    pub sequence: u64,
    /// Name of the event.
    pub event: EventName,
    /// Time of the event.
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// Data as in a webhook.
    pub data: EventData,
}

/// Data of an event.
#[derive(Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub enum EventData {
    Published(PublishedReport),
    Withdrawn(WithdrawnReport),
    Metrics(UpdatedMetrics),
    Imported(ImportedReports),
}

/// `GET /api/v1/events`: the log of events, the oldest first.
pub async fn get(
    State(store): State<Store>,
    State(brand): State<Arc<Brand>>,
    _: Partner,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let limit = parameters.limit(DEFAULT_LIMIT)?;
    let events = parameters.events()?;
    let (place, types) = (parameters.place()?, parameters.types()?);
    let form = parameters.form(&brand)?;
    let after = match parameters.after()? {
        Some(After::Latest) => {
            let next = store.event_log().newest().await?;
            return answer(&LogPage { next, ..LogPage::default() });
        }
        Some(After::Cursor(cursor)) => Some(cursor.seq()),
        None => None,
    };
    let query = LogQuery { after, events, place, types, limit: limit as usize };
    match store.event_log().page(&query).await? {
        Ok(page) if form.is_plain() => answer(&page),
        Ok(page) => answer(&in_form(&store, page, &form).await?),
        Err(LostPlace::Pruned) => Err(Problem::cursor_expired(
            "Events after this cursor are no longer kept. Leave \"after\" out to begin with the oldest available \
                event, and read the list of reports to catch up: see Mirroring in the documentation.",
        )),
        Err(LostPlace::Ahead) => Err(Problem::cursor_expired(
            "This cursor is ahead of the log: the service was restored from a backup. Leave \"after\" out to \
             begin with the oldest event, or begin again with \"after=latest\".",
        )),
    }
}

/// Body of an event about a report.
#[derive(Serialize, Deserialize)]
struct ReportEvent {
    event: EventName,
    timestamp: String,
    data: ReportWithStatus,
}

#[derive(Serialize, Deserialize)]
struct ReportWithStatus {
    #[serde(flatten)]
    report: Report,
    status: String,
}

/// Brings the reports in the events into a form. Regions and event dates are the current ones, because events do not
/// contain them.
async fn in_form(store: &Store, page: LogPage, form: &ReportForm) -> Result<LogPage> {
    let parsed = |event: &LoggedEvent| serde_json::from_slice::<ReportEvent>(&event.body).ok();
    let parsed: Vec<Option<ReportEvent>> = page.events.iter().map(parsed).collect();
    let ids = parsed.iter().flatten().map(|event| event.data.report.id.clone());
    let known = store.reports().regions_and_dates(&ids.collect::<Vec<_>>()).await?;
    let shown = |(mut event, parsed): (LoggedEvent, Option<ReportEvent>)| {
        let Some(mut told) = parsed else { return event };
        if let Some(RegionAndDate { region, event_date }) = known.get(&told.data.report.id) {
            form.apply(&mut told.data.report, region, *event_date);
            event.body = to_json(&told);
        }
        event
    };
    let events = page.events.into_iter().zip(parsed).map(shown).collect();
    Ok(LogPage { events, ..page })
}

/// Sends the bodies exactly as they are stored, so that they compare and sign like those of webhooks.
fn answer(page: &LogPage) -> Result<Response> {
    let next = cursor_after(page.next)?;
    let mut body = b"{\"events\":[".to_vec();
    for (number, event) in page.events.iter().enumerate() {
        if number > 0 {
            body.push(b',');
        }
        write_event(&mut body, event);
    }
    body.extend_from_slice(format!("],\"next\":\"{next}\",\"more\":{}}}", page.more).as_bytes());
    Ok(unstored(([(header::CONTENT_TYPE, "application/json")], body)))
}

/// Writes `{ id, sequence, event, timestamp, data }`: the body with two members in front.
fn write_event(out: &mut Vec<u8>, LoggedEvent { seq, id, body }: &LoggedEvent) {
    let head = format!("{{\"id\":\"{id}\",\"sequence\":{seq},");
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(body.strip_prefix(b"{").unwrap_or(body));
}

pub(super) fn described() -> Operation {
    let example = json!({
        "events": [{
            "id": "evt_2N9SyZbZ8yHkVwUe3rQ1Tg",
            "sequence": 4711,
            "event": "report.withdrawn",
            "timestamp": "2026-03-01T12:00:00.000Z",
            "data": examples::told_report("WITHDRAWN"),
        }],
        "next": "c_4ce61",
        "more": false,
    });
    Operation::partners("get", "/api/v1/events", "readEvents", "The log of events, oldest first")
        .about(
            "For partners without an endpoint, and after an outage. Send `next` as `after` in the following request: \
                immediately while `more` is true, otherwise periodically. A response may have fewer events than \
                `limit`, or none, although there are more. Each event has the `id` and the `sequence` that a webhook \
                has as `webhook-id` and `X-SVC-Sequence`. Without `lang` and `include`, it has the bytes of the webhook. \
                Events are kept for 30 days unless the operator chose \
                otherwise.",
        )
        .parameters(PARAMETERS)
        .responses::<EventLog>("A part of the log", example)
        .problems(&[
            Code::InvalidLimit,
            Code::InvalidEvents,
            Code::InvalidParameter,
            Code::CursorExpired,
        ])
}
