//! Pages and widgets, rendered once for each data version and set of options, and the headers that
//! fence them in.

use std::{sync::Arc, time::Duration};

use app::{
    embed::{EmbedOptions, Place},
    lang::Lang,
    model::{Metrics, ReportType},
    pages::errors::Explained,
};
use axum::{extract::State, response::Response};
use chrono::NaiveDate;
use http::{HeaderMap, HeaderValue, header};
use moka::future::Cache;

use crate::{
    answer::Answer,
    config,
    error::{Code, Result},
    snapshot::{RECENT, Snapshot},
    state::App,
    store::{Filter, Period, PlaceFilter, ReportsQuery},
};

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
    /// The data and the day that the document shows.
    version: i64,
    today: NaiveDate,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Document {
    MetricsWidget(EmbedOptions, Lang),
    FeedWidget(EmbedOptions, Lang),
    GlobeWidget(EmbedOptions, Lang),
    Home { base_url: String },
    Errors,
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
        let policy = |frames: &str| {
            let policy = format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                 img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                 {frames}"
            );
            HeaderValue::from_str(&policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
        };
        let widget_policy = policy(&format!("frame-ancestors {}", settings.frame_ancestors));
        let page_policy = policy("frame-src 'self'; frame-ancestors 'self'");
        Self { kept, widget_policy, page_policy }
    }

    /// The metrics widget.
    pub async fn metrics_widget(
        &self,
        app: &App,
        options: EmbedOptions,
        lang: Lang,
    ) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let document = Document::MetricsWidget(options.clone(), lang);
        let metrics = metrics(app, &snapshot, &options).await?;
        let answer = self
            .keep(document, &snapshot, || {
                app::embed::metrics::page(&metrics, &options, lang, &app.site.assets)
            })
            .await;
        Ok(Page { answer, policy: self.widget_policy.clone() })
    }

    /// The feed widget.
    pub async fn feed_widget(&self, app: &App, options: EmbedOptions, lang: Lang) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let document = Document::FeedWidget(options.clone(), lang);
        let metrics = metrics(app, &snapshot, &options).await?;
        let query = ReportsQuery {
            filter: filter(&options.place),
            types: ReportType::ALL.map(|kind| options.types.has(kind)),
            since: None,
            limit: RECENT,
        };
        let reports = if query == ReportsQuery::newest(RECENT) {
            snapshot.reports.clone()
        } else {
            app.answers.report_list(query).await?
        };
        let answer = self
            .keep(document, &snapshot, || {
                let assets = &app.site.assets;
                app::embed::feed::page(&metrics, &reports.reports, &options, lang, assets)
            })
            .await;
        Ok(Page { answer, policy: self.widget_policy.clone() })
    }

    /// The globe widget.
    pub async fn globe_widget(&self, app: &App, options: EmbedOptions, lang: Lang) -> Result<Page> {
        let snapshot = app.snapshots.current().snapshot.clone();
        let document = Document::GlobeWidget(options.clone(), lang);
        let metrics = metrics(app, &snapshot, &options).await?;
        let types = ReportType::ALL.map(|kind| options.types.has(kind));
        let markers = app.answers.markers(place_filter(&options.place), types).await?;
        let answer = self
            .keep(document, &snapshot, || {
                let assets = &app.site.assets;
                // What was serialised here reads back; only a page that is not kept yet has to.
                let markers = serde_json::from_slice(&markers.body).unwrap_or_default();
                app::embed::globe::page(&metrics, &markers, &options, lang, assets)
            })
            .await;
        Ok(Page { answer, policy: self.widget_policy.clone() })
    }

    async fn home(&self, app: &App, base_url: String) -> Page {
        let snapshot = app.snapshots.current().snapshot.clone();
        let document = Document::Home { base_url: base_url.clone() };
        let answer = self
            .keep(document, &snapshot, || {
                app::pages::home::page(&snapshot.metrics, &base_url, &app.site.assets)
            })
            .await;
        Page { answer, policy: self.page_policy.clone() }
    }

    async fn errors(&self, app: &App) -> Page {
        let snapshot = app.snapshots.current().snapshot.clone();
        let explained = |code: Code| Explained {
            code: code.as_str(),
            status: code.status().as_u16(),
            when: code.when(),
        };
        let answer = self
            .keep(Document::Errors, &snapshot, || {
                app::pages::errors::page(&Code::ALL.map(explained), &app.site.assets)
            })
            .await;
        Page { answer, policy: self.page_policy.clone() }
    }

    async fn keep(
        &self,
        document: Document,
        snapshot: &Snapshot,
        render: impl FnOnce() -> String,
    ) -> Arc<Answer> {
        let key = Key { document, version: snapshot.version, today: snapshot.today };
        self.kept.get_with(key, async { Arc::new(Answer::html(render())) }).await
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

/// `GET /`
pub async fn home(State(app): State<App>, headers: HeaderMap) -> Response {
    let base_url = base_url(&app, &headers);
    let mut response = app.pages.home(&app, base_url).await.respond(&headers);
    if app.settings.public_url.is_none() {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("host"));
    }
    response
}

/// `GET /docs/errors`
pub async fn errors(State(app): State<App>, headers: HeaderMap) -> Response {
    app.pages.errors(&app).await.respond(&headers)
}

/// Where the reader reached us: the setting, else the Host header, if it is a plain one.
fn base_url(app: &App, headers: &HeaderMap) -> String {
    if let Some(url) = &app.settings.public_url {
        return url.clone();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).filter(|host| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]_".contains(c);
        !host.is_empty() && host.len() <= 255 && host.chars().all(plain)
    });
    format!("http://{}", host.unwrap_or("localhost"))
}
