//! approve, reject, withdraw, reopen: which reports in, what became of them out.

mod named;
mod selected;

use clap::{ArgGroup, Args};

use super::{filters::Filters, ids};
use crate::{cli::Exit, config::Output, domain::report::Step, store::Store};

/// After the options of all four.
const SELECTING: &str = "\
Name reports by their ids, or select them: by --import, --type, --country and --before, which
narrow each other. With - ids are read from standard input, one a line.

Many reports are decided on in batches, so others can write meanwhile. What was selected is
settled when the command begins: reports that come in later are not touched. Run the same command
again after a crash: it goes on with what is left.";

/// Reports, named or selected.
#[derive(Args, Debug)]
#[command(after_long_help = SELECTING)]
#[command(group = ArgGroup::new("reports").arg("ids").args(Filters::FLAGS).required(true).multiple(true))]
pub(in crate::cli) struct Decide {
    /// Ids of reports; - reads them from standard input
    #[arg(value_name = "ID", conflicts_with_all = Filters::FLAGS)]
    ids: Vec<String>,
    #[command(flatten)]
    filters: Filters,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// The same, for steps that lead away from PENDING.
#[derive(Args, Debug)]
#[command(after_long_help = SELECTING)]
#[command(group = ArgGroup::new("reports")
    .args(["ids", "all_pending"])
    .args(Filters::FLAGS)
    .required(true)
    .multiple(true))]
pub(in crate::cli) struct DecidePending {
    /// Ids of reports; - reads them from standard input
    #[arg(value_name = "ID", conflicts_with_all = Filters::FLAGS)]
    ids: Vec<String>,
    /// Everything that is pending
    #[arg(long, conflicts_with = "ids")]
    all_pending: bool,
    #[command(flatten)]
    filters: Filters,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl From<DecidePending> for Decide {
    fn from(DecidePending { ids, all_pending: _, filters, dry_run }: DecidePending) -> Self {
        Self { ids, filters, dry_run }
    }
}

/// A command, in the forms that sentences need.
#[derive(Clone, Copy, Debug)]
struct Verb {
    step: Step,
    /// `approve`
    base: &'static str,
    /// `approved`
    past: &'static str,
    /// `approving`
    present: &'static str,
    /// What reports may be before: `pending`.
    about: &'static str,
}

impl Verb {
    const fn of(step: Step) -> Self {
        let (base, past, present, about) = match step {
            Step::Approve => ("approve", "approved", "approving", "pending"),
            Step::Reject => ("reject", "rejected", "rejecting", "pending"),
            Step::Withdraw => ("withdraw", "withdrawn", "withdrawing", "approved"),
            Step::Reopen => ("reopen", "reopened", "reopening", "rejected or withdrawn"),
        };
        Self { step, base, past, present, about }
    }
}

pub(super) async fn run(
    store: &Store,
    output: Output,
    step: Step,
    Decide { ids, filters, dry_run }: Decide,
) -> anyhow::Result<Exit> {
    let verb = Verb::of(step);
    if ids.is_empty() {
        selected::run(store, output, verb, &filters.selection(), dry_run).await
    } else {
        named::run(store, output, verb, &ids::read(&ids)?, dry_run).await
    }
}
