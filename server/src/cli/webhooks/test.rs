use anyhow::anyhow;
use base::clock::Clock;
use clap::Args;
use domain::subscription::SubscriptionStatus;
use serde_json::json;
use store::{Ended, NextStep, Store};
use webhooks::{
    client::Client,
    resolver::Resolver,
    test_request::{self, Tested},
    url::{Refusal, WebhookUrl},
};

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::{Output, SecretKeys, WebhookTargets},
};

#[derive(Args, Debug)]
pub(in crate::cli) struct Test {
    /// Id of the subscription
    id: String,
    #[command(flatten)]
    endpoints: WebhookTargets,
    #[command(flatten)]
    pub(super) secret_keys: SecretKeys,
}

pub(super) async fn run(
    store: &Store,
    Output { json }: Output,
    Test { id, endpoints, secret_keys: _ }: &Test,
) -> anyhow::Result<Exit> {
    let listed = store.subscriptions().find(id).await?.ok_or_else(|| unknown(id))?;
    let resolver = Resolver::system();
    check(&listed.subscription.url, endpoints, &resolver).await.map_err(|refusal| {
        anyhow!(
            "nothing was sent. {refusal} If `svc serve` runs with --webhook-allow-http, \
             --webhook-allow-private or --webhook-deny, give the same here."
        )
    })?;
    let client = Client::new(endpoints.clone(), resolver)?;
    let tested = test_request::send(store, &client, &Clock::system(), listed.seq, id, None).await?;
    let Tested { ended, disabled } = tested.ok_or_else(|| unknown(id))?;
    if let Some(reason) = disabled {
        eprintln!("{id} is disabled now: {reason}");
    }
    let delivered = ended.next == NextStep::Delivered;
    if json {
        output::json(&json!({
            "delivery": ended.id.to_string(),
            "delivered": delivered,
            "statusCode": ended.outcome.as_ref().ok(),
            "error": ended.outcome.as_ref().err(),
            "durationMs": ended.duration,
        }))?;
    } else {
        output::line(&sentence(&ended))?;
        if delivered && listed.subscription.status == SubscriptionStatus::Disabled {
            output::line(&format!(
                "The subscription remains disabled: `svc webhooks enable {id}` enables it."
            ))?;
        }
    }
    Ok(if delivered { Exit::Done } else { Exit::Failed })
}

/// Checks that the URL is allowed. The receiver is not to blame for a URL that is not allowed, so nothing is recorded
/// about it. A host name that does not resolve is the receiver's fault, so it passes this check.
async fn check(url: &str, allowed: &WebhookTargets, resolver: &Resolver) -> Result<(), Refusal> {
    let url = WebhookUrl::parse(url, allowed)?;
    match url.check_reachable(resolver, allowed).await {
        Err(Refusal::Invalid(_)) => Ok(()),
        judged => judged,
    }
}

fn sentence(Ended { outcome, next, duration, .. }: &Ended) -> String {
    let word = if *next == NextStep::Delivered { "Delivered" } else { "Failed" };
    match outcome {
        Ok(status) => format!("{word}: {status} in {duration} ms."),
        // Some errors end with a full stop.
        Err(error) => format!("{word}: {}.", error.trim_end_matches('.')),
    }
}
