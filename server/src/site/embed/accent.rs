use app::embed::Accent;
use axum::{
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderName, header};

use crate::{site::pages::not_found, state::App};

/// `GET /embed/accent/{colour}.css`: the style sheet of an accent. A file of its own, because no
/// widget has styles inline; the same for ever, because its name says all that is in it.
pub async fn get(State(app): State<App>, Path(file): Path<String>, request: Request) -> Response {
    let colour = file.strip_suffix(".css").and_then(Accent::parse);
    let Some(accent) = colour.filter(|accent| file == format!("{}.css", accent.digits())) else {
        return not_found(&app, &request.into_parts().0).await;
    };
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // A sandboxed widget has an origin of its own.
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    (headers, accent.style_sheet()).into_response()
}
