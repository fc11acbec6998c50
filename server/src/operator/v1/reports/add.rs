use std::{io, sync::Arc};

use axum::{
    Json,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base::clock::Clock;
use domain::{import_id::ImportId, report_id::MAX_CHARACTERS, scope::Scope};
use edge::{gate::BodyError, problem::Fault};
use futures_util::TryStreamExt;
use http::{HeaderMap, StatusCode};
use import::{self, Format, Job, Note, Progress, Reading, Refusal, Summary};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use store::Mode;
use tokio_util::io::{StreamReader, SyncIoBridge};

use super::{
    PATH,
    correct::{Correction, fault},
};
use crate::{
    api::{Parameters, Warning, body, unstored},
    openapi::{Operation, Parameter, Schemas},
    operator::{access::Moderator, v1::tags::REPORTS},
    problem::{Code, Problem, Result},
    site::visitors::Visitor,
};

/// Maximum number of refused rows that a response lists; it counts the others.
const LISTED: usize = 1_000;

const PARAMETERS: &[Parameter] = &[APPROVE];

const APPROVE: Parameter = Parameter::new(
    "approve",
    "`true`: the reports are published now.",
    || json!({ "type": "boolean", "default": false }),
    "true",
);

/// A report to add. Without `peopleCount`, it is about one person; without `eventDate`, the event was on the day of the
/// report.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", extend("required" = ["type", "city", "country"]))]
#[expect(dead_code, reason = "the members are read like those of an import")]
struct ReportInput {
    #[schemars(flatten)]
    members: Correction,
    /// Id of the report; without it, the id is derived from the content.
    #[schemars(length(max = MAX_CHARACTERS))]
    id: Option<String>,
    /// Time of the report; without it, now.
    created_at: Option<String>,
}

/// Result of adding reports.
#[derive(Serialize, JsonSchema)]
struct Added {
    #[serde(flatten)]
    summary: Summary,
    /// Id of the import, if anything was added.
    import: Option<ImportId>,
    /// Faults of the rows that were refused.
    reasons: Vec<Refusal>,
    /// Parts of the rows that are not used or not recognised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// `POST /operator/v1/reports`: adds a report, or one for each line while the body arrives. Existing reports are
/// skipped, so a request may be repeated. 201: some were added; 200: none had to be.
pub async fn add(
    State(clock): State<Clock>,
    Moderator(store): Moderator,
    visitor: Visitor,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let named = |name: &str| match name {
        "true" => Some(Mode::Approve),
        "false" => Some(Mode::Pending),
        _ => None,
    };
    let mode = parameters.choice(&APPROVE, named, &["true", "false"])?.unwrap_or(Mode::Pending);
    let format = format(request.headers())?;
    let _place = visitor.upload_place().await?;
    let progress = Progress::default();
    let job = Job {
        input: reader(request.into_body()),
        file: None,
        format: Some(format),
        reading: Reading::default(),
        mode,
        sort_in: None,
        clock,
        max_window: import::HTTP_WINDOW,
        progress: progress.clone(),
        refused_rows: None,
    };
    let mut reasons = Vec::new();
    let refused = |refusal: &Refusal| {
        if reasons.len() < LISTED {
            reasons.push(refusal.clone());
        }
    };
    let mut warnings = Vec::new();
    let noted = |note: &Note| warnings.push(Warning { pointer: None, detail: note.to_string() });
    let summary = import::run(Some(&store), job, refused, noted).await;
    let summary = summary.map_err(|error| problem(error, format))?;
    let import = progress.import.get().copied();
    let status = match summary {
        Summary { imported: 1.., .. } => StatusCode::CREATED,
        Summary { skipped: 0, refused: 1.., .. } => {
            return Err(all_refused(&summary, &reasons, warnings));
        }
        _ => StatusCode::OK,
    };
    Ok(unstored((status, Json(Added { summary, import, reasons, warnings })).into_response()))
}

/// Problem of a body whose rows are all refused.
fn all_refused(summary: &Summary, reasons: &[Refusal], warnings: Vec<Warning>) -> Problem {
    let first = reasons.first().map(Refusal::to_string).unwrap_or_default();
    let detail = match summary.refused {
        1 => format!("The report is refused: {first}."),
        refused => format!("All {refused} reports are refused: {first}."),
    };
    let faults = reasons.iter().map(|refusal| fault(refusal, Some(refusal.line)));
    let hints = warnings.into_iter().map(|warning| Fault {
        line: None,
        pointer: None,
        detail: warning.detail,
    });
    Problem::new(Code::InvalidReport, detail).with_faults(faults.chain(hints).collect())
}

/// Wraps the body as it arrives in a reader for the thread that parses it.
fn reader(body: Body) -> impl io::Read + Send + 'static {
    SyncIoBridge::new(StreamReader::new(body.into_data_stream().map_err(io::Error::other)))
}

fn format(headers: &HeaderMap) -> Result<Format> {
    match body::media_type(headers).to_ascii_lowercase().as_str() {
        "application/json"
        | "application/x-ndjson"
        | "application/ndjson"
        | "application/jsonl" => Ok(Format::Json),
        "text/csv" | "text/tab-separated-values" => Ok(Format::Csv),
        _ => Err(Problem::unsupported_media_type(
            "Send reports as application/json, application/x-ndjson or text/csv, with that Content-Type.",
        )),
    }
}

/// Problem of a body that could not be read to its end; the rows before the fault were added.
fn problem(error: import::Error, format: Format) -> Problem {
    if let Some(error) = BodyError::behind(&error) {
        return error.into();
    }
    match error {
        import::Error::Store(error) => error.into(),
        import::Error::Source(error) | import::Error::Header { reason: error, .. } => {
            let detail = format!("The body cannot be imported: {error}.");
            match format {
                Format::Csv => Problem::invalid_csv(detail),
                Format::Json | Format::Ndjson => Problem::invalid_json(detail),
            }
        }
        import::Error::Read(error) => {
            Problem::invalid_json(format!("The body ended before it was complete: {error}."))
        }
        error => Problem::internal(Arc::new(error)),
    }
}

/// Bodies of requests, by media type.
fn bodies(schemas: &mut Schemas) -> Value {
    let report = json!({
        "type": "spirit",
        "city": "Campinas",
        "country": "Brazil",
        "peopleCount": 12,
        "eventDate": "2026-02-28",
    });
    let rows = "type,city,country,peopleCount\nspirit,Campinas,Brazil,12\n";
    let text = json!({ "type": "string" });
    json!({
        "application/json": { "schema": schemas.request::<ReportInput>(), "example": report },
        "application/x-ndjson": { "schema": text, "example": format!("{report}\n") },
        "text/csv": { "schema": text, "example": rows },
    })
}

pub(super) fn described() -> Operation {
    let added = json!({
        "rows": 2,
        "imported": 1,
        "skipped": 0,
        "refused": 1,
        "import": "imp_1m8230hv5",
        "reasons": [{ "line": 2, "field": "city", "reason": "it is missing" }],
    });
    Operation::operators(Scope::Moderate, "post", PATH, "addReports", "Add reports")
        .about(
            "One as JSON; many as JSON lines (NDJSON) or CSV, of any length, which are added while they arrive. \
                Existing reports are skipped, so a request can be repeated. Reports added before a connection broke \
                remain. At most 1,000 `reasons` are listed. If all reports are refused, the response is a problem with them as \
                `errors`.",
        )
        .tag(REPORTS)
        .parameters(PARAMETERS)
        .takes_any_of(bodies)
        .responses::<Added>("Some were added", added)
        .creates()
        .or(StatusCode::OK, "All were there already")
        .problems(&[
            Code::InvalidCsv,
            Code::InvalidJson,
            Code::InvalidReport,
            Code::InvalidParameter,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
        ])
}
