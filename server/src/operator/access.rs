//! Access control. A handler gets the store through one of these types, so it cannot be called without the scope, and
//! the audit log has its changes under the name of the key's holder.

use axum::extract::FromRequestParts;
use domain::{actor::Actor, scope::Scope, tier::Tier};
use edge::Peer;
use http::request::Parts;
use limits::client_ip;
use store::Store;

use crate::{
    api::{
        Caller,
        admission::{unknown_key, within},
    },
    problem::{Problem, Result},
    state::AppState,
};

macro_rules! operators {
    ($($(#[$about:meta])* $operator:ident: $scope:ident,)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $operator(pub Store);

        impl FromRequestParts<AppState> for $operator {
            type Rejection = Problem;

            async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
                admit(parts, app, Scope::$scope).await.map(Self)
            }
        }
    )*};
}

operators! {
    /// An operator who may read everything.
    Reader: Read,
    /// An operator who may also add, correct and decide on reports.
    Moderator: Moderate,
    /// An operator who may also create and revoke keys, and manage partners' subscriptions.
    Administrator: Admin,
}

/// Returns the store in the name of the operator, if the key has at least the scope `needed`.
async fn admit(parts: &mut Parts, app: &AppState, needed: Scope) -> Result<Store> {
    let caller = Caller::from_request_parts(parts, app).await?;
    let Some(key) = caller.key else {
        return Err(Problem::unauthenticated(
            "The operators\u{2019} API needs an operator\u{2019}s key: send it as Authorization: Bearer svc_….",
        ));
    };
    // All operator keys have a scope, and no others do.
    match key.scope {
        Some(scope) if key.tier == Tier::Operator && scope >= needed => {}
        Some(scope) => {
            return Err(Problem::forbidden(format!(
                "This key has the scope {scope}, but this needs {needed}: use a key with that scope."
            )));
        }
        None => {
            return Err(Problem::forbidden(
                "This key is a partner\u{2019}s, not an operator\u{2019}s.",
            ));
        }
    }
    // Revoked since the request was admitted.
    let Some(holder) = app.keys.holder(key.id) else { return Err(unknown_key()) };
    let peer = parts.extensions.get::<Peer>();
    let trusted = &app.settings.trusted_proxies;
    let origin = peer.map(|peer| client_ip(peer.addr.ip(), &parts.headers, trusted).to_string());
    let actor = Actor {
        name: holder.name,
        key: Some(holder.prefix),
        origin: origin.unwrap_or_else(|| "unknown".to_owned()).into(),
    };
    Ok(within(app.store.clone(), parts.extensions.get()).acting(actor))
}
