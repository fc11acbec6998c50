//! Administration of keys, sessions and subscriptions at the desk, for keys with the scope `admin`.

use axum::extract::FromRef;
use desk::backend::{Access, Session};
use kit::words::Word;
use store::{Disabled, Enabled, OpenSession, Revoked};

use super::{
    desk_session::DeskSession,
    overview,
    words::{
        access::{
            KEY_IS_REVOKED, KEY_WAS_ALREADY_REVOKED, LAST_KEY_IS_REVOKED, NO_SUCH_KEY,
            SESSION_HAD_ENDED, SESSION_HAS_ENDED,
        },
        webhooks::{
            DISABLED, ENABLED, ENABLED_WITH_MISSED, INVALID_REASON, NO_SUCH_SUBSCRIPTION,
            WAS_ENABLED, tested,
        },
    },
};
use crate::{
    api::v1::webhooks::Testing,
    operator::v1::webhooks::{MAX_REASON, reason},
    problem::{Problem, Result, quoted},
};

impl DeskSession {
    pub(super) async fn who_can_get_in(&self) -> Result<Access> {
        let own = self.token.as_ref().map(|token| token.hash().to_vec());
        let session = |session: OpenSession| Session {
            is_own: own.as_ref() == Some(&session.hash),
            id: hex::encode(session.hash),
            holder: session.holder,
            key: session.prefix,
            purpose: overview::purpose(session.tier, session.scope),
            from: session.origin,
            ends_at: session.ends_at.to_string(),
        };
        Ok(Access {
            keys: overview::keys(&self.store, self.app.clock.now()).await?,
            sessions: self.store.sessions().list().await?.into_iter().map(session).collect(),
        })
    }

    pub(super) async fn revoke_key(&self, prefix: &str) -> Result<String> {
        let words = self.words();
        let key = ("key", prefix);
        Ok(match self.administrator()?.keys().revoke(prefix).await? {
            Revoked::Now { disabled } if disabled.is_empty() => {
                words.with_data(KEY_IS_REVOKED, &[key])
            }
            Revoked::Now { disabled } => {
                words.with_data(LAST_KEY_IS_REVOKED, &[key, ("webhooks", &disabled.join(", "))])
            }
            Revoked::Before => words.with_data(KEY_WAS_ALREADY_REVOKED, &[key]),
            Revoked::Unknown => return Err(Problem::not_found(self.text(NO_SUCH_KEY))),
        })
    }

    pub(super) async fn sign_out_other(&self, id: &str) -> Result<String> {
        let store = self.administrator()?;
        let mut hash = [0; 32];
        let is_one = hex::decode_to_slice(id, &mut hash).is_ok();
        match is_one && store.sessions().end(hash).await? {
            true => Ok(self.text(SESSION_HAS_ENDED).to_owned()),
            false => Err(Problem::not_found(self.text(SESSION_HAD_ENDED))),
        }
    }

    pub(super) async fn enable_webhook(&self, id: &str) -> Result<String> {
        Ok(match self.administrator()?.subscriptions().enable(id).await? {
            Enabled::Now { missed: 0 } => self.text(ENABLED).to_owned(),
            Enabled::Now { missed } => self.words().sentence(ENABLED_WITH_MISSED, missed),
            Enabled::Before => self.text(WAS_ENABLED).to_owned(),
            Enabled::Unknown => return Err(self.unknown(id)),
        })
    }

    pub(super) async fn disable_webhook(&self, id: &str, text: &str) -> Result<String> {
        let reason = reason(Some(text).filter(|text| !text.trim().is_empty()));
        let reason = reason.map_err(|_| {
            let max = [("max", &*MAX_REASON.to_string())];
            Problem::invalid_parameter(self.words().with(INVALID_REASON, &max))
        })?;
        match self.administrator()?.subscriptions().disable(id, reason).await? {
            Disabled::Now | Disabled::Before => Ok(self.text(DISABLED).to_owned()),
            Disabled::Unknown => Err(self.unknown(id)),
        }
    }

    pub(super) async fn test_webhook(&self, id: &str) -> Result<String> {
        let known = self.administrator()?.subscriptions().find(id).await?;
        let seq = known.ok_or_else(|| self.unknown(id))?.seq;
        let testing = Testing::from_ref(&self.app);
        tested(&self.words(), testing.run(seq, id, None, || self.unknown(id)).await?)
    }

    fn unknown(&self, id: &str) -> Problem {
        let id = [("id", &*quoted(id))];
        Problem::not_found(self.words().with_data(NO_SUCH_SUBSCRIPTION, &id))
    }

    /// A text in the person's language, without values.
    pub(super) fn text(&self, word: Word) -> &'static str {
        word.text(self.lang)
    }
}
