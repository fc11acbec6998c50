use std::path::Path;

use base::clock::Clock;
use serde_json::json;
use store::{self, Contents};

use crate::{
    cli::{Exit, output},
    config::{Database, Output},
};

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    file: &Path,
) -> anyhow::Result<Exit> {
    let now = Clock::system().now();
    let restored = store::restore(&database.database_url, file, now).await?;
    if json {
        output::json(&json!({
            "database": restored.database,
            "file": file,
            "contents": restored.contents,
            "previous": restored.previous,
            "needsMigration": restored.older,
        }))?;
        return Ok(Exit::Done);
    }
    let has = contents_of(&restored.contents);
    output::line(&format!(
        "Restored {} from {}: {has}.",
        restored.database.display(),
        file.display()
    ))?;
    if let Some(previous) = restored.previous {
        output::line(&format!("The previous database is now {}.", previous.display()))?;
    }
    if restored.older {
        output::line(
            "The backup is of an older version: `svc serve` and `svc db migrate` bring it up to date.",
        )?;
    }
    Ok(Exit::Done)
}

/// Describes the contents: `12 reports, 3 keys, 1 subscription`.
pub(super) fn contents_of(contents: &Contents) -> String {
    [(contents.reports, "report"), (contents.keys, "key"), (contents.subscriptions, "subscription")]
        .map(|(number, noun)| output::count(number.unsigned_abs(), noun))
        .join(", ")
}
