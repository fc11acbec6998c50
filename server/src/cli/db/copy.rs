use serde_json::json;
use store::{self, Copied, CopiedSecrets, secrets::KeyId};

use crate::{
    cli::{Exit, bar, output},
    config::Output,
};

pub(super) async fn run(Output { json }: Output, from: &str, to: &str) -> anyhow::Result<Exit> {
    let bar = bar::stages();
    let copied = store::copy(from, to, &|progress| bar::show(&bar, progress)).await;
    bar.finish_and_clear();
    let copied = copied?;
    if json {
        output::json(&json!({
            "from": copied.from,
            "to": copied.to,
            "tables": copied.tables,
            "rows": rows(&copied),
            "secretKeys": copied.secrets.keys,
            "sourceHasChanged": copied.source_has_changed,
        }))?;
    } else {
        let tables = copied.tables.iter();
        let tables = tables.map(|table| vec![table.table.clone(), output::number(table.rows)]);
        output::table(&["TABLE", "ROWS"], &tables.collect::<Vec<_>>())?;
        let rows = output::count(rows(&copied), "row");
        let Copied { from, to, .. } = &copied;
        output::line(&format!("{to} is a complete copy of {from} now, with {rows}."))?;
        if let Some(advice) = advice(&copied.secrets) {
            output::line(&advice)?;
        }
        if copied.source_has_changed {
            output::line(
                "The source has changed since the copy began: stop every service that uses it, and copy it to another \
                    empty database.",
            )?;
        }
    }
    Ok(Exit::Done)
}

fn rows(copied: &Copied) -> u64 {
    copied.tables.iter().map(|table| table.rows).sum()
}

/// Step that a service on the copy needs to sign webhooks, if it cannot.
fn advice(CopiedSecrets { keys, source, target, missing }: &CopiedSecrets) -> Option<String> {
    if !missing {
        return None;
    }
    let noun = if keys.len() == 1 { "key" } else { "keys" };
    let keys = keys.iter().map(KeyId::as_str).collect::<Vec<_>>().join(", ");
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
            "give its service the SVC_SECRET_KEY or --secret-key-file that it had on the source"
                .to_owned()
        }
    };
    Some(format!("Its webhook secrets need the {noun} {keys}, which no database has: {todo}."))
}
