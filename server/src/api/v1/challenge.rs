use axum::{Json, extract::State, response::Response};
use base::{clock::Clock, random::Random, time::Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::{
    api::unstored,
    intake::{Intake, proof::DIFFICULTY},
    openapi::Operation,
    problem::{Code, Result},
};

/// A task whose solution is the `proof` of a report.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Challenge {
    challenge: String,
    /// Number of zero bits with which SHA-256 of the challenge, a colon and the nonce must begin.
    difficulty: u32,
    /// Time until which the challenge is accepted, once.
    expires_at: Timestamp,
}

/// `GET /api/v1/challenge`: a task for a client that submits a report without a key.
pub(crate) async fn get(
    State(intake): State<Intake>,
    State(clock): State<Clock>,
    State(random): State<Random>,
) -> Result<Response> {
    intake.check_on()?;
    let (challenge, expires_at) = intake.key().await?.challenge(clock.now(), &random);
    let expires_at = Timestamp(expires_at);
    Ok(unstored(Json(Challenge { challenge, difficulty: DIFFICULTY, expires_at })))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "challenge": "1772366400.4kPz81QwB6dJrT0sXc2v.5f0a6cf1e0b2a3d49c7e8f1029384756",
        "difficulty": DIFFICULTY,
        "expiresAt": "2026-03-01T12:00:00.000Z",
    });
    Operation::read("/api/v1/challenge", "getChallenge", "A challenge for a report")
        .about(
            "Submitting a report without a key takes a little work, so that programs cannot submit thousands: find a \
                `nonce` of at most 32 characters so that SHA-256 of the challenge, a colon and the nonce begins with \
                `difficulty` zero bits. Counting up from 0 takes a fraction of a second.",
        )
        .cache("no-store")
        .responses::<Challenge>("A challenge", example)
        .problems(&[Code::NotFound])
}
