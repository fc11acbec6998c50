//! Decisions on reports by id.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::Context;
use domain::reason::Reason;
use serde_json::json;
use store::{Decisions, Store};

use super::{Verb, selected};
use crate::{
    cli::{Exit, output},
    config::Output,
};

/// Results of the ids so far.
#[derive(Default)]
struct Outcome {
    done: Vec<String>,
    refused: Vec<(String, String)>,
}

pub(super) async fn run(
    store: &Store,
    Output { json }: Output,
    verb: Verb,
    reason: Option<Reason>,
    ids: &[String],
    dry_run: bool,
) -> anyhow::Result<Exit> {
    if ids.is_empty() && !json {
        output::line(&format!("No ids on standard input: nothing to {}.", verb.base))?;
    }
    let progress = Arc::<AtomicU64>::default();
    let bar = selected::bar(ids.len() as u64, &progress);
    let mut outcome = Outcome::default();
    let mut shown = Ok(());
    let mut batches = store.reports().batches(verb.step).because(reason);
    let mut rest = ids;
    while !rest.is_empty() {
        let decisions;
        (decisions, rest) = if dry_run {
            (store.reports().foresee(verb.step, rest).await?, &[][..])
        } else {
            let next = batches.next_ids(rest).await;
            next.with_context(|| {
                bar.finish_and_clear();
                selected::stopped(verb, outcome.done.len() as u64)
            })?
        };
        progress.fetch_add(decisions.len() as u64, Ordering::Relaxed);
        let (done, refused) = outcome.add(decisions);
        // All ids are decided on, even if the output can no longer be written.
        if !json && shown.is_ok() {
            shown = bar.suspend(|| show(verb, dry_run, done, refused));
        }
    }
    bar.finish_and_clear();
    shown?;
    if json {
        outcome.write_json(verb, dry_run)?;
    }
    Ok(outcome.exit())
}

fn show(
    verb: Verb,
    dry_run: bool,
    done: &[String],
    refused: &[(String, String)],
) -> anyhow::Result<()> {
    let becomes = if dry_run { "would be " } else { "" };
    let mut out = io::stdout().lock();
    for id in done {
        writeln!(out, "{id}: {becomes}{}", verb.past)?;
    }
    let mut err = io::stderr().lock();
    for (id, reason) in refused {
        writeln!(err, "{id}: refused: {reason}")?;
    }
    Ok(())
}

impl Outcome {
    /// Adds the results of more ids; returns the added ones.
    fn add(&mut self, decisions: Decisions) -> (&[String], &[(String, String)]) {
        let (done, refused) = (self.done.len(), self.refused.len());
        for (id, decision) in decisions {
            match decision.refusal() {
                None => self.done.push(id),
                Some(reason) => self.refused.push((id, reason)),
            }
        }
        (&self.done[done..], &self.refused[refused..])
    }

    fn write_json(&self, verb: Verb, dry_run: bool) -> anyhow::Result<()> {
        let refused: Vec<_> =
            self.refused.iter().map(|(id, reason)| json!({ "id": id, "reason": reason })).collect();
        let mut answer = json!({ verb.past: self.done, "refused": refused });
        if dry_run {
            answer["dryRun"] = json!(true);
        }
        output::json(&answer)
    }

    fn exit(&self) -> Exit {
        match (self.done.is_empty(), self.refused.is_empty()) {
            (_, true) => Exit::Done,
            (false, false) => Exit::SomeRefused,
            (true, false) => Exit::Failed,
        }
    }
}
