//! Decisions on reports that are named by their ids.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use anyhow::Context;
use indicatif::ProgressBar;
use serde_json::json;

use super::{Verb, selected};
use crate::{
    cli::{Exit, output},
    config::Output,
    store::{Decision, Decisions, Store},
};

/// What became of the ids so far.
#[derive(Default)]
struct Outcome {
    done: Vec<String>,
    refused: Vec<(String, String)>,
}

pub(super) async fn run(
    store: &Store,
    Output { json }: Output,
    verb: Verb,
    ids: &[String],
    dry_run: bool,
) -> anyhow::Result<Exit> {
    if ids.is_empty() && !json {
        output::line(&format!("No ids on standard input: nothing to {}.", verb.base))?;
    }
    let progress = Arc::<AtomicU64>::default();
    let bar = selected::bar(ids.len() as u64, &progress);
    let mut outcome = Outcome::default();
    let mut batches = store.batches(verb.step);
    let mut rest = ids;
    while !rest.is_empty() {
        let decisions;
        (decisions, rest) = if dry_run {
            (store.foresee(verb.step, rest).await?, &[][..])
        } else {
            let next = batches.next_ids(rest).await;
            next.with_context(|| stopped(&bar, verb, outcome.done.len() as u64))?
        };
        progress.fetch_add(decisions.len() as u64, Ordering::Relaxed);
        outcome.add(decisions, |id, refused| match refused {
            _ if json => Ok(()),
            None if dry_run => {
                bar.suspend(|| output::line(&format!("{id}: would be {}", verb.past)))
            }
            None => bar.suspend(|| output::line(&format!("{id}: {}", verb.past))),
            Some(reason) => {
                bar.suspend(|| eprintln!("{id}: refused: {reason}"));
                Ok(())
            }
        })?;
    }
    bar.finish_and_clear();
    if json {
        outcome.write_json(verb, dry_run)?;
    }
    Ok(outcome.exit())
}

fn stopped(bar: &ProgressBar, verb: Verb, done: u64) -> String {
    bar.finish_and_clear();
    selected::stopped(verb, done)
}

impl Outcome {
    /// Adds what became of more ids, and gives each to `show`, the refused ones after the others.
    fn add(
        &mut self,
        decisions: Decisions,
        show: impl Fn(&str, Option<&str>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut refused = Vec::new();
        for (id, decision) in decisions {
            match decision {
                Decision::Done => {
                    show(&id, None)?;
                    self.done.push(id);
                }
                Decision::Unknown => {
                    refused.push((id, "there is no report with this id".to_owned()));
                }
                Decision::Refused { is, asked } => {
                    refused.push((id, format!("it is {is} and cannot become {asked}")));
                }
            }
        }
        for (id, reason) in &refused {
            show(id, Some(reason))?;
        }
        self.refused.append(&mut refused);
        Ok(())
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
