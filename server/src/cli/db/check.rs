use crate::{
    cli::{Exit, output},
    config::{Database, Output},
    store::{self, Missing},
};

pub(super) async fn run(database: &Database, Output { json }: Output) -> anyhow::Result<Exit> {
    let store = store::open_url(&database.database_url, Missing::Refuse).await?;
    let checked = store.check().await;
    store.close().await;
    let differences = checked?;
    if json {
        output::json(&serde_json::json!({ "differences": differences }))?;
    } else {
        for difference in &differences {
            output::line(&difference.to_string())?;
        }
        output::line(&match differences.len() as u64 {
            0 => "Everything agrees with the reports.".to_owned(),
            found => format!("{} found.", output::count(found, "difference")),
        })?;
    }
    Ok(if differences.is_empty() { Exit::Done } else { Exit::Failed })
}
