use serde_json::json;
use store::{Disabled, Store};

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::Output,
};

pub(super) async fn run(
    store: &Store,
    output: Output,
    id: &str,
    reason: &str,
) -> anyhow::Result<Exit> {
    let text = match store.subscriptions().disable(id, reason).await? {
        Disabled::Now => format!(
            "{id} is disabled. Its events are kept until `svc webhooks enable {id}`, or until they are pruned from the \
                log."
        ),
        Disabled::Before => format!(
            "{id} is disabled already. From now on only you can enable it, and its partner sees \
             this reason: {reason}"
        ),
        Disabled::Unknown => return Err(unknown(id)),
    };
    output::result(output, &json!({ "subscription": id, "disabled": true }), || text)
}
