use app::{
    contract::snippets::Embed,
    widgets::registry::{WIDGETS, Widget},
};
use axum::{
    extract::{FromRef, RawQuery, State},
    response::Response,
    routing::get,
};
use edge::routes::Routes;
use http::{HeaderMap, HeaderValue};

use crate::{
    api::embed_options,
    gates,
    problem::Result,
    site::{
        pages::fenced,
        pictures::{Format, Pictures, Subject},
        visitors::{Visitor, Visitors},
    },
};

/// Pictures run no scripts and load nothing; their styles are inline.
pub const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");

/// `GET /embed/{widget}.svg` and `.png`: a widget as a picture, for places that allow no iframes. One route for each
/// picture: a route with a parameter would match the widgets themselves.
pub fn routes<S>() -> Routes<S>
where
    S: Clone + Send + Sync + 'static,
    Pictures: FromRef<S>,
    Visitors: FromRef<S>,
{
    let drawn = WIDGETS.iter().filter(|widget| widget.has_picture());
    drawn.fold(Routes::default(), |routes, widget| {
        let route = |format: Format| {
            get(move |state, visitor, query, headers| {
                picture(widget, format, state, visitor, query, headers)
            })
        };
        routes.route(&format!("{}.svg", widget.path()), gates::UNCACHED, route(Format::Svg)).route(
            &format!("{}.png", widget.path()),
            gates::UNCACHED,
            route(Format::Png),
        )
    })
}

/// Whether a path is that of a picture.
pub fn is_at(path: &str) -> bool {
    WIDGETS.iter().filter(|widget| widget.has_picture()).any(|widget| {
        let ending = path.strip_prefix(&widget.path());
        matches!(ending, Some(".svg" | ".png"))
    })
}

async fn picture(
    widget: &'static Widget,
    format: Format,
    State(pictures): State<Pictures>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let options = embed_options(query.as_deref().unwrap_or_default(), &[])?;
    let subject = Subject::Widget(Embed { widget, options });
    let picture = pictures.get(subject, format, &visitor).await?;
    Ok(fenced(picture.answer.respond(&headers), POLICY))
}
