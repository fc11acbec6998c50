//! Who may do what. A handler takes the store through one of these types, so it cannot be called without the scope, and
//! what it changes is in the audit log under the name of whoever asked.

use axum::extract::FromRequestParts;
use domain::{actor::Actor, scope::Scope, tier::Tier};
use edge::Peer;
use http::request::Parts;
use limits::client_ip;
use store::Store;

use crate::{
    api::Caller,
    problem::{Problem, Result},
    state::AppState,
};

/// Whoever may look at everything.
#[derive(Clone, Debug)]
pub struct Reader(pub Store);

/// Whoever may also add, correct and decide on reports.
#[derive(Clone, Debug)]
pub struct Moderator(pub Store);

/// Whoever may also make and revoke keys, and manage partners' subscriptions.
#[derive(Clone, Debug)]
pub struct Administrator(pub Store);

impl FromRequestParts<AppState> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        admit(parts, app, Scope::Read).await.map(Self)
    }
}

impl FromRequestParts<AppState> for Moderator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        admit(parts, app, Scope::Moderate).await.map(Self)
    }
}

impl FromRequestParts<AppState> for Administrator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        admit(parts, app, Scope::Admin).await.map(Self)
    }
}

/// The store as whoever asks may use it, if their key has at least the scope `needed`.
async fn admit(parts: &mut Parts, app: &AppState, needed: Scope) -> Result<Store> {
    let caller = Caller::from_request_parts(parts, app).await?;
    let Some(key) = caller.key else {
        return Err(Problem::unauthenticated(
            "The operators\u{2019} API needs an operator\u{2019}s key: send it as Authorization: Bearer svc_….",
        ));
    };
    match key.scope {
        Some(scope) if key.tier == Tier::Operator && scope >= needed => {}
        Some(scope) => {
            return Err(Problem::forbidden(format!(
                "This key has the scope {scope}, and this needs {needed}: ask for a key that has it."
            )));
        }
        None if key.tier == Tier::Operator => {
            return Err(Problem::forbidden(
                "This key has no scope, because it is older than scopes: create another with `svc keys create --tier operator \
                 --scope …`.",
            ));
        }
        None => {
            return Err(Problem::forbidden(
                "This key is a partner\u{2019}s, not an operator\u{2019}s.",
            ));
        }
    }
    let (prefix, name) = app.keys.holder(key.id).unwrap_or_default();
    let peer = parts.extensions.get::<Peer>();
    let trusted = &app.settings.trusted_proxies;
    let origin = peer.map(|peer| client_ip(peer.addr.ip(), &parts.headers, trusted).to_string());
    let actor = Actor {
        name,
        key: Some(prefix),
        origin: origin.unwrap_or_else(|| "unknown".to_owned()).into(),
    };
    Ok(app.store.clone().acting(actor))
}
