use axum::{
    Json,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use model::ReportType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    api::{Caller, body, unstored},
    intake::{Content, Intake, MAX_CONTACT, MAX_NOTE, Proof, Sender},
    keys::Keys,
    openapi::Operation,
    problem::{Code, Result},
};

/// A report to submit.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReportSubmission {
    r#type: ReportType,
    #[schemars(length(min = 1, max = 256))]
    city: String,
    #[schemars(length(max = 256))]
    region: Option<String>,
    #[schemars(length(min = 1, max = 256))]
    country: String,
    /// Number of people; without it, 1.
    #[schemars(range(min = 1, max = 1_000_000))]
    people_count: Option<u32>,
    /// Day of the event, not in the future; without it, today.
    #[schemars(extend("format" = "date"))]
    event_date: Option<String>,
    /// Note for the operator; never public.
    #[schemars(length(max = MAX_NOTE))]
    note: Option<String>,
    /// Address or number at which the operator can reach the sender; never public.
    #[schemars(length(max = MAX_CONTACT))]
    contact: Option<String>,
    /// Must be empty: a field that people do not see in forms, but programs fill in.
    website: Option<String>,
    /// Needed without a key.
    proof: Option<ProofOfWork>,
}

/// The solution of a challenge.
#[derive(Deserialize, JsonSchema)]
struct ProofOfWork {
    /// A challenge from `/api/v1/challenge`. It is accepted once.
    challenge: String,
    /// SHA-256 of the challenge, a colon and this text begins with as many zero bits as the challenge requires.
    nonce: String,
}

/// The report in its queue.
#[derive(Serialize, JsonSchema)]
struct SubmittedReport {
    /// Id of the report. It becomes public if the operator approves the report.
    id: String,
    #[schemars(extend("const" = "PENDING"))]
    status: &'static str,
}

/// `POST /api/v1/reports`: submits a report, which the operator decides on. Repeated within a day, it adds nothing.
pub(crate) async fn post(
    State(intake): State<Intake>,
    State(keys): State<Keys>,
    caller: Caller,
    request: Request,
) -> Result<Response> {
    intake.check_on()?;
    let network = intake.network(request.extensions(), request.headers());
    // Everybody can read a key of pages: it replaces neither proof nor quota.
    let key = caller.key.filter(|key| !key.is_of_pages);
    let holder = key.and_then(|key| keys.holder(key.id));
    let sender = holder.map_or(Sender::Network(network), |holder| Sender::Key(holder.prefix));
    let (content, proof) = body::read(request, |_| Code::InvalidBody).await.map(parts)?;
    let id = intake.receive(&content, &sender, proof).await?;
    let report = SubmittedReport { id, status: "PENDING" };
    Ok(unstored((StatusCode::ACCEPTED, Json(report)).into_response()))
}

fn parts(submission: ReportSubmission) -> (Content, Proof) {
    let row = json!({
        "type": submission.r#type.as_str(),
        "city": submission.city,
        "region": submission.region,
        "country": submission.country,
        "peopleCount": submission.people_count,
        "eventDate": submission.event_date,
    });
    let content = Content {
        row: match row {
            Value::Object(members) => members,
            _ => Map::new(),
        },
        note: submission.note.unwrap_or_default(),
        contact: submission.contact.unwrap_or_default(),
        website: submission.website.unwrap_or_default(),
    };
    let proof = submission.proof.map_or(Proof::Missing, |proof| Proof::Work {
        challenge: proof.challenge,
        nonce: proof.nonce,
    });
    (content, proof)
}

pub(super) fn described() -> Operation {
    let report = json!({
        "type": "spirit",
        "city": "Campinas",
        "country": "Brazil",
        "peopleCount": 12,
        "eventDate": "2026-02-28",
        "note": "In the garden behind the school",
        "proof": {
            "challenge": "1772366400.4kPz81QwB6dJrT0sXc2v.5f0a6cf1e0b2a3d49c7e8f1029384756",
            "nonce": "130517",
        },
    });
    let submitted = json!({ "id": "rep_8c1f0a6b2d3e4f5061728394", "status": "PENDING" });
    Operation::submission("/api/v1/reports", "submitReport", "Submit a report")
        .about(
            "If the operator has switched it on. The report waits for the operator\u{2019}s decision. Without a key, it \
                needs a `proof`, and a network can submit 5 reports an hour and 20 a day. The same report from the \
                same sender within a day adds nothing and gets the id of the first one, so a request can be repeated.",
        )
        .takes::<ReportSubmission>(report)
        .responses::<SubmittedReport>("The report is pending", submitted)
        .accepts()
        .problems(&[Code::InvalidReport, Code::InvalidProof, Code::NotFound])
}
