//! Feeds of the newest reports, for feed readers: Atom (RFC 4287) and JSON Feed 1.1, with the filters of the list.

mod atom;
mod json;

use app::{base_url::BaseUrl, contract::Place, feed_text};
use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use edge::representation::Representation;
use http::{HeaderValue, StatusCode, header, request::Parts};
use kit::lang::Lang;
use model::Report;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store::{Rank, ReportsQuery};
use url::Url;

use crate::{
    api::Parameters,
    base_url::ReachedAt,
    openapi::{
        Parameter,
        parameter::{CITY, COUNTRY, FROM, LANG, REGION, SINCE, TO, TYPES, UNTIL},
    },
    problem::Result,
    responses::{Include, ReportForm, names::named_place},
    site::visitors::{Visitor, cost},
    state::AppState,
};

const PARAMETERS: &[Parameter] = &[SINCE, UNTIL, FROM, TO, COUNTRY, REGION, CITY, TYPES, LANG];
/// Number of reports in a feed.
const MAX_ENTRIES: u32 = 50;

pub(crate) const ATOM: &str = "/feeds/reports.atom";
pub(crate) const JSON: &str = "/feeds/reports.json";

/// Characters that stay as they are in a path segment and in a tag URI (RFC 3986 and 4151).
const ENCODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Contents of a feed.
struct Feed {
    /// Identifies the feed for as long as its address stays the same.
    id: String,
    title: String,
    lang: Lang,
    /// Name of the site, which publishes the reports.
    author: String,
    base_url: BaseUrl,
    /// URL of the feed.
    url: String,
    hub: Option<String>,
    updated: DateTime<Utc>,
    /// `Last-Modified`, if it is certain.
    changed: Option<HeaderValue>,
    entries: Vec<Entry>,
}

struct Entry {
    /// Identifies the report, in every feed of this service.
    id: String,
    /// URL of the report.
    url: String,
    title: String,
    text: String,
    /// Label of the type.
    label: String,
    published: DateTime<Utc>,
    report: Report,
}

/// `GET /feeds/reports.atom`: the newest reports as an Atom feed.
pub async fn atom(
    State(app): State<AppState>,
    visitor: Visitor,
    reached: ReachedAt,
    request: Request,
) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let feed = feed(&app, &visitor, &reached, &parts, ATOM).await?;
    let content = Representation::new(atom::written(&feed), atom::CONTENT_TYPE);
    Ok(respond(&feed, &content, &reached, &parts))
}

/// `GET /feeds/reports.json`: the newest reports as a JSON Feed.
pub async fn json(
    State(app): State<AppState>,
    visitor: Visitor,
    reached: ReachedAt,
    request: Request,
) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let feed = feed(&app, &visitor, &reached, &parts, JSON).await?;
    let content = Representation::new(json::written(&feed), json::CONTENT_TYPE);
    Ok(respond(&feed, &content, &reached, &parts))
}

fn respond(
    feed: &Feed,
    content: &Representation,
    reached: &ReachedAt,
    request: &Parts,
) -> Response {
    let mut response = content.respond(&request.headers);
    // RFC 9110, 13.1.3: only without `If-None-Match`. After a failover, the last change may be an earlier one, so the
    // dates have to be equal.
    if let Some(changed) = &feed.changed
        && !request.headers.contains_key(header::IF_NONE_MATCH)
        && request.headers.get(header::IF_MODIFIED_SINCE) == Some(changed)
    {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_ENCODING);
    }
    let headers = response.headers_mut();
    headers.extend(feed.changed.iter().map(|at| (header::LAST_MODIFIED, at.clone())));
    let hub = feed.hub.as_ref().map(|hub| format!(", <{hub}>; rel=\"hub\"")).unwrap_or_default();
    let links = format!("<{}>; rel=\"self\"{hub}", feed.url);
    headers.extend(HeaderValue::try_from(links).ok().map(|links| (header::LINK, links)));
    reached.vary(response)
}

async fn feed(
    app: &AppState,
    visitor: &Visitor,
    reached: &ReachedAt,
    request: &Parts,
    path: &str,
) -> Result<Feed> {
    let parameters = Parameters::of(request.uri.query(), PARAMETERS)?;
    let query = ReportsQuery {
        types: parameters.types()?,
        since: parameters.since()?,
        after: parameters.until()?.map(Rank::before),
        filter: parameters.filter()?,
        ..ReportsQuery::newest(MAX_ENTRIES)
    };
    let lang = parameters.lang()?;
    let place = Place {
        country: parameters.get(&COUNTRY)?,
        region: parameters.get(&REGION)?,
        city: parameters.get(&CITY)?,
    };
    visitor.pay(cost::ANSWER)?;
    let snapshot = app.responses.snapshot();
    let page = app.responses.reports_at(snapshot.clone(), query).await?;
    let form = ReportForm { include: Include::default(), lang, brand: app.brand.clone() };
    let base_url = &reached.base_url;
    let authority = authority(base_url);
    let shown = lang.unwrap_or_default();
    let entry = |(report, published): (Report, &DateTime<Utc>)| {
        let id = utf8_percent_encode(&report.id, &ENCODED).to_string();
        Entry {
            url: format!("{base_url}/api/v1/reports/{id}"),
            id: format!("tag:{authority},2026:report/{id}"),
            title: feed_text::entry(&app.brand, &report, shown),
            text: feed_text::people(&app.brand, &report, shown),
            label: app.brand.label(report.kind, shown),
            published: published.trunc_subsecs(3),
            report,
        }
    };
    let reports = page.value.in_form(&form).reports.into_iter().zip(&page.value.published_at);
    let filters = parameters.query();
    let filters = if filters.is_empty() { filters } else { format!("?{filters}") };
    Ok(Feed {
        id: format!("tag:{authority},2026:reports{filters}"),
        title: feed_text::title(&app.brand, &named_place(&place, shown).name(", "), shown),
        lang: shown,
        author: app.brand.name(shown),
        base_url: base_url.clone(),
        url: format!("{base_url}{path}{filters}"),
        hub: app.settings.open_data.websub_hub.as_ref().map(Url::to_string),
        updated: page.value.newest.unwrap_or(snapshot.last.at),
        changed: last_modified(snapshot.last.at, app.clock.now()),
        entries: reports.map(entry).collect(),
    })
}

/// Date of a state that has been public since `changed`: the second after it, so that no later state has the same date.
/// `None` until then, because a date must not be in the future (RFC 9110, 8.8.2.1).
fn last_modified(changed: DateTime<Utc>, now: DateTime<Utc>) -> Option<HeaderValue> {
    let date = changed.trunc_subsecs(0) + TimeDelta::seconds(1);
    let text = date.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    HeaderValue::try_from(text).ok().filter(|_| date <= now)
}

/// Host name for tag URIs, which have no port.
fn authority(base_url: &BaseUrl) -> String {
    let host = Url::parse(base_url.as_str()).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_else(|| "localhost".to_owned())
}
