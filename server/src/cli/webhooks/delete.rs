use serde_json::json;
use store::Store;

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::Output,
};

pub(super) async fn run(store: &Store, Output { json }: Output, id: &str) -> anyhow::Result<Exit> {
    if !store.subscriptions().delete(id).await? {
        return Err(unknown(id));
    }
    if json {
        output::json(&json!({ "subscription": id, "deleted": true }))?;
    } else {
        output::line(&format!("{id} is deleted, with everything that waited for it."))?;
    }
    Ok(Exit::Done)
}
