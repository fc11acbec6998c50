use axum::{
    extract::{Request, State},
    response::Response,
};
use model::Series;
use store::TooLong;

use super::UNUSED_LANG;
use crate::{
    api::Parameters,
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, FROM, INTERVAL, REGION, TO, TYPES},
    },
    problem::{Code, Problem, Result},
    responses::ResponseCache,
};

const PARAMETERS: &[Parameter] = &[
    INTERVAL,
    FROM.about("First event date, inclusive. Without it, the series begins with the first report."),
    TO.about(
        "Last event date, inclusive, not before `from`. Without it, the series ends today, or with \
         the last report if that is later.",
    ),
    COUNTRY,
    REGION,
    CITY,
    TYPES,
    UNUSED_LANG,
];

/// `GET /api/v1/metrics/series`: the counters over time.
pub async fn get(State(responses): State<ResponseCache>, request: Request) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let interval = parameters.interval()?;
    let (filter, types) = (parameters.filter()?, parameters.types()?);
    parameters.lang()?;
    match &*responses.series(filter, types, interval).await? {
        Ok(series) => Ok(series.sent.respond(request.headers())),
        Err(too_long) => Err(too_long.into()),
    }
}

impl From<&TooLong> for Problem {
    fn from(too_long: &TooLong) -> Self {
        Self::invalid_period(too_long.to_string())
    }
}

pub(in crate::api::v1) fn described() -> Operation {
    Operation::read("/api/v1/metrics/series", "getMetricsSeries", "The counters over time")
        .about(
            "One point for each day, week, month or year of the period, in chronological order and without gaps. A \
                report counts on its event date (UTC): each point has the counters of `/api/v1/metrics` for the same \
                `from` and `to`. A series has at most 1,000 points.",
        )
        .parameters(PARAMETERS)
        .responses::<Series>("The series", examples::series())
        .problems(&[Code::InvalidPeriod, Code::InvalidParameter])
}
