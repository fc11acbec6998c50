//! The newest reports, one report, downloads, and reports from the public.

pub mod download;
pub mod one;
mod submit;

use std::sync::Arc;

use app::brand::Brand;
use axum::{
    extract::{Request, State},
    response::Response,
};
use base::time::format_instant;
use chrono::{DateTime, Utc};
use edge::representation::Representation;
use http::{HeaderName, HeaderValue, header};
use model::ReportList;
use store::{Rank, ReportsQuery};

pub(crate) use self::submit::post;
use super::challenge;
use crate::{
    api::{Parameters, page},
    openapi::{
        Operation, Parameter, examples,
        parameter::{
            CITY, COUNTRY, FROM, INCLUDE, LANG, LIMIT, PAGE, REGION, SINCE, TO, TYPES, UNTIL,
        },
    },
    problem::{Code, Result},
    responses::{ReportPage, ResponseCache, snapshot::RECENT},
};

const PARAMETERS: &[Parameter] =
    &[LIMIT, SINCE, UNTIL, FROM, TO, COUNTRY, REGION, CITY, TYPES, LANG, INCLUDE, PAGE];

/// Revision of the list: increases when mirrors have to read the whole list again.
const REVISION: HeaderName = HeaderName::from_static("reports-revision");

/// `GET /api/v1/reports`: the newest approved reports, a page at a time.
pub async fn get(
    State(responses): State<ResponseCache>,
    State(brand): State<Arc<Brand>>,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let query = ReportsQuery {
        types: parameters.types()?,
        limit: parameters.limit(RECENT)?,
        since: parameters.since()?,
        after: start(parameters.page()?, parameters.until()?),
        filter: parameters.filter()?,
    };
    let form = parameters.form(&brand)?;
    let snapshot = responses.snapshot();
    let page = responses.reports_at(snapshot.clone(), query.clone()).await?;
    let mut response = match form.is_plain() {
        true => page.sent.respond(request.headers()),
        false => Representation::json(&page.value.in_form(&form)).respond(request.headers()),
    };
    // Not cached with the page: the revision changes without the page, and a 304 contains it, too.
    response.headers_mut().insert(REVISION, snapshot.last.revision.into());
    if let Some(links) = links(&parameters, &query, &page.value) {
        response.headers_mut().insert(header::LINK, links);
    }
    Ok(response)
}

/// Returns the position after which the page begins: that of the previous page, or the first one within the time.
fn start(page: Option<Rank>, until: Option<DateTime<Utc>>) -> Option<Rank> {
    let until = until.map(Rank::before);
    match (page, until) {
        (Some(page), Some(until)) if until.published_at < page.published_at => Some(until),
        (page, until) => page.or(until),
    }
}

/// Links to the following pages. Different spellings of a place share a cached response, so the links are not cached
/// with it: they repeat the parameters of this request. They are relative, so that they are right for every base URL,
/// and begin with `reports`, because Java's `URI.resolve` resolves a lone query against the folder.
///
/// A 304 has the links too: a page can get a next page although its own reports stay the same.
fn links(
    parameters: &Parameters<'_>,
    query: &ReportsQuery,
    page: &ReportPage,
) -> Option<HeaderValue> {
    let link = |relation, query: String| format!("<reports?{query}>; rel=\"{relation}\"");
    let next =
        page.next.as_ref().map(|last| link("next", parameters.with(&PAGE, &page::encode(last))));
    // Later publications have a time no earlier than this; reports of the same time are listed again.
    let newest = page.newest.or(query.since).filter(|_| query.after.is_none());
    let current =
        newest.map(|newest| link("current", parameters.with(&SINCE, &format_instant(newest))));
    let links: Vec<String> = next.into_iter().chain(current).collect();
    if links.is_empty() {
        return None;
    }
    // Percent-encoding leaves only letters, digits and a few marks.
    HeaderValue::try_from(links.join(", ")).ok()
}

pub(super) fn described() -> impl Iterator<Item = Operation> {
    let reads = [list(), one::described()].into_iter().chain(download::described());
    reads.chain([challenge::described(), submit::described()])
}

fn list() -> Operation {
    Operation::read("/api/v1/reports", "getReports", "The newest approved reports")
        .about(
            "Newest publication first, then by id. `Link` leads to the next page: consecutive pages list each report \
                once, even if reports are published in the meantime. A report is published at or after its \
                `createdAt`. How to keep a copy of all reports is in the documentation, under Mirroring.",
        )
        .parameters(PARAMETERS)
        .responses::<ReportList>("The reports", examples::reports())
        .headers(&["Link", "Reports-Revision"])
        .problems(&[
            Code::InvalidLimit,
            Code::InvalidSince,
            Code::InvalidPeriod,
            Code::InvalidParameter,
        ])
}
