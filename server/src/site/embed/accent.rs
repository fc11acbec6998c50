use app::contract::options::Accent;
use axum::{
    extract::{Request, State},
    response::Response,
};

use super::style_sheet;
use crate::site::pages::{Pages, not_found};

/// `GET /embed/accent/{colour}.css`: the style sheet of an accent. A separate file, because no widget has inline
/// styles; cacheable forever, because its name determines its contents.
pub async fn get(State(pages): State<Pages>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    // Not axum's `Path`, which has its own response to invalid UTF-8.
    let file = request.uri.path().trim_start_matches("/embed/accent/");
    let colour = file.strip_suffix(".css").and_then(Accent::from_text);
    let Some(accent) = colour.filter(|accent| file == format!("{}.css", accent.digits())) else {
        return not_found(&pages, &request).await;
    };
    style_sheet(accent.style_sheet(), &request.headers)
}
