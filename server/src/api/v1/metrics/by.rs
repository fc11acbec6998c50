use axum::{
    extract::{Request, State},
    response::Response,
};
use http::{HeaderValue, header};
use serde_json::json;

use crate::{
    api::{Caller, Parameters},
    openapi::{
        Operation, Parameter,
        parameter::{CITY, COUNTRY, FROM, LANG, PAGE, REGION, TO, TYPES, up_to},
    },
    problem::{Code, Result},
    responses::{GroupList, GroupRank, Grouping, GroupsQuery, ResponseCache, Sort},
    site::visitors::{Visitor, cost},
};

const GROUP: Parameter =
    Parameter::new("group", "", || json!({ "type": "string", "enum": Grouping::NAMES }), "country")
        .required("What the reports are grouped by: `country`, `region`, `city`, `type` or `day`.");

const SORT: Parameter = Parameter::new(
    "sort",
    "Order of the groups: by `total`, `spirit`, `water` or `both`, the largest first, or by `name` or `key`.",
    || json!({ "type": "string", "enum": Sort::NAMES, "default": "total" }),
    "total",
);

const GROUP_LIMIT: Parameter = Parameter::new(
    "limit",
    "Maximum number of groups.",
    || up_to(MAX_GROUPS, DEFAULT_GROUPS),
    "100",
)
.code(Code::InvalidLimit);

const GROUP_PAGE: Parameter = PAGE
    .about("Start of the page: the `next` of the previous page, with the same `group` and `sort`.")
    .example(EXAMPLE_PAGE);

/// The page after Brazil with 119 reports.
const EXAMPLE_PAGE: &str = "AAAAAAAAAAAAd7bFiVTwXL30gTIFxQ";

const PARAMETERS: &[Parameter] =
    &[GROUP, FROM, TO, COUNTRY, REGION, CITY, TYPES, SORT, LANG, GROUP_LIMIT, GROUP_PAGE];

const DEFAULT_GROUPS: u32 = 100;
const MAX_GROUPS: u32 = 1_000;

/// Cost of a page that is in no cache: reading the counts of all places.
const COST: f64 = 5.0 * cost::ANSWER;
/// Cost of a page in the order of names or keys, which are determined for all places.
const COST_BY_TEXT: f64 = 20.0 * cost::ANSWER;

/// `GET /api/v1/metrics/by`: the counters by country, region, city, type or day.
pub async fn get(
    State(responses): State<ResponseCache>,
    caller: Caller,
    visitor: Visitor,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let query = query(&parameters)?;
    let page = match responses.known_groups(&query).await {
        Some(known) => known,
        None => {
            if caller.key.is_none() {
                let by_text = matches!(query.sort, Sort::Name | Sort::Key);
                visitor.pay(if by_text { COST_BY_TEXT } else { COST })?;
            }
            let place = visitor.place().await?;
            responses.groups(&query, &place).await?
        }
    };
    let page = (*page).as_ref()?;
    let mut response = page.sent.respond(request.headers());
    let link = page.next.as_ref().map(|next| {
        // Relative, so that it is right for every base URL.
        format!("<by?{}>; rel=\"next\"", parameters.with(&GROUP_PAGE, next))
    });
    // Percent-encoding leaves only letters, digits and a few marks.
    if let Some(link) = link.and_then(|link| HeaderValue::try_from(link).ok()) {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}

fn query(parameters: &Parameters<'_>) -> Result<GroupsQuery> {
    let by =
        parameters.choice(&GROUP, Grouping::from_name, &Grouping::NAMES)?.ok_or_else(|| {
            let names = Grouping::NAMES.join(", ");
            GROUP.problem(format!("\"group\" is missing: give one of {names}."))
        })?;
    let sort = parameters.choice(&SORT, Sort::from_name, &Sort::NAMES)?.unwrap_or_default();
    let limit = parameters.limit_up_to(MAX_GROUPS, DEFAULT_GROUPS)?;
    Ok(GroupsQuery {
        by,
        filter: parameters.filter()?,
        types: parameters.types()?,
        sort,
        lang: parameters.lang()?,
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
        after: parameters
            .page_of(|page| GroupRank::decode(page, by, sort), "at the first group")?,
    })
}

pub(in crate::api::v1) fn described() -> Operation {
    let example = json!({
        "groups": [{
            "key": "BR", "name": "Brazil", "countryCode": "BR",
            "position": { "lat": -10.81, "lng": -52.97, "precision": "country" },
            "spirit": 70, "water": 45, "both": 4, "total": 119,
        }],
        "next": EXAMPLE_PAGE,
    });
    Operation::read("/api/v1/metrics/by", "getMetricsBy", "The counters by place, type or day")
        .about(
            "One group for each country, region, city, type or day that has reports, with the counters of \
                `/api/v1/metrics` for it. `Link` and `next` lead to the next page. Days have to be in a period of at most \
                1,000 days.",
        )
        .parameters(PARAMETERS)
        .responses::<GroupList<'_>>("The groups", example)
        .headers(&["Link"])
        .problems(&[
            Code::InvalidLimit,
            Code::InvalidPeriod,
            Code::InvalidParameter,
            Code::Unavailable,
        ])
}
