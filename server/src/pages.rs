//! Pages and widgets, rendered once for each data version and set of options, and the headers that
//! fence them in.

use std::{sync::Arc, time::Duration};

use app::{
    embed::{EmbedOptions, Place, badge, catalogue::Embed},
    model::{Metrics, ReportType},
    pages::docs,
};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use chrono::NaiveDate;
use http::{HeaderMap, HeaderValue, header};
use moka::future::Cache;

use crate::{
    answer::Answer,
    config,
    embed::Asked,
    error::{Code, Result},
    snapshot::{RECENT, Snapshot},
    state::App,
    store::{Filter, Period, PlaceFilter, ReportsQuery},
};

/// A picture runs nothing and loads nothing; its style is inside.
const BADGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");

/// Rendered documents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pages {
    kept: Cache<Key, Arc<Answer>>,
    widget_policy: HeaderValue,
    page_policy: HeaderValue,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    document: Document,
    /// The data and the day that the document shows, if it shows any.
    data: Option<(i64, NaiveDate)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Document {
    Widget(Asked),
    MetricsBadge(EmbedOptions),
    Home { embed: Embed, base_url: String },
    Docs { page: docs::Page, base_url: String },
}

/// A rendered document, fenced in.
pub struct Page {
    answer: Arc<Answer>,
    policy: HeaderValue,
}

impl Pages {
    /// # Panics
    /// Never: the settings were checked when they were parsed.
    pub fn new(settings: &config::Serve) -> Self {
        app::shell::init();
        // Options come from the query: kept ones are bounded, and old ones go by themselves.
        let kept =
            Cache::builder().max_capacity(1_000).time_to_idle(Duration::from_secs(60)).build();
        let policy = |rest: &str| {
            let policy = format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                 img-src 'self' data:; connect-src 'self'; base-uri 'none'; {rest}"
            );
            HeaderValue::from_str(&policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
        };
        let ancestors = &settings.frame_ancestors;
        let widget_policy = policy(&format!("form-action 'none'; frame-ancestors {ancestors}"));
        let page_policy = policy("form-action 'self'; frame-src 'self'; frame-ancestors 'self'");
        Self { kept, widget_policy, page_policy }
    }

    /// The metrics widget.
    pub async fn metrics_widget(&self, app: &App, asked: Asked) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let metrics = metrics(app, &snapshot, &asked.embed.options).await?;
        let html = || {
            let (Asked { embed, lang, base_url }, assets) = (&asked, &app.site.assets);
            Answer::html(app::embed::metrics::page(&metrics, embed, *lang, base_url, assets))
        };
        let answer = self.keep(Document::Widget(asked.clone()), Some(&snapshot), html).await;
        Ok(Page { answer, policy: self.widget_policy.clone() })
    }

    /// The feed widget.
    pub async fn feed_widget(&self, app: &App, asked: Asked) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let options = &asked.embed.options;
        let metrics = metrics(app, &snapshot, options).await?;
        let query = ReportsQuery {
            filter: filter(&options.place),
            types: ReportType::ALL.map(|kind| options.types.has(kind)),
            since: None,
            limit: RECENT,
        };
        let list = if query == ReportsQuery::newest(RECENT) {
            snapshot.reports.clone()
        } else {
            Arc::new(app.answers.report_list(query).await?)
        };
        let html = || {
            let (Asked { embed, lang, base_url }, assets) = (&asked, &app.site.assets);
            let reports = &list.reports;
            Answer::html(app::embed::feed::page(&metrics, reports, embed, *lang, base_url, assets))
        };
        let answer = self.keep(Document::Widget(asked.clone()), Some(&snapshot), html).await;
        Ok(Page { answer, policy: self.widget_policy.clone() })
    }

    /// The globe widget.
    pub async fn globe_widget(&self, app: &App, asked: Asked) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let options = &asked.embed.options;
        let metrics = metrics(app, &snapshot, options).await?;
        let types = ReportType::ALL.map(|kind| options.types.has(kind));
        let markers = app.answers.markers(place_filter(&options.place), types).await?;
        let html = || {
            let (Asked { embed, lang, base_url }, assets) = (&asked, &app.site.assets);
            // What was serialised here reads back; only a page that is not kept yet has to.
            let markers = serde_json::from_slice(&markers.body).unwrap_or_default();
            Answer::html(app::embed::globe::page(
                &metrics, &markers, embed, *lang, base_url, assets,
            ))
        };
        let answer = self.keep(Document::Widget(asked.clone()), Some(&snapshot), html).await;
        Ok(Page { answer, policy: self.widget_policy.clone() })
    }

    /// The counters as a picture.
    pub async fn metrics_badge(&self, app: &App, options: EmbedOptions) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let metrics = metrics(app, &snapshot, &options).await?;
        let document = Document::MetricsBadge(options.clone());
        let svg = || Answer::svg(badge::svg(&metrics, &options));
        let answer = self.keep(document, Some(&snapshot), svg).await;
        Ok(Page { answer, policy: BADGE_POLICY })
    }

    async fn home(&self, app: &App, embed: Embed, base_url: String) -> Page {
        let snapshot = app.snapshots.current().snapshot.clone();
        let document = Document::Home { embed: embed.clone(), base_url: base_url.clone() };
        let html = || {
            let assets = &app.site.assets;
            Answer::html(app::pages::home::page(&snapshot.metrics, &embed, &base_url, assets))
        };
        let answer = self.keep(document, Some(&snapshot), html).await;
        Page { answer, policy: self.page_policy.clone() }
    }

    /// A page of the documentation.
    pub async fn docs(&self, app: &App, page: docs::Page, base_url: String) -> Page {
        let document = Document::Docs { page, base_url: base_url.clone() };
        let explained = |code: Code| docs::Explained {
            code: code.as_str(),
            status: code.status().as_u16(),
            when: code.when(),
        };
        let html = || {
            let material = docs::Material {
                base_url: &base_url,
                openapi: &app.openapi.document,
                problems: &Code::ALL.map(explained),
                assets: &app.site.assets,
            };
            Answer::html(docs::page(page, &material))
        };
        let answer = self.keep(document, None, html).await;
        Page { answer, policy: self.page_policy.clone() }
    }

    async fn keep(
        &self,
        document: Document,
        shows: Option<&Snapshot>,
        render: impl FnOnce() -> Answer,
    ) -> Arc<Answer> {
        let data = shows.map(|snapshot| (snapshot.version, snapshot.today));
        self.kept.get_with(Key { document, data }, async { Arc::new(render()) }).await
    }
}

/// The counters that a widget's options ask for.
async fn metrics(app: &App, snapshot: &Snapshot, options: &EmbedOptions) -> Result<Metrics> {
    if options.place.is_everywhere() {
        return Ok(snapshot.metrics.clone());
    }
    Ok(app.answers.metrics_object(filter(&options.place)).await?)
}

/// The place of a widget's options as the store understands it.
fn filter(place: &Place) -> Filter {
    Filter { period: Period::default(), place: place_filter(place) }
}

/// The same without a period.
pub(crate) fn place_filter(Place { country, region, city }: &Place) -> PlaceFilter {
    PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref())
}

impl Page {
    /// The response to a request with these headers.
    pub fn respond(self, request: &HeaderMap) -> Response {
        let mut response = self.answer.respond(request);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
        response
    }
}

/// `GET /`: the query chooses what the snippet builder shows.
pub async fn home(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let embed = Embed::from_query(query.as_deref().unwrap_or_default());
    let page = app.pages.home(&app, embed, base_url(&app, &headers)).await;
    by_host(&app, page.respond(&headers))
}

/// Where the reader reached us: the setting, else the Host header, if it is a plain one.
pub(crate) fn base_url(app: &App, headers: &HeaderMap) -> String {
    if let Some(url) = &app.settings.public_url {
        return url.clone();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).filter(|host| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]_".contains(c);
        !host.is_empty() && host.len() <= 255 && host.chars().all(plain)
    });
    format!("http://{}", host.unwrap_or("localhost"))
}

/// Tells caches that the answer holds [`base_url`], where that depends on the request.
pub(crate) fn by_host(app: &App, mut response: Response) -> Response {
    if app.settings.public_url.is_none() {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("host"));
    }
    response
}
