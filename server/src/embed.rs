//! The widgets' documents, under `/embed/`.

mod accent;
mod globe;

use app::{embed::EmbedOptions, lang::Lang};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::{HeaderMap, HeaderValue, header};

pub use self::{accent::get as accent, globe::markers as globe_markers};
use crate::{error::Result, state::App};

/// `GET /embed/metrics`
pub async fn metrics(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let asked = Asked::new(query.as_deref(), &headers);
    let page = app.pages.metrics_widget(&app, asked.options.clone(), asked.lang).await?;
    Ok(asked.tell(page.respond(&headers)))
}

/// `GET /embed/feed`
pub async fn feed(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let asked = Asked::new(query.as_deref(), &headers);
    let page = app.pages.feed_widget(&app, asked.options.clone(), asked.lang).await?;
    Ok(asked.tell(page.respond(&headers)))
}

/// `GET /embed/globe`
pub async fn globe(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let asked = Asked::new(query.as_deref(), &headers);
    let page = app.pages.globe_widget(&app, asked.options.clone(), asked.lang).await?;
    Ok(asked.tell(page.respond(&headers)))
}

/// What a widget is asked for.
struct Asked {
    options: EmbedOptions,
    /// The language asked for, else the one that the visitor likes best.
    lang: Lang,
}

impl Asked {
    fn new(query: Option<&str>, headers: &HeaderMap) -> Self {
        let options = EmbedOptions::from_query(query.unwrap_or_default());
        let accepted = || {
            let header = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
            Lang::accepted(header)
        };
        let lang = options.lang.or_else(accepted).unwrap_or_default();
        Self { options, lang }
    }

    /// Says which language the answer is in, and whether that depended on the visitor.
    fn tell(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(self.lang.tag()));
        if self.options.lang.is_none() {
            headers.append(header::VARY, HeaderValue::from_static("accept-language"));
        }
        response
    }
}
