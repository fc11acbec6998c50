use clap::Args;

use crate::{
    cli::{Exit, output},
    config::Output,
    domain::report::Status,
    store::{ListedReport, Store},
};

#[derive(Args, Debug)]
pub(in crate::cli) struct List {
    /// Only reports of this status
    #[arg(long, ignore_case = true)]
    status: Option<Status>,
    /// How many at the most
    #[arg(long, default_value_t = 50, value_name = "N")]
    limit: u32,
}

pub(super) async fn run(
    store: &Store,
    Output { json }: Output,
    list: &List,
) -> anyhow::Result<Exit> {
    let reports = store.list(list.status, list.limit).await?;
    if json {
        output::json(&serde_json::json!({ "reports": reports }))?;
    } else if reports.is_empty() {
        output::line("No reports.")?;
    } else {
        let header = ["ID", "STATUS", "TYPE", "PEOPLE", "EVENT DATE", "CREATED", "PLACE"];
        output::table(&header, &reports.iter().map(cells).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn cells(report: &ListedReport) -> Vec<String> {
    let place = [&report.city, &report.region, &report.country];
    let place: Vec<&str> =
        place.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    vec![
        report.id.clone(),
        report.status.to_string(),
        report.kind.clone(),
        report.people_count.to_string(),
        report.event_date.clone(),
        report.created_at.clone(),
        place.join(", "),
    ]
}
