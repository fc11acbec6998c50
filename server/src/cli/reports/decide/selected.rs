//! Decisions on reports that are selected by filters.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use anyhow::Context;
use domain::reason::Reason;
use indicatif::ProgressBar;
use serde_json::json;
use store::{Selection, Store};

use super::Verb;
use crate::{
    cli::{Exit, bar, output},
    config::Output,
};

pub(super) async fn run(
    store: &Store,
    Output { json }: Output,
    verb: Verb,
    reason: Option<Reason>,
    selection: &Selection,
    dry_run: bool,
) -> anyhow::Result<Exit> {
    let mut selected = store.reports().select(verb.step, selection).await?;
    let found = selected.len();
    let (mut decided, mut skipped) = (0, 0);
    if dry_run {
        decided = found;
    } else {
        let progress = Arc::<AtomicU64>::default();
        let bar = bar(found, &progress);
        let mut batches = store.reports().batches(verb.step).because(reason);
        while !selected.is_empty() {
            let batch = batches.next_selected(&mut selected).await.with_context(|| {
                bar.finish_and_clear();
                stopped(verb, decided)
            })?;
            decided += batch.decided;
            skipped += batch.skipped;
            progress.store(decided + skipped, Ordering::Relaxed);
        }
        bar.finish_and_clear();
    }
    if json {
        let mut answer = json!({ verb.past: decided, "skipped": skipped });
        if dry_run {
            answer["dryRun"] = json!(true);
        }
        output::json(&answer)?;
    } else {
        output::line(&sentence(verb, found, decided, skipped, dry_run))?;
    }
    Ok(Exit::Done)
}

fn sentence(verb: Verb, found: u64, decided: u64, skipped: u64, dry_run: bool) -> String {
    if found == 0 {
        return format!("Nothing to {}: no {} report matches.", verb.base, verb.about);
    }
    let reports = output::count(decided, "report");
    if dry_run {
        return format!("{reports} would be {} (dry run: nothing was changed).", verb.past);
    }
    let mut sentence = format!("{} {reports}", capitalized(verb.past));
    if skipped > 0 {
        sentence += &format!(
            "; {} skipped, because another person has decided on them in the meantime",
            output::count(skipped, "report")
        );
    }
    sentence + "."
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Describes the state after a command has failed midway.
pub(super) fn stopped(verb: Verb, done: u64) -> String {
    let Verb { past, present, .. } = verb;
    match done {
        0 => format!("{present} stopped; nothing was {past}"),
        _ => {
            let reports = output::count(done, "report");
            format!(
                "{present} stopped; reports {past} before that ({reports}) remain so: run the same command again for \
                    the others"
            )
        }
    }
}

/// Makes the progress bar of a decision on this many reports.
pub(super) fn bar(reports: u64, progress: &Arc<AtomicU64>) -> ProgressBar {
    let template = "{bar:32} {percent:>3} %  {counted}  {rate}  {eta} left";
    bar::bar(Some(reports), template, progress, progress, "reports")
}
