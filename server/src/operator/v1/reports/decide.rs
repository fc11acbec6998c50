use axum::{Json, extract::Request, response::Response};
use chrono::NaiveDate;
use domain::{
    import_id::ImportId,
    reason::{MAX_CHARACTERS, Reason},
    report::{Status, Step},
    scope::Scope,
};
use model::ReportType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{Period, PlaceFilter, Selection, Store};

use crate::{
    api::{body, unstored},
    openapi::Operation,
    operator::{access::Moderator, decisions, v1::tags::REPORTS},
    problem::{Code, Problem, Result},
};

/// The reports to decide on: by their ids, by the import that added them, or by a filter. `reason` is optional; the
/// history of each report contains it.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "the reason is read apart from the target")]
enum Decision {
    Ids { ids: Vec<String>, reason: Option<Text> },
    Import { import: ImportId, reason: Option<Text> },
    Filter { filter: ReportFilter, reason: Option<Text> },
}

/// Reason of a decision.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "see Decision")]
struct Text(#[schemars(length(max = MAX_CHARACTERS))] String);

/// Reports to decide on.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Target {
    Ids(Vec<String>),
    Import(ImportId),
    Filter(ReportFilter),
}

/// Selection of reports, which must match all members. A filter with only a status is refused.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("minProperties" = 1))]
struct ReportFilter {
    status: Option<Status>,
    /// Id of an import.
    import: Option<ImportId>,
    r#type: Option<ReportType>,
    /// Country by name, in many languages, or by ISO 3166 code.
    country: Option<String>,
    /// Region. Case and accents do not matter.
    region: Option<String>,
    /// City. Case and accents do not matter.
    city: Option<String>,
    /// First event date.
    #[serde(default, deserialize_with = "body::date")]
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    from: Option<NaiveDate>,
    /// Last event date.
    #[serde(default, deserialize_with = "body::date")]
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    to: Option<NaiveDate>,
    /// Text in the name of the city, region or country, or at the beginning of the id.
    q: Option<String>,
}

/// Result of a decision.
#[derive(Serialize, JsonSchema)]
struct Decided {
    /// Number of reports that were decided on.
    changed: u64,
    refused: Vec<Refused>,
}

/// A report that was not decided on.
#[derive(Serialize, JsonSchema)]
struct Refused {
    /// Id of the report.
    id: String,
    /// Reason why it was not changed, and who changed it first.
    reason: String,
}

/// `POST /operator/v1/reports/approve`, `reject`, `withdraw`, `reopen`, `restore`: decides on reports. Many are decided on in
/// several transactions; if one fails, or the client disconnects, those before it stay.
pub async fn decide(step: Step, Moderator(store): Moderator, request: Request) -> Result<Response> {
    let code = |member: &str| match member {
        "import" | "filter" => Code::InvalidFilter,
        _ => Code::InvalidBody,
    };
    let mut members = body::object(request).await?;
    body::check_members::<Decision>(&members)?;
    let reason = reason(members.remove("reason"))?;
    let decided = match body::parsed(members, code)? {
        Target::Ids(ids) => {
            let decisions::Decided { changed, refused } =
                decisions::on_ids(&store, step, reason, &ids).await?;
            let refused =
                refused.into_iter().map(|(id, reason)| Refused { id, reason: reason.to_string() });
            Decided { changed: changed.len() as u64, refused: refused.collect() }
        }
        Target::Import(import) => {
            let import = Some(import);
            selected(&store, step, reason, &Selection { import, ..Selection::default() }).await?
        }
        Target::Filter(filter) => selected(&store, step, reason, &selection(filter)?).await?,
    };
    Ok(unstored(Json(decided)))
}

/// Reads the reason of a decision.
fn reason(member: Option<Value>) -> Result<Option<Reason>> {
    let wrong = |fault: String| Problem::invalid_body(fault).at("/reason".to_owned());
    match member {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Reason::parse(&text).map_err(wrong),
        Some(_) => Err(wrong("\"reason\" must be a string.".to_owned())),
    }
}

async fn selected(
    store: &Store,
    step: Step,
    reason: Option<Reason>,
    selection: &Selection,
) -> Result<Decided> {
    let selected = store.reports().select(step, selection).await?;
    let changed = decisions::on_selected(store, step, reason, selected).await?;
    Ok(Decided { changed, refused: Vec::new() })
}

fn selection(filter: ReportFilter) -> Result<Selection> {
    let ReportFilter { status, import, r#type, country, region, city, from, to, q } = filter;
    let selection = Selection {
        status,
        import,
        kind: r#type,
        place: PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref()),
        period: Period { from, to },
        before: None,
        text: q.filter(|text| !text.trim().is_empty()),
    };
    if selection.is_everything() {
        return Err(Problem::invalid_filter(
            "The filter would select everything: narrow it by more than the status.",
        ));
    }
    Ok(selection)
}

pub(super) fn described() -> [Operation; 5] {
    let example = json!({ "ids": ["rep_1f0c", "rep_1f0d"] });
    let reason = "it is approved already: Maria did it at 2026-03-01T12:00:00.000Z";
    let decided = json!({ "changed": 1, "refused": [{ "id": "rep_1f0d", "reason": reason }] });
    [
        (
            "/operator/v1/reports/approve",
            "approveReports",
            "Approve reports",
            "The reports are published: counted, listed, and sent to webhooks.",
        ),
        (
            "/operator/v1/reports/reject",
            "rejectReports",
            "Reject reports",
            "The pending reports are not published.",
        ),
        (
            "/operator/v1/reports/withdraw",
            "withdrawReports",
            "Withdraw reports",
            "The published reports are removed from counters and lists.",
        ),
        (
            "/operator/v1/reports/reopen",
            "reopenReports",
            "Reopen reports",
            "Rejected and withdrawn reports become pending again.",
        ),
        (
            "/operator/v1/reports/restore",
            "restoreReports",
            "Publish withdrawn reports again",
            "The withdrawn reports return to their old places in the lists, with the same `id`, `createdAt` and time of \
                publication. Webhooks receive `report.created` for each.",
        ),
    ]
    .map(|(path, name, summary, about)| {
        Operation::operators(Scope::Moderate, "post", path, name, summary)
            .about(about)
            .tag(REPORTS)
            .takes::<Decision>(example.clone())
            .responses::<Decided>("What was decided", decided.clone())
            .problems(&[Code::InvalidFilter])
    })
}
