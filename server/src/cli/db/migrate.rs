use serde_json::json;
use store::{self, Missing};

use crate::{
    cli::{Exit, output},
    config::{Database, Output, SecretKeys},
};

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    secret_keys: &SecretKeys,
) -> anyhow::Result<Exit> {
    let keyring = secret_keys.keyring()?;
    let store = store::open_with(&database.database_url, Missing::Create, keyring).await?;
    let (name, done) = (store.name(), store.migrated());
    store.close().await;
    if json {
        output::json(&json!({
            "migrated": true,
            "database": name,
            "new": done.new,
            "applied": done.applied,
        }))?;
        return Ok(Exit::Done);
    }
    output::line(&match (done.new, done.applied as u64) {
        (true, _) => format!("Created the database {name}."),
        (_, 0) => format!("The database {name} is up to date."),
        (_, applied) => {
            let migrations = output::count(applied, "migration");
            format!("The database {name} is up to date now, after {migrations}.")
        }
    })?;
    Ok(Exit::Done)
}
