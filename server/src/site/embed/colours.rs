use axum::{
    extract::{Request, State},
    response::Response,
};

use super::style_sheet;
use crate::site::pages::{Pages, not_found};

/// `GET /embed/colours/{hash}.css`: the style sheet with the operator's colours of the types. Cacheable forever,
/// because its name has a hash of the colours.
pub async fn get(State(pages): State<Pages>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    let colours = &pages.sources().brand.colours;
    if colours.path().as_deref() != Some(request.uri.path()) {
        return not_found(&pages, &request).await;
    }
    style_sheet(colours.style_sheet(), &request.headers)
}
