use anyhow::bail;
use domain::subscription::DeliveryId;
use serde_json::json;
use store::{Redelivered, Store};

use crate::{
    cli::{Exit, output},
    config::Output,
};

pub(super) async fn run(store: &Store, output: Output, id: DeliveryId) -> anyhow::Result<Exit> {
    match store.deliveries().redeliver(id).await? {
        Redelivered::Due => {}
        Redelivered::Disabled => {
            let listed = store.subscriptions().list().await?;
            let its = listed.into_iter().find(|listed| listed.seq == id.subscription);
            let its = its.map_or_else(|| "ID".to_owned(), |listed| listed.subscription.id);
            bail!("the subscription of {id} is disabled: run `svc webhooks enable {its}` first");
        }
        Redelivered::Unknown => bail!(
            "there is no delivery {id}: `svc webhooks deliveries` lists those that are still kept"
        ),
    }
    output::result(output, &json!({ "delivery": id.to_string(), "due": true }), || {
        format!("{id} is due: a running service sends it now.")
    })
}
