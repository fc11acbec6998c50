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
                "The source was changed after the moment that the copy is of: stop every service that uses it, \
                 and copy it to another empty database.",
            )?;
        }
    }
    Ok(Exit::Done)
}

fn document(copied: &Copied) -> serde_json::Value {
    json!({
        "from": copied.from,
        "to": copied.to,
        "tables": copied.tables,
        "rows": rows(copied),
        "secretKeys": copied.secrets.keys,
        "sourceHasChanged": copied.source_has_changed,
    })
}

fn table(tables: &[CopiedTable]) -> anyhow::Result<()> {
    let rows =
        tables.iter().map(|CopiedTable { table, rows }| vec![table.clone(), output::number(*rows)]);
    output::table(&["TABLE", "ROWS"], &rows.collect::<Vec<_>>())
}

fn rows(copied: &Copied) -> u64 {
    copied.tables.iter().map(|table| table.rows).sum()
}

fn sentence(copied: &Copied) -> String {
    let Copied { from, to, .. } = copied;
    format!("{to} is a complete copy of {from} now, with {}.", output::count(rows(copied), "row"))
}

/// Step that a service on the copy needs to sign webhooks, if it cannot.
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
