use store::{self, Missing, Rebuilt, Store};

use crate::{
    cli::{Exit, bar, output},
    config::{Database, Output},
};

pub(super) async fn run(database: &Database, Output { json }: Output) -> anyhow::Result<Exit> {
    let store = store::open_url(&database.database_url, Missing::Refuse).await?;
    let rebuilt = rebuild(&store).await;
    store.close().await;
    let rebuilt = rebuilt?;
    if json {
        output::json(&rebuilt)?;
    } else {
        let reports = output::count(rebuilt.reports, "report");
        output::line(&if rebuilt.is_nothing() {
            format!("Compared with {reports}: everything agreed already.")
        } else {
            format!("Compared with {reports}. Corrected: {rebuilt}.")
        })?;
    }
    Ok(Exit::Done)
}

/// Rebuilds with a progress bar.
pub(super) async fn rebuild(store: &Store) -> store::Result<Rebuilt> {
    let bar = bar::stages();
    let rebuilt = store.rebuild(&|progress| bar::show(&bar, progress)).await;
    bar.finish_and_clear();
    rebuilt
}
