//! `svc audit`: the audit log.

use clap::Args;
use domain::action::Action;
use serde_json::{Value, json};
use store::{AuditEntry, AuditPage, AuditQuery, Store};

use super::{Exit, output, with_store};
use crate::config::{Database, Output};

#[derive(Args, Debug)]
pub(super) struct Audit {
    /// Only entries about the report with this id, and about the import that added it
    #[arg(long, value_name = "ID")]
    report: Option<String>,
    /// Only entries of the person with this name
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// Only entries with this action
    #[arg(long)]
    action: Option<Action>,
    /// Maximum number of entries
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

pub(super) async fn run(database: &Database, output: Output, audit: Audit) -> anyhow::Result<Exit> {
    with_store(database, None, async |store| list(store, output, audit).await).await
}

async fn list(store: &Store, output: Output, audit: Audit) -> anyhow::Result<Exit> {
    let Audit { report, actor, action, limit } = audit;
    let is_narrowed = report.is_some() || actor.is_some() || action.is_some();
    let query = AuditQuery { report, actor, action, limit, ..AuditQuery::default() };
    let AuditPage { entries, next } = store.audit_log().entries(&query).await?;
    let value = json!({ "entries": entries, "more": next.is_some() });
    let none = match is_narrowed {
        true => "No matching audit entries.",
        false => "The audit log is empty.",
    };
    let header = ["TIME", "WHO", "FROM", "ACTION", "SUBJECT", "CHANGE"];
    let exit = output::list(output, &value, none, &header, &entries, cells)?;
    if next.is_some() && !output.json {
        let shown = output::number(limit.into());
        eprintln!("Showing the newest {shown}; there are more: --limit shows them.");
    }
    Ok(exit)
}

fn cells(entry: &AuditEntry) -> Vec<String> {
    let who = match &entry.key {
        Some(key) => format!("{} ({key})", entry.actor),
        None => entry.actor.clone(),
    };
    vec![
        entry.at.to_string(),
        who,
        entry.origin.clone(),
        entry.action.as_str().to_owned(),
        entry.subject.clone(),
        change(entry.before.as_ref(), entry.after.as_ref()),
    ]
}

/// Describes a change, such as `status: PENDING → APPROVED`.
fn change(before: Option<&Value>, after: Option<&Value>) -> String {
    let after = after.and_then(Value::as_object).into_iter().flatten();
    let changes = after.map(|(name, now)| match before.and_then(|before| before.get(name)) {
        Some(was) => format!("{name}: {} → {}", shown(was), shown(now)),
        None => format!("{name}: {}", shown(now)),
    });
    changes.collect::<Vec<_>>().join(", ")
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
