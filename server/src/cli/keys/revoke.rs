use anyhow::bail;
use serde_json::json;
use store::{Revoked, Store};

use crate::{
    cli::{Exit, output},
    config::Output,
    keys::{PREFIX_LENGTH, prefix_of},
};

pub(super) async fn run(store: &Store, output: Output, given: &str) -> anyhow::Result<Exit> {
    // Whatever was given may be a secret: no more of it than a prefix is ever shown.
    let first: String = given.chars().take(PREFIX_LENGTH).collect();
    let revoked = match prefix_of(given) {
        Some(prefix) => store.keys().revoke(prefix).await?,
        None => Revoked::Unknown,
    };
    let (text, disabled) = match revoked {
        Revoked::Now { disabled } => {
            let mut text = format!("{first} is revoked: every node refuses it within 5 seconds.");
            if !disabled.is_empty() {
                text +=
                    "\nIts partner has no other valid key, so these subscriptions are disabled:";
                disabled.iter().for_each(|id| text += &format!("\n  {id}"));
            }
            (text, disabled)
        }
        Revoked::Before => (format!("{first} was revoked before."), Vec::new()),
        Revoked::Unknown => {
            let dots = if first.len() < given.len() { "…" } else { "" };
            bail!(
                "there is no key {first:?}{dots}: give the {PREFIX_LENGTH} characters that \
                 `svc keys list` shows"
            );
        }
    };
    let value = json!({ "prefix": first, "revoked": true, "disabledSubscriptions": disabled });
    output::result(output, &value, || text)
}
