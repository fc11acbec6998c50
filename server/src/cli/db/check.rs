use serde_json::json;
use store::{self, Checked, Missing, Rebuilt, Store};

use super::rebuild::rebuild;
use crate::{
    cli::{Exit, output},
    config::{Database, Output},
};

pub(super) async fn run(database: &Database, output: Output, repair: bool) -> anyhow::Result<Exit> {
    let store = store::open_url(&database.database_url, Missing::Refuse).await?;
    let done = check(&store, output, repair).await;
    store.close().await;
    done
}

async fn check(store: &Store, Output { json }: Output, repair: bool) -> anyhow::Result<Exit> {
    let found = store.check().await?;
    if !json {
        list(&found)?;
    }
    if !repair || found.found() == 0 || found.is_file_damaged {
        if json {
            output::json(&found)?;
        } else {
            output::line(&verdict(&found))?;
        }
        return Ok(if found.found() == 0 { Exit::Done } else { Exit::Failed });
    }
    let rebuilt = rebuild(store).await?;
    let left = store.check().await?;
    if json {
        let Checked { differences, more, .. } = &found;
        let left_over = &left.differences;
        output::json(&json!({
            "differences": differences, "more": more, "repaired": rebuilt, "remaining": left_over,
        }))?;
    } else {
        list(&left)?;
        output::line(&repaired(&found, &rebuilt, &left))?;
    }
    Ok(if left.found() == 0 { Exit::Done } else { Exit::Failed })
}

fn list(checked: &Checked) -> anyhow::Result<()> {
    for difference in &checked.differences {
        output::line(&difference.to_string())?;
    }
    if checked.more > 0 {
        output::line(&format!("... and {} more", output::number(checked.more)))?;
    }
    Ok(())
}

fn verdict(found: &Checked) -> String {
    let differences = output::count(found.found(), "difference");
    if found.found() == 0 {
        "Everything agrees with the reports.".to_owned()
    } else if found.is_file_damaged {
        format!(
            "{differences} found. The file itself is damaged: restore a backup with `svc db restore FILE`."
        )
    } else {
        format!("{differences} found. `svc db check --repair` corrects them.")
    }
}

fn repaired(found: &Checked, rebuilt: &Rebuilt, left: &Checked) -> String {
    let differences = output::count(found.found(), "difference");
    if left.found() == 0 {
        format!("{differences} found and repaired. Corrected: {rebuilt}.")
    } else {
        let left = output::count(left.found(), "difference");
        format!("{differences} found; {left} left after correcting {rebuilt}. Run it again.")
    }
}
