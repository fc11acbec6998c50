//! A list of reports as CSV.

use axum::{
    extract::{Request, State},
    response::Response,
};
use store::{ListedReport, ReportList};

use super::{csv_file, desk_session::DeskSession, lists};
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::{Problem, Result},
    state::AppState,
};

/// Number of reports read at once.
const PART: u32 = 1_000;

/// Columns: those of a file for an import, and two that only a list has.
const COLUMNS: [&str; 12] = [
    "id",
    "type",
    "city",
    "region",
    "country",
    "peopleCount",
    "eventDate",
    "createdAt",
    "lat",
    "lng",
    "status",
    "publishedAt",
];

/// `GET /desk/reports.csv`: all reports of a list, with the query of its page. Reports that are added
/// or decided on while it is sent may be missing.
pub(super) async fn download(State(app): State<AppState>, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let session = DeskSession::of(&app, &parts, base_url).await?;
    if !session.is_taken() {
        return Err(Problem::unauthenticated("Sign in at the desk to see this."));
    }
    let (_, list) = lists::list(parts.uri.query().unwrap_or_default())?;
    let first = ReportList { after: None, limit: PART, ..list };
    let store = app.store.clone();
    let read = move |list: ReportList| {
        let store = store.clone();
        async move {
            let listed = store.reports().list(&list).await?;
            let next = listed.next.map(|next| ReportList { after: Some(next), ..list });
            Ok((listed.reports.into_iter().map(row).collect(), next))
        }
    };
    csv_file::respond("reports.csv", &COLUMNS, first, read).await
}

fn row(report: ListedReport) -> Vec<String> {
    let degrees = |degrees: Option<f64>| degrees.map(|degrees| degrees.to_string());
    let (lat, lng) = report.position.map(|position| (position.lat, position.lng)).unzip();
    vec![
        report.id,
        report.kind,
        report.city,
        report.region,
        report.country,
        report.people_count.to_string(),
        report.event_date,
        report.created_at.to_string(),
        degrees(lat).unwrap_or_default(),
        degrees(lng).unwrap_or_default(),
        report.status.as_str().to_owned(),
        report.published_at.map(|at| at.to_string()).unwrap_or_default(),
    ]
}
