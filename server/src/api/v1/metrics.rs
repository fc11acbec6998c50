pub mod series;

use axum::{
    extract::{Request, State},
    response::Response,
};
use model::Metrics;
use store::Filter;

use crate::{
    api::Parameters,
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, FROM, REGION, TO},
    },
    problem::{Code, Result},
    responses::ResponseCache,
};

const PARAMETERS: &[Parameter] = &[FROM, TO, COUNTRY, REGION, CITY];

/// `GET /api/v1/metrics`: the counters.
pub async fn get(State(responses): State<ResponseCache>, request: Request) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS);
    let filter = parameters.filter()?;
    if filter == Filter::default() {
        return Ok(responses.snapshot().metrics.sent.respond(request.headers()));
    }
    Ok(responses.metrics(filter).await?.sent.respond(request.headers()))
}

pub(super) fn described() -> Operation {
    Operation::read("/api/v1/metrics", "getMetrics", "The counters")
        .about(
            "Counters count reports, not people. The types are disjoint: a `both` report counts only in `both`, and \
                `total = spirit + water + both`. The `…Today` counters are for the current UTC date and the same \
                place; `from` and `to` do not change them.",
        )
        .parameters(PARAMETERS)
        .responses::<Metrics>("The counters", examples::metrics())
        .problems(&[Code::InvalidPeriod, Code::InvalidParameter])
}
