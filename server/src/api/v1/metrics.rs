pub mod by;
pub mod series;

use axum::{
    extract::{Request, State},
    response::Response,
};
use model::Metrics;
use store::{ALL_TYPES, Filter};

use crate::{
    api::Parameters,
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, FROM, LANG, REGION, TO, TYPES},
    },
    problem::{Code, Result},
    responses::ResponseCache,
};

const PARAMETERS: &[Parameter] = &[FROM, TO, COUNTRY, REGION, CITY, TYPES, UNUSED_LANG];

/// Accepted by all reads, so that clients can use the same parameters for each.
pub(super) const UNUSED_LANG: Parameter =
    LANG.about("Accepted as in other requests. The response has no names, so it is the same.");

/// `GET /api/v1/metrics`: the counters.
pub async fn get(State(responses): State<ResponseCache>, request: Request) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let (filter, types) = (parameters.filter()?, parameters.types()?);
    parameters.lang()?;
    if filter == Filter::default() && types == ALL_TYPES {
        return Ok(responses.snapshot().metrics.sent.respond(request.headers()));
    }
    Ok(responses.metrics(filter, types).await?.sent.respond(request.headers()))
}

pub(super) fn described() -> Operation {
    Operation::read("/api/v1/metrics", "getMetrics", "The counters")
        .about(
            "Counters count reports, not people. The types are disjoint: a `both` report counts only in `both`, and \
                `total = spirit + water + both`. The `…Today` counters are for the current UTC date and the same \
                place; `from` and `to` do not change them. With `types`, all counters are about these types: the \
                others are 0.",
        )
        .parameters(PARAMETERS)
        .responses::<Metrics>("The counters", examples::metrics())
        .problems(&[Code::InvalidPeriod, Code::InvalidParameter])
}
