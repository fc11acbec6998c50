//! approve, reject, withdraw: ids in, what became of each out.

use clap::Args;
use serde_json::json;

use crate::{
    cli::{Exit, output},
    config::Output,
    store::{Decision, Decisions, Store},
};

/// Reports that one transaction takes when all pending ones are published.
const BATCH: u32 = 1_000;

#[derive(Args, Debug)]
pub(in crate::cli) struct Ids {
    /// Ids of reports
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Approve {
    /// Ids of reports
    #[arg(value_name = "ID", required_unless_present = "all_pending")]
    ids: Vec<String>,
    /// Everything that is pending
    #[arg(long, conflicts_with = "ids")]
    all_pending: bool,
}

pub(super) async fn approve(
    store: &Store,
    output: Output,
    Approve { ids, all_pending }: Approve,
) -> anyhow::Result<Exit> {
    if !all_pending {
        let decisions = store.publish(&ids).await?;
        return report(output, "approved", &decisions);
    }
    let mut approved: u64 = 0;
    loop {
        let ids = store.pending(BATCH).await?;
        if ids.is_empty() {
            break;
        }
        let decisions = store.publish(&ids).await?;
        // Another process may have decided on some of them meanwhile: that is no refusal here.
        approved += decisions.iter().filter(|(_, made)| *made == Decision::Done).count() as u64;
    }
    if output.json {
        output::json(&json!({ "approved": approved }))?;
    } else {
        output::line(&format!("Approved {}.", output::count(approved, "report")))?;
    }
    Ok(Exit::Done)
}

pub(super) async fn reject(store: &Store, output: Output, ids: &Ids) -> anyhow::Result<Exit> {
    report(output, "rejected", &store.reject(&ids.ids).await?)
}

pub(super) async fn withdraw(store: &Store, output: Output, ids: &Ids) -> anyhow::Result<Exit> {
    report(output, "withdrawn", &store.withdraw(&ids.ids).await?)
}

fn report(Output { json }: Output, done: &str, decisions: &Decisions) -> anyhow::Result<Exit> {
    let refusal = |decision: &Decision| match decision {
        Decision::Done => None,
        Decision::Unknown => Some("there is no report with this id".to_owned()),
        Decision::Refused { is, asked } => Some(format!("it is {is} and cannot become {asked}")),
    };
    let (mut good, mut refused) = (Vec::new(), Vec::new());
    for (id, decision) in decisions {
        match refusal(decision) {
            None => good.push(id),
            Some(reason) => refused.push((id, reason)),
        }
    }
    if json {
        let refused: Vec<_> =
            refused.iter().map(|(id, reason)| json!({ "id": id, "reason": reason })).collect();
        output::json(&json!({ done: good, "refused": refused }))?;
    } else {
        for id in &good {
            output::line(&format!("{id}: {done}"))?;
        }
        for (id, reason) in &refused {
            eprintln!("{id}: refused: {reason}");
        }
    }
    Ok(match (good.is_empty(), refused.is_empty()) {
        (_, true) => Exit::Done,
        (false, false) => Exit::SomeRefused,
        (true, false) => Exit::Failed,
    })
}
