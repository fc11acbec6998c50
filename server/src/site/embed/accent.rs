use app::contract::options::Accent;
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
    let style = Representation::new(accent.style_sheet(), "text/css; charset=utf-8");
    embeddable(style.cache_control(IMMUTABLE).respond(&request.headers))
}
