use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

use crate::{
    api::{
        Parameters,
        views::{self, VIEW},
    },
    problem::Result,
    responses::ResponseCache,
    site::visitors::{Visitor, cost},
};

/// `GET /embed/live?view=…&view=…`: the current contents of these views, each as a line of JSON. For widgets whose
/// stream was refused, so it counts against no quota of the API, and costs little while nothing changes.
pub async fn live(
    State(responses): State<ResponseCache>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let views = views::requested(&Parameters::of(query.as_deref(), &[VIEW])?)?;
    if let Some(known) = responses.known_lines(&views).await {
        return Ok(known.respond(&headers));
    }
    let missing = views.iter().filter(|(_, view)| !responses.has_view(view)).count();
    visitor.pay(cost::ANSWER * (1 + missing) as f64)?;
    Ok(responses.lines(views).await?.respond(&headers))
}
