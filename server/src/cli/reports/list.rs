use clap::Args;
use domain::report::Status;
use store::{Listed, ListedReport, ReportList, Selection, Store};

use super::filters::Filters;
use crate::{
    cli::{Exit, output},
    config::Output,
};

#[derive(Args, Debug)]
pub(in crate::cli) struct List {
    /// Only reports with this status
    #[arg(long, ignore_case = true)]
    status: Option<Status>,
    #[command(flatten)]
    filters: Filters,
    /// Maximum number of reports
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

pub(super) async fn run(
    store: &Store,
    output: Output,
    List { status, filters, limit }: &List,
) -> anyhow::Result<Exit> {
    let selection = Selection { status: *status, ..filters.selection() };
    let list = ReportList { selection, limit: *limit, ..ReportList::default() };
    let Listed { reports, next } = store.reports().list(&list).await?;
    let more = next.is_some();
    let value = serde_json::json!({ "reports": reports, "more": more });
    let header = ["ID", "STATUS", "TYPE", "PEOPLE", "EVENT DATE", "CREATED", "PLACE"];
    let exit = output::list(output, &value, "No reports.", &header, &reports, cells)?;
    if more && !output.json {
        eprintln!("{}", partial(&list, store.reports().total(&list).await?));
    }
    Ok(exit)
}

fn partial(list: &ReportList, total: Option<u64>) -> String {
    let status = list
        .selection
        .status
        .map_or_else(String::new, |status| format!("{} ", status.as_str().to_ascii_lowercase()));
    let shown = output::number(list.limit.into());
    match total {
        Some(all) => format!(
            "Showing the newest {shown} of {} {status}reports; --limit shows more.",
            output::number(all)
        ),
        None => format!(
            "Showing the newest {shown} of the {status}reports that match; there are more: --limit \
             shows them."
        ),
    }
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
        report.created_at.to_string(),
        place.join(", "),
    ]
}
