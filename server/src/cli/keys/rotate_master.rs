use serde_json::json;
use store::{
    Rotated, Store,
    secrets::{KeyId, KeyLocation},
};

use crate::{
    cli::{Exit, output, with_store},
    config::{Database, Output, SecretKeys},
};

pub(super) async fn run(
    database: &Database,
    output: Output,
    secret_keys: &SecretKeys,
    lost_key: Option<&KeyId>,
) -> anyhow::Result<Exit> {
    let keyring = secret_keys.keyring()?;
    with_store(database, keyring, async |store| rotate(store, output, lost_key).await).await
}

async fn rotate(
    store: &Store,
    Output { json }: Output,
    lost_key: Option<&KeyId>,
) -> anyhow::Result<Exit> {
    let deleted = match lost_key {
        Some(key) => store.subscriptions().give_up_key(key).await?,
        None => Vec::new(),
    };
    let rotated = store.subscriptions().rotate_master().await?;
    let keyring = store.keyring();
    let place = keyring.place();
    if json {
        let file = place.file();
        let (key, secrets) = rotated.as_ref().map(|done| (&done.key, done.secrets)).unzip();
        let retired = rotated.as_ref().map_or(&[][..], |done| &done.retired);
        output::json(&json!({
            "key": key,
            "secrets": secrets.unwrap_or(0),
            "retired": retired,
            "file": file,
            "deleted": deleted,
        }))?;
    } else {
        if let Some(key) = lost_key {
            let count = output::count(deleted.len() as u64, "subscription");
            let ids = deleted.iter().map(|id| format!(" {id}")).collect::<String>();
            output::line(&format!("Deleted {count} whose key {key} is lost.{ids}"))?;
        }
        output::line(&match rotated {
            None => format!(
                "There is no key in {place} yet: the service makes one when the first secret is stored."
            ),
            Some(rotated) => sentences(&rotated, place),
        })?;
    }
    Ok(Exit::Done)
}

fn sentences(
    Rotated { key, secrets, retired, continued }: &Rotated,
    place: &KeyLocation,
) -> String {
    let count = output::count(*secrets, "secret");
    let ids: Vec<&str> = retired.iter().map(|key| key.as_str()).collect();
    let ids = ids.join(", ");
    match place {
        KeyLocation::Environment | KeyLocation::Nowhere => format!(
            "All webhook secrets are encrypted with the key {key} now ({count} re-encrypted). Remove the others \
                ({ids}) from SVC_SECRET_KEY, and restart the service. Keep them as long as backups from before."
        ),
        KeyLocation::File(file) => {
            let file = file.display();
            let began = match continued {
                true => "Completed a rotation that was interrupted: all webhook secrets",
                false => "All webhook secrets",
            };
            format!(
                "{began} are encrypted with the key {key} now ({count} re-encrypted). {file} has no other key any \
                    more: keep a copy of it, apart from backups. Backups from before need the old one ({ids})."
            )
        }
    }
}
