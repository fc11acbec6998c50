use std::sync::Arc;

use axum::extract::FromRequestParts;
use domain::actor::Actor;
use http::request::Parts;
use limits::{Client, Decision, Limits, Slot};

use super::refusals::used_up;
use crate::{
    keys::CallerKey,
    problem::{Problem, Result},
};

/// The client behind a request: an extension of each admitted request whose handler needs it.
#[derive(Clone, Debug)]
pub struct Caller {
    pub key: Option<CallerKey>,
    /// Client that the request counts against.
    pub client: Client,
    /// Author of changes, if an operator calls one of the routes for partners.
    pub operator: Option<Actor>,
    /// State of the quota after this request.
    pub decision: Decision,
    /// Maximum number of open streams of an address, or of a key with a quota.
    pub streams: u32,
    /// Slot of the stream that the request may open, counted until it is dropped.
    pub stream: Option<Slot>,
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::internal(Arc::new(NoCaller)))
    }
}

impl Caller {
    /// Counts the rest of a request that costs as much as several, and returns the state of the quota after it.
    ///
    /// # Errors
    /// 429 if the quota has not that many left.
    pub async fn charge(&self, limits: &Limits, count: u32) -> Result<Decision> {
        let decision = limits.take_many(self.client, &self.decision.quota, count).await;
        match decision.accepted {
            true => Ok(decision),
            false => Err(used_up(self.client, &decision)),
        }
    }
}

/// Error of a handler that takes a [`Caller`] on a route without an [`Admission`].
#[derive(Debug, thiserror::Error)]
#[error("a request bypassed admission")]
struct NoCaller;
