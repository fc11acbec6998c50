//! The widgets' documents, under `/embed/`.

mod accent;
mod badge;
mod globe;

use app::{
    embed::{
        EmbedOptions,
        catalogue::{Embed, FEED, GLOBE, METRICS, Widget},
    },
    lang::Lang,
};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::{HeaderMap, HeaderValue, header};

pub use self::{accent::get as accent, badge::badge, globe::markers as globe_markers};
use crate::{
    error::Result,
    pages::{base_url, by_host},
    state::App,
};

/// `GET /embed/metrics`
pub async fn metrics(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let asked = Asked::new(&METRICS, &app, query.as_deref(), &headers);
    let page = app.pages.metrics_widget(&app, asked.clone()).await?;
    Ok(asked.tell(&app, page.respond(&headers)))
}

/// `GET /embed/feed`
pub async fn feed(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let asked = Asked::new(&FEED, &app, query.as_deref(), &headers);
    let page = app.pages.feed_widget(&app, asked.clone()).await?;
    Ok(asked.tell(&app, page.respond(&headers)))
}

/// `GET /embed/globe`
pub async fn globe(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let asked = Asked::new(&GLOBE, &app, query.as_deref(), &headers);
    let page = app.pages.globe_widget(&app, asked.clone()).await?;
    Ok(asked.tell(&app, page.respond(&headers)))
}

/// How a widget is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    pub embed: Embed,
    /// The language asked for, else the one that the visitor likes best.
    pub lang: Lang,
    /// Where the visitor reached us.
    pub base_url: String,
}

impl Asked {
    fn new(widget: &'static Widget, app: &App, query: Option<&str>, headers: &HeaderMap) -> Self {
        let options = EmbedOptions::from_query(query.unwrap_or_default());
        let accepted = || {
            let header = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
            Lang::accepted(header)
        };
        let lang = options.lang.or_else(accepted).unwrap_or_default();
        Self { embed: Embed { widget, options }, lang, base_url: base_url(app, headers) }
    }

    /// Says which language the answer is in, and what of the request it depended on.
    fn tell(&self, app: &App, response: Response) -> Response {
        let mut response = by_host(app, response);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(self.lang.tag()));
        if self.embed.options.lang.is_none() {
            headers.append(header::VARY, HeaderValue::from_static("accept-language"));
        }
        response
    }
}
