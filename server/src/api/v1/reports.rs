use axum::{
    extract::{Request, State},
    response::Response,
};
use base::time::format_instant;
use http::{HeaderName, HeaderValue, header};
use model::ReportList;
use store::{ALL_TYPES, ReportsQuery};

use crate::{
    answers::{Answers, ReportPage, snapshot::RECENT},
    api::{Parameters, page},
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, FROM, LIMIT, PAGE, REGION, SINCE, TO},
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[LIMIT, SINCE, FROM, TO, COUNTRY, REGION, CITY, PAGE];

/// The revision of the list: moves when mirrors have to read all of it again.
const REVISION: HeaderName = HeaderName::from_static("reports-revision");

/// `GET /api/v1/reports`: the newest approved reports, a page at a time.
pub async fn get(State(answers): State<Answers>, request: Request) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS);
    let query = ReportsQuery {
        types: ALL_TYPES,
        limit: parameters.limit(RECENT)?,
        since: parameters.since()?,
        after: parameters.page()?,
        filter: parameters.filter()?,
    };
    let snapshot = answers.snapshot();
    let page = answers.reports_at(snapshot.clone(), query.clone()).await?;
    let mut response = page.sent.respond(request.headers());
    // Not kept with the page: it moves without the page, and a 304 has it, too.
    response.headers_mut().insert(REVISION, snapshot.last.revision.into());
    if let Some(links) = links(&parameters, &query, &page.value) {
        response.headers_mut().insert(header::LINK, links);
    }
    Ok(response)
}

/// Where the list goes on. Spellings of a place share an answer, so the links are not kept with it:
/// they repeat the parameters of this request. They are relative, so that they are right however the
/// service was reached, and begin with `reports`, because Java's `URI.resolve` takes a lone query for
/// one of the folder.
///
/// A 304 has them too: a page can get a next one although its own reports stay the same.
fn links(
    parameters: &Parameters<'_>,
    query: &ReportsQuery,
    page: &ReportPage,
) -> Option<HeaderValue> {
    let link = |relation, query: String| format!("<reports?{query}>; rel=\"{relation}\"");
    let next =
        page.next.as_ref().map(|last| link("next", parameters.with(&PAGE, &page::encode(last))));
    // What is published later has a time no earlier than this: equal ones are listed again.
    let newest = page.newest.or(query.since).filter(|_| query.after.is_none());
    let current =
        newest.map(|newest| link("current", parameters.with(&SINCE, &format_instant(newest))));
    let links: Vec<String> = next.into_iter().chain(current).collect();
    if links.is_empty() {
        return None;
    }
    // All but letters, digits and a few marks is percent-encoded.
    HeaderValue::try_from(links.join(", ")).ok()
}

pub(super) fn described() -> Operation {
    Operation::read("/api/v1/reports", "getReports", "The newest approved reports")
        .about(
            "Newest publication first, then by id. `Link` leads to the next page: pages that follow \
             one another list each report once, however many are published meanwhile. A report is \
             published at or after its `createdAt`. How to keep a copy of all reports is in the \
             documentation, under Mirroring.",
        )
        .parameters(PARAMETERS)
        .answers::<ReportList>("The reports", examples::reports())
        .headers(&["Link", "Reports-Revision"])
        .problems(&[
            Code::InvalidLimit,
            Code::InvalidSince,
            Code::InvalidPeriod,
            Code::InvalidParameter,
        ])
}
