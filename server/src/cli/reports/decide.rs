//! approve, reject, withdraw, reopen, restore: decisions on reports.

mod named;
mod selected;

use clap::{ArgGroup, Args};
use domain::{reason::Reason, report::Step};
use store::Store;

use super::{filters::Filters, ids};
use crate::{cli::Exit, config::Output};

/// Additional help of these commands.
const SELECTING: &str = "\
Give report ids, or select reports with --import, --type, --country and --before; a report has to
match all of them. With -, ids are read from standard input, one per line.

Many reports are processed in batches, so that others can write in between. The selection is made
when the command starts: reports that arrive later are not touched. After a crash, run the same
command again: it continues with what is left.";

/// Help of a command: the ways to select reports, then an example.
pub(super) fn help(example: &str) -> String {
    format!("{SELECTING}\n\n{example}")
}

/// Reports, named or selected.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("reports").arg("ids").args(Filters::FLAGS).required(true).multiple(true))]
pub(in crate::cli) struct Decide {
    /// Report ids; - reads them from standard input
    #[arg(value_name = "ID", conflicts_with_all = Filters::FLAGS)]
    ids: Vec<String>,
    #[command(flatten)]
    filters: Filters,
    /// Reason of the decision, for the history of the reports
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: Option<Reason>,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

/// Reports for steps from the status PENDING.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("reports")
    .args(["ids", "all_pending"])
    .args(Filters::FLAGS)
    .required(true)
    .multiple(true))]
pub(in crate::cli) struct DecidePending {
    /// Report ids; - reads them from standard input
    #[arg(value_name = "ID", conflicts_with_all = Filters::FLAGS)]
    ids: Vec<String>,
    /// All pending reports
    #[arg(long, conflicts_with = "ids")]
    all_pending: bool,
    #[command(flatten)]
    filters: Filters,
    /// Reason of the decision, for the history of the reports
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: Option<Reason>,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

impl From<DecidePending> for Decide {
    fn from(pending: DecidePending) -> Self {
        let DecidePending { ids, all_pending: _, filters, reason, dry_run } = pending;
        Self { ids, filters, reason, dry_run }
    }
}

fn reason(text: &str) -> Result<Reason, String> {
    Reason::parse(text)?.ok_or_else(|| "write the reason, or omit the option".to_owned())
}

/// A command in the forms that messages need.
#[derive(Clone, Copy, Debug)]
struct Verb {
    step: Step,
    /// `approve`
    base: &'static str,
    /// `approved`
    past: &'static str,
    /// `approving`
    present: &'static str,
    /// Required status of the reports: `pending`.
    about: &'static str,
}

impl Verb {
    const fn of(step: Step) -> Self {
        let (base, past, present, about) = match step {
            Step::Approve => ("approve", "approved", "approving", "pending"),
            Step::Reject => ("reject", "rejected", "rejecting", "pending"),
            Step::Withdraw => ("withdraw", "withdrawn", "withdrawing", "approved"),
            Step::Reopen => ("reopen", "reopened", "reopening", "rejected or withdrawn"),
            Step::Restore => ("restore", "restored", "restoring", "withdrawn"),
        };
        Self { step, base, past, present, about }
    }
}

pub(super) async fn run(
    store: &Store,
    output: Output,
    step: Step,
    Decide { ids, filters, reason, dry_run }: Decide,
) -> anyhow::Result<Exit> {
    let verb = Verb::of(step);
    if ids.is_empty() {
        selected::run(store, output, verb, reason, &filters.selection(), dry_run).await
    } else {
        named::run(store, output, verb, reason, &ids::read(&ids)?, dry_run).await
    }
}
