use serde_json::json;
use store::Store;

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::Output,
};

pub(super) async fn run(store: &Store, output: Output, id: &str) -> anyhow::Result<Exit> {
    if !store.subscriptions().delete(id).await? {
        return Err(unknown(id));
    }
    output::result(output, &json!({ "subscription": id, "deleted": true }), || {
        format!("{id} is deleted, with its pending events.")
    })
}
