//! Administration of keys, sessions and subscriptions at the desk, for keys with the scope `admin`.

use axum::extract::FromRef;
use desk::backend::{Access, Session};
use store::{Disabled, Enabled, OpenSession, Revoked};

use super::{desk_session::DeskSession, overview};
use crate::{
    api::v1::webhooks::{Tested, Testing},
    operator::v1::webhooks::{reason, unknown},
    problem::{Problem, Result},
};

impl DeskSession {
    pub(super) async fn who_can_get_in(&self) -> Result<Access> {
        let own = self.token.as_ref().map(|token| token.hash().to_vec());
        let session = |session: OpenSession| Session {
            is_own: own.as_ref() == Some(&session.hash),
            id: hex::encode(session.hash),
            holder: session.holder,
            key: session.prefix,
            from: session.origin,
            ends_at: session.ends_at.to_string(),
        };
        Ok(Access {
            keys: overview::keys(&self.store, self.app.clock.now()).await?,
            sessions: self.store.sessions().list().await?.into_iter().map(session).collect(),
        })
    }

    pub(super) async fn revoke_key(&self, prefix: &str) -> Result<String> {
        Ok(match self.administrator()?.keys().revoke(prefix).await? {
            Revoked::Now { disabled } if disabled.is_empty() => {
                format!("The key {prefix} is revoked.")
            }
            Revoked::Now { disabled } => format!(
                "The key {prefix} is revoked. It was the partner\u{2019}s last one, so these webhooks are disabled: \
                    {}.",
                disabled.join(", ")
            ),
            Revoked::Before => format!("The key {prefix} was already revoked."),
            Revoked::Unknown => return Err(Problem::not_found("There is no such key.")),
        })
    }

    pub(super) async fn sign_out_other(&self, id: &str) -> Result<String> {
        let store = self.administrator()?;
        let mut hash = [0; 32];
        let is_one = hex::decode_to_slice(id, &mut hash).is_ok();
        match is_one && store.sessions().end(hash).await? {
            true => Ok("The session has ended.".to_owned()),
            false => Err(Problem::not_found("This session has ended already.")),
        }
    }

    pub(super) async fn enable_webhook(&self, id: &str) -> Result<String> {
        Ok(match self.administrator()?.subscriptions().enable(id).await? {
            Enabled::Now { missed: 0 } => "The webhook is enabled.".to_owned(),
            Enabled::Now { missed: 1 } => {
                "The webhook is enabled, and receives the event that it missed.".to_owned()
            }
            Enabled::Now { missed } => {
                format!("The webhook is enabled, and receives the {missed} events that it missed.")
            }
            Enabled::Before => "The webhook was enabled already.".to_owned(),
            Enabled::Unknown => return Err(unknown(id)),
        })
    }

    pub(super) async fn disable_webhook(&self, id: &str, text: &str) -> Result<String> {
        let reason = reason(Some(text).filter(|text| !text.trim().is_empty()))?;
        match self.administrator()?.subscriptions().disable(id, reason).await? {
            Disabled::Now | Disabled::Before => {
                Ok("The webhook is disabled: its events are kept.".to_owned())
            }
            Disabled::Unknown => Err(unknown(id)),
        }
    }

    pub(super) async fn test_webhook(&self, id: &str) -> Result<String> {
        let known = self.administrator()?.subscriptions().find(id).await?;
        let seq = known.ok_or_else(|| unknown(id))?.seq;
        let tested = Testing::from_ref(&self.app).run(seq, id, || unknown(id)).await?;
        let Tested { status, duration_ms, error } = tested;
        match (status, error) {
            (Some(status @ 200..300), _) => {
                Ok(format!("The endpoint responded {status} after {duration_ms} ms."))
            }
            (Some(status), _) => Err(Problem::conflict(format!(
                "The endpoint responded {status} after {duration_ms} ms, which is not a success."
            ))),
            (None, error) => {
                let error = error.unwrap_or_else(|| "unknown".to_owned());
                Err(Problem::conflict(format!("The endpoint did not respond: {error}.")))
            }
        }
    }
}
