//! Beginning and end of sessions.

use std::sync::Arc;

use app::base_url::BaseUrl;
use domain::actor::Actor;
use edge::Peer;
use http::request::Parts;
use limits::client_ip;
use store::Session;

use super::{
    Realm,
    session::{self, Token},
};
use crate::{keys::ApiKey, problem::Result, state::AppState};

/// Address of the browser that sends a request.
pub(crate) fn origin(app: &AppState, request: &Parts) -> String {
    let trusted = &app.settings.trusted_proxies;
    let peer = request.extensions.get::<Peer>();
    let origin = peer.map(|peer| client_ip(peer.addr.ip(), &request.headers, trusted));
    origin.map_or_else(|| "unknown".to_owned(), |ip| ip.to_string())
}

/// Author of the changes of a session, at the address of its browser.
pub(crate) fn actor(session: &Session, origin: &str) -> Actor {
    Actor {
        name: session.holder.as_str().into(),
        key: Some(session.prefix.as_str().into()),
        origin: origin.into(),
    }
}

/// Starts a session with a key. Returns its cookie; `None` if the key is not valid in this realm.
pub(crate) async fn begin(
    app: &AppState,
    realm: Realm,
    key: &str,
    origin: &str,
    base_url: &BaseUrl,
) -> Result<Option<String>> {
    let key = ApiKey::parse(key);
    let known = match &key {
        None => None,
        Some(key) => match app.keys.known(key) {
            Some(known) => Some(known),
            None => app.keys.ask(key).await?,
        },
    };
    let prefix = key.as_ref().map_or("", ApiKey::prefix);
    let holder = known.and_then(|known| app.keys.holder(known.id));
    let actor = Actor {
        name: holder.map_or_else(|| "unknown".into(), |holder| holder.name),
        key: key.as_ref().map(|key| key.prefix().into()),
        origin: origin.into(),
    };
    let store = app.store.clone().acting(actor);
    // Everybody can read a key of pages, so it is no secret of its partner.
    let known = known.filter(|known| !known.is_of_pages && realm.admits(known.tier, known.scope));
    let Some(known) = known else {
        // Limited, because an attacker with many addresses could otherwise fill the log.
        if app.visitors.may_note_refusal() {
            store.sessions().note_refused(prefix).await?;
        }
        return Ok(None);
    };
    let token = Token::generate(&app.random);
    let ends_at = app.clock.now() + session::LENGTH;
    store.sessions().begin(token.hash(), known.id, prefix, origin, ends_at).await?;
    app.known_sessions.insert(token.hash(), Arc::new(())).await;
    Ok(Some(token.cookie(realm, base_url)))
}

/// Ends a session, whose holder acts on this store. Returns the cookie that deletes its token.
pub(crate) async fn end(
    store: &store::Store,
    realm: Realm,
    token: Option<&Token>,
    base_url: &BaseUrl,
) -> Result<String> {
    if let Some(token) = token {
        store.sessions().end(token.hash()).await?;
    }
    Ok(session::forgotten(realm, base_url))
}
