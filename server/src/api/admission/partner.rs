//! Callers of the routes for partners.

use axum::extract::FromRequestParts;
use domain::{actor::Actor, subscription::OPERATOR};
use http::request::Parts;
use store::{Claim, Store};

use super::{Caller, refusals::unknown_key};
use crate::problem::{Problem, Result};

/// A caller whose key may manage subscriptions: its partner's, or the operator's own.
#[derive(Clone, Debug)]
pub struct Partner {
    pub id: i64,
    /// Whether this is the sandbox of a partner.
    pub is_sandbox: bool,
    /// Author of changes, if the caller is the operator.
    pub operator: Option<Actor>,
    /// Claim of the request, if it has an `Idempotency-Key`.
    pub claim: Option<Claim>,
}

impl Partner {
    /// Whether the caller is the operator.
    pub fn is_operator(&self) -> bool {
        self.operator.is_some()
    }

    /// Returns the store for this request, in the name of the operator if the caller is one: then the audit log has all
    /// changes.
    pub fn acting(&self, store: Store) -> Store {
        let store = within(store, self.claim.as_ref());
        match &self.operator {
            Some(operator) => store.acting(operator.clone()),
            None => store,
        }
    }
}

/// Returns the store for the request with this claim.
pub(crate) fn within(store: Store, claim: Option<&Claim>) -> Store {
    match claim {
        Some(claim) => store.within(claim.clone()),
        None => store,
    }
}

impl<S: Sync> FromRequestParts<S> for Partner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Some(key) = caller.key else {
            return Err(Problem::unauthenticated(
                "Webhooks need a partner's key: send it as Authorization: Bearer svc_….",
            ));
        };
        if key.is_of_pages {
            return Err(Problem::forbidden(
                "This key is for pages, where everybody can read it: webhooks and events need another key.",
            ));
        }
        let claim = parts.extensions.get().cloned();
        if key.tier.may_subscribe() {
            let (id, is_sandbox) = (key.partner_id, key.tier.is_sandbox());
            return Ok(Self { id, is_sandbox, operator: None, claim });
        }
        if !key.may_subscribe() {
            return Err(Problem::forbidden(
                "This key is the operator's own, and only those with the scope admin have subscriptions: use \
                 one of them, or a key of the tier partner or enterprise.",
            ));
        }
        // Revoked since the request was admitted.
        let operator = caller.operator.ok_or_else(unknown_key)?;
        Ok(Self { id: OPERATOR, is_sandbox: false, operator: Some(operator), claim })
    }
}
