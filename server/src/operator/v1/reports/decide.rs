use axum::{Json, extract::Request, response::Response};
use base::time::parse_date;
use domain::{
    import_id::ImportId,
    report::{Status, Step},
    scope::Scope,
};
use model::ReportType;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Period, PlaceFilter, Selection, Store};

use crate::{
    api::{
        body::{self, Member},
        unstored,
    },
    openapi::{Operation, reference},
    operator::{access::Moderator, deciding, v1::openapi::REPORTS},
    problem::{Code, Problem, Result},
};

const MEMBERS: &[Member] = &[
    Member::new("ids"),
    Member::new("import"),
    Member::object(
        "filter",
        &[
            Member::new("status"),
            Member::new("import"),
            Member::new("type"),
            Member::new("country"),
            Member::new("region"),
            Member::new("city"),
            Member::new("from"),
            Member::new("to"),
            Member::new("q"),
        ],
    ),
];

/// Which reports.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Which {
    Ids(Vec<String>),
    /// All that an import brought.
    Import(String),
    Filter(Filter),
}

/// The members narrow each other.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    status: Option<String>,
    import: Option<String>,
    r#type: Option<String>,
    country: Option<String>,
    region: Option<String>,
    city: Option<String>,
    /// Event dates.
    from: Option<String>,
    to: Option<String>,
    /// In the id or the place.
    q: Option<String>,
}

#[derive(Serialize)]
struct Decided {
    /// How many took the step.
    changed: u64,
    refused: Vec<Refused>,
}

#[derive(Serialize)]
struct Refused {
    id: String,
    reason: String,
}

/// `POST /operator/v1/reports/approve`, `reject`, `withdraw`, `reopen`: takes a step with reports. Many are decided on in
/// several transactions; if one fails, or the client goes away, those before it stay.
pub async fn decide(step: Step, Moderator(store): Moderator, request: Request) -> Result<Response> {
    let members = body::json_object(request, MEMBERS).await?;
    let which = serde_json::from_value(members.into()).map_err(|error| {
        Problem::invalid_json(format!(
            "Give one of \"ids\", a list of ids; \"import\", an import\u{2019}s id; and \"filter\", an object with \
             some of status, import, type, country, region, city, from, to and q: {error}."
        ))
    })?;
    let decided = match which {
        Which::Ids(ids) => {
            let deciding::Decided { changed, refused } =
                deciding::on_ids(&store, step, &ids).await?;
            let refused = refused.into_iter().map(|(id, reason)| Refused { id, reason });
            Decided { changed: changed.len() as u64, refused: refused.collect() }
        }
        Which::Import(import) => {
            let import = Some(import_id(&import)?);
            selected(&store, step, &Selection { import, ..Selection::default() }).await?
        }
        Which::Filter(filter) => selected(&store, step, &selection(filter)?).await?,
    };
    Ok(unstored(Json(decided)))
}

async fn selected(store: &Store, step: Step, selection: &Selection) -> Result<Decided> {
    let changed = deciding::on_selected(store, step, store.select(step, selection).await?).await?;
    Ok(Decided { changed, refused: Vec::new() })
}

fn selection(filter: Filter) -> Result<Selection> {
    let Filter { status, import, r#type, country, region, city, from, to, q } = filter;
    let kind = r#type.map(|name| {
        ReportType::from_name(&name)
            .ok_or_else(|| wrong("type", &name, "one of spirit, water and both"))
    });
    let status = status.map(|name| {
        let named = Status::ALL.into_iter().find(|status| status.as_str() == name);
        named.ok_or_else(|| {
            wrong("status", &name, "one of PENDING, APPROVED, REJECTED and WITHDRAWN")
        })
    });
    let date = |name: &'static str, text: Option<String>| {
        text.map(|text| {
            parse_date(&text).ok_or_else(|| wrong(name, &text, "a date that exists, as YYYY-MM-DD"))
        })
        .transpose()
    };
    let selection = Selection {
        status: status.transpose()?,
        import: import.as_deref().map(import_id).transpose()?,
        kind: kind.transpose()?,
        place: PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref()),
        period: Period { from: date("from", from)?, to: date("to", to)? },
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

fn import_id(text: &str) -> Result<ImportId> {
    text.parse().map_err(|_| wrong("import", text, "the id of an import, such as imp_1m8230hv5"))
}

fn wrong(name: &str, text: &str, wanted: &str) -> Problem {
    Problem::invalid_filter(format!("\"{name}\" is {text:?}: give {wanted}."))
}

pub(super) fn described() -> [Operation; 4] {
    let example = json!({ "ids": ["rep_1f0c", "rep_1f0d"] });
    let reason = "it is approved already: Maria did it at 2026-03-01T12:00:00.000Z";
    let decided = json!({ "changed": 1, "refused": [{ "id": "rep_1f0d", "reason": reason }] });
    [
        (
            "/operator/v1/reports/approve",
            "approveReports",
            "Approve reports",
            "They are published now: counted, listed, and sent to webhooks.",
        ),
        (
            "/operator/v1/reports/reject",
            "rejectReports",
            "Reject reports",
            "Reports that wait for a decision are never published.",
        ),
        (
            "/operator/v1/reports/withdraw",
            "withdrawReports",
            "Withdraw reports",
            "Published reports leave the counters and lists.",
        ),
        (
            "/operator/v1/reports/reopen",
            "reopenReports",
            "Reopen reports",
            "Rejected and withdrawn reports wait for a decision again.",
        ),
    ]
    .map(|(path, name, summary, about)| {
        Operation::operators(Scope::Moderate, "post", path, name, summary)
            .about(about)
            .tag(REPORTS)
            .takes("Decision", example.clone())
            .answers("What was decided", reference("Decided"), Some(decided.clone()))
            .problems(&[Code::InvalidFilter])
    })
}
