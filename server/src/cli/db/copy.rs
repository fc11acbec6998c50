use serde_json::json;
use store::{self, Copied, CopiedSecrets, CopiedTable};

use crate::{
    cli::{Exit, bar, output},
    config::Output,
};

pub(super) async fn run(Output { json }: Output, from: &str, to: &str) -> anyhow::Result<Exit> {
    let bar = bar::stages();
    let copied = store::copy(from, to, &|progress| {
        bar.set_length(progress.of);
        bar.set_position(progress.done);
        bar.set_message(progress.to_string());
    })
    .await;
    bar.finish_and_clear();
    let copied = copied?;
    if json {
        output::json(&document(&copied))?;
    } else {
        table(&copied.tables)?;
        output::line(&sentence(&copied))?;
        if let Some(advice) = advice(&copied.secrets) {
            output::line(&advice)?;
        }
        if copied.source_has_changed {
            output::line(
                "The source has changed meanwhile: stop the service that uses it, and run this again \
                 before you start one on the copy.",
            )?;
        }
    }
    Ok(Exit::Done)
}

fn document(copied: &Copied) -> serde_json::Value {
    let [rows, written, removed] = totals(copied);
    json!({
        "from": copied.from,
        "to": copied.to,
        "tables": copied.tables,
        "rows": rows,
        "written": written,
        "removed": removed,
        "secretKeys": copied.secrets.keys,
        "sourceHasChanged": copied.source_has_changed,
    })
}

fn table(tables: &[CopiedTable]) -> anyhow::Result<()> {
    let rows: Vec<Vec<String>> = tables
        .iter()
        .map(|CopiedTable { table, rows, written, removed }| {
            let mut cells = vec![(*table).to_owned()];
            cells.extend([rows, written, removed].map(|number| output::number(*number)));
            cells
        })
        .collect();
    output::table(&["TABLE", "ROWS", "WRITTEN", "REMOVED"], &rows)
}

/// Rows that both have, were written, and were removed.
fn totals(Copied { tables, .. }: &Copied) -> [u64; 3] {
    tables.iter().fold([0; 3], |[rows, written, removed], table| {
        [rows + table.rows, written + table.written, removed + table.removed]
    })
}

fn sentence(copied: &Copied) -> String {
    let [rows, written, removed] = totals(copied);
    let Copied { from, to, .. } = copied;
    let (written, removed) = (output::number(written), output::number(removed));
    format!(
        "{to} is a complete copy of {from} now, with {}: {written} written, {removed} removed.",
        output::count(rows, "row")
    )
}

/// What to do so that a service on the copy can sign webhooks; nothing if it can.
fn advice(CopiedSecrets { keys, source, target, missing }: &CopiedSecrets) -> Option<String> {
    if !missing {
        return None;
    }
    let (keys, noun) = match &keys[..] {
        [key] => (key.to_string(), "key"),
        keys => {
            let ids: Vec<String> = keys.iter().map(ToString::to_string).collect();
            (ids.join(", "), "keys")
        }
    };
    let todo = match (source, target) {
        (Some(source), Some(target)) => {
            format!("copy {} to {}", source.display(), target.display())
        }
        (None, Some(target)) => format!(
            "put the key file at {}, or give its service the SVC_SECRET_KEY or --secret-key-file that it \
             had on the source",
            target.display()
        ),
        (Some(source), None) => {
            format!("give all services on it a copy of {} with --secret-key-file", source.display())
        }
        (None, None) => {
            "give its service the SVC_SECRET_KEY or --secret-key-file that it had on the \
                         source"
                .to_owned()
        }
    };
    Some(format!("Its webhook secrets need the {noun} {keys}, which no database has: {todo}."))
}
