use axum::{
    extract::{Request, State},
    response::Response,
};
use edge::representation::Representation;

use crate::site::{
    assets::IMMUTABLE,
    embeddable,
    pages::{Pages, not_found},
};

/// `GET /embed/colours/{hash}.css`: the style sheet with the operator's colours of the types. Cacheable forever,
/// because its name has a hash of the colours.
pub async fn get(State(pages): State<Pages>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    let colours = &pages.sources().brand.colours;
    if colours.path().as_deref() != Some(request.uri.path()) {
        return not_found(&pages, &request).await;
    }
    let style = Representation::new(colours.style_sheet(), "text/css; charset=utf-8");
    embeddable(style.cache_control(IMMUTABLE).respond(&request.headers))
}
