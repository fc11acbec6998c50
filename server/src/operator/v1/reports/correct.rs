use axum::{
    Json,
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::one;
use crate::{
    api::{body, unstored},
    clock::Clock,
    domain::report::NewReport,
    http::problem::{Problem, Result, quoted},
    import::{self, Refusal},
    operator::access::{Moderator, Reader},
    store::Corrected,
    time::format_instant,
};

/// What can be corrected.
const MEMBERS: [&str; 8] =
    ["type", "city", "region", "country", "peopleCount", "eventDate", "lat", "lng"];

/// `PATCH /operator/v1/reports/{id}`: corrects what is given, and answers with the report. Of an approved one, the
/// counters and lists follow, and partners are told. 422: the report would be refused by an import.
pub async fn correct(
    State(clock): State<Clock>,
    Moderator(store): Moderator,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response> {
    let changes = body::json_object(request).await?;
    if let Some(unknown) = changes.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
        let members = MEMBERS.join(", ");
        return Err(Problem::invalid_json(format!(
            "{:?} cannot be corrected: give some of {members}.",
            quoted(unknown)
        )));
    }
    let corrected = store.correct(&id, |report| {
        let mut merged = described(report);
        merged.extend(changes.clone());
        import::one(&merged, clock.clone())
    });
    match corrected.await? {
        Corrected::Now | Corrected::Unchanged => one(Reader(store), Path(id)).await,
        Corrected::Unknown => {
            Err(Problem::not_found(format!("There is no report {:?}.", quoted(&id))))
        }
        Corrected::Refused(reasons) => Ok(refused(&reasons)),
    }
}

/// A report as a row of an import.
fn described(report: &NewReport) -> Map<String, Value> {
    let row = json!({
        "id": report.id,
        "type": report.kind.as_str(),
        "city": report.city,
        "region": report.region,
        "country": report.country,
        "peopleCount": report.people_count,
        "eventDate": report.event_date.to_string(),
        "createdAt": format_instant(report.created_at),
        "lat": report.position.map(|(lat, _)| lat),
        "lng": report.position.map(|(_, lng)| lng),
    });
    match row {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn refused(reasons: &[Refusal]) -> Response {
    let reason = |refusal: &Refusal| json!({ "field": refusal.field, "reason": refusal.reason });
    let body = json!({ "reasons": reasons.iter().map(reason).collect::<Vec<_>>() });
    unstored((StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response())
}
