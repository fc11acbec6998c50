use axum::{extract::Request, response::Response};
use serde_json::json;

use super::{PATH, examples};

use domain::{report::Status, scope::Scope};
use store::{Key, Listed, ListedReport, ReportList, Selection};

use crate::{
    api::Parameters,
    openapi::{
        Operation, Parameter,
        parameter::{CITY, COUNTRY, FROM, REGION, TO},
    },
    operator::{
        access::Reader,
        parameters::{self, AFTER, IMPORT, LIMIT, ORDER, Part, STATUS, TEXT, TYPE},
        v1::{Items, items, tags::REPORTS},
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] =
    &[STATUS, TYPE, COUNTRY, REGION, CITY, FROM, TO, TEXT, IMPORT, ORDER, AFTER, LIMIT];

/// Maximum number of reports of all statuses that a request examines: matches of a filter may be far
/// apart.
const MAX_EXAMINED: usize = 20_000;

/// `GET /operator/v1/reports`: reports of any status, oldest or newest first.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let Listed { reports, next } = store.reports().list(&selected(request.uri().query())?).await?;
    Ok(items(reports, next.map(|next| next.seq)))
}

/// Parses the query of a list.
///
/// # Errors
/// The problem of the query.
pub(crate) fn selected(query: Option<&str>) -> Result<ReportList> {
    let given = Parameters::of(query, PARAMETERS)?;
    let Part { after, limit } = parameters::part(&given)?;
    let selection = Selection {
        status: given.choice(&STATUS, Status::from_name, &Status::NAMES)?,
        import: parameters::import(&given)?,
        kind: parameters::kind(&given)?,
        place: given.place()?,
        period: given.period()?,
        before: None,
        text: given.get(&TEXT)?,
    };
    Ok(ReportList {
        selection,
        order: parameters::order(&given)?,
        after: after.map(|seq| Key { day: 0, seq }),
        limit,
        most_examined: Some(MAX_EXAMINED),
    })
}

pub(super) fn described() -> Operation {
    let page = json!({ "items": [examples::report()], "next": "c_4ce61", "more": true });
    Operation::operators(Scope::Read, "get", PATH, "listAllReports", "Reports of any status")
        .about(
            "In the order in which they were added, or in reverse order. A response without `status` may have fewer \
                items than `limit`, or none, although there are more, because it examines at most 20,000 reports.",
        )
        .tag(REPORTS)
        .parameters(PARAMETERS)
        .responses::<Items<ListedReport>>("Reports", page)
        .problems(&[Code::InvalidPeriod, Code::InvalidLimit, Code::InvalidParameter])
}
