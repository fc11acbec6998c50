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
    Output { json }: Output,
    Imports { limit }: &Imports,
) -> anyhow::Result<Exit> {
    let mut imports = store.reports().imports(limit.saturating_add(1)).await?;
    let more = imports.len() > *limit as usize;
    imports.truncate(*limit as usize);
    if json {
        output::json(&serde_json::json!({ "imports": imports, "more": more }))?;
    } else if imports.is_empty() {
        output::line("No imports: `svc reports import FILE` creates one.")?;
    } else {
        let header = ["ID", "BEGAN", "AS", "PENDING", "APPROVED", "REJECTED", "WITHDRAWN", "FILE"];
        output::table(&header, &imports.iter().map(cells).collect::<Vec<_>>())?;
        if more {
            let shown = output::count(imports.len() as u64, "import");
            eprintln!("Showing the newest {shown}; there are more: --limit shows them.");
        }
    }
    Ok(Exit::Done)
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
