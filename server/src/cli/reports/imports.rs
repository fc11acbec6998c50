use clap::Args;
use store::{ListedImport, Mode, Store};

use crate::{
    cli::{Exit, output},
    config::Output,
};

#[derive(Args, Debug)]
pub(in crate::cli) struct Imports {
    /// Maximum number of imports
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

/// Characters of a file's name in the table; the JSON has all of it.
const LONGEST: usize = 60;

pub(super) async fn run(
    store: &Store,
    output: Output,
    Imports { limit }: &Imports,
) -> anyhow::Result<Exit> {
    let mut imports = store.reports().imports(limit.saturating_add(1)).await?;
    let more = imports.len() > *limit as usize;
    imports.truncate(*limit as usize);
    let value = serde_json::json!({ "imports": imports, "more": more });
    let none = "No imports: `svc reports import FILE` creates one.";
    let header = ["ID", "BEGAN", "AS", "PENDING", "APPROVED", "REJECTED", "WITHDRAWN", "FILE"];
    let exit = output::list(output, &value, none, &header, &imports, cells)?;
    if more && !output.json {
        let shown = output::count(imports.len() as u64, "import");
        eprintln!("Showing the newest {shown}; there are more: --limit shows them.");
    }
    Ok(exit)
}

fn cells(import: &ListedImport) -> Vec<String> {
    let mode = match import.mode {
        Mode::Backfill => "history",
        Mode::Approve => "approved",
        Mode::Pending | Mode::DryRun => "pending",
    };
    let counts = &import.reports;
    let mut cells = vec![import.id.to_string(), import.created_at.to_string(), mode.to_owned()];
    cells.extend(
        [counts.pending, counts.approved, counts.rejected, counts.withdrawn]
            .map(|count| count.to_string()),
    );
    cells.push(match &import.file {
        None => "(standard input)".to_owned(),
        Some(file) => output::cut(&file.replace(char::is_control, "\u{fffd}"), LONGEST),
    });
    cells
}
