//! oEmbed 1.0: turns the URL of a widget into the HTML that an editor embeds.

use app::{brand::Brand, contract::snippets::Embed, widgets::registry::Widget};
use axum::{
    Json,
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header};
use kit::lang::Lang;
use serde::Serialize;
use url::{Url, form_urlencoded};

use crate::{
    api::embed_options,
    base_url::ReachedAt,
    problem::{Problem, Result},
    site::{pictures::Pictures, visitors::Visitor},
};

/// Default width of a widget, and the maximum, in pixels.
const WIDTH: u32 = 600;
const MAX_WIDTH: u32 = 1_280;
/// In seconds. A snippet changes only with a version of the service.
const CACHE_AGE: u32 = 3_600;

/// Query parameters.
#[derive(Debug, Default)]
struct Parameters {
    url: Option<String>,
    format: Option<String>,
    /// In pixels. Values that are not numbers are ignored: sizes are only wishes.
    max_width: Option<u32>,
    max_height: Option<u32>,
}

#[derive(Serialize)]
struct Rich<'a> {
    version: &'static str,
    r#type: &'static str,
    provider_name: String,
    provider_url: &'a str,
    title: &'a str,
    width: u32,
    height: u32,
    cache_age: u32,
    html: String,
    #[serde(flatten)]
    thumbnail: Option<Thumbnail>,
}

/// The widget as a picture.
#[derive(Serialize)]
struct Thumbnail {
    thumbnail_url: String,
    thumbnail_width: u32,
    thumbnail_height: u32,
}

/// `GET /oembed?url=…`
pub async fn get(
    State(pictures): State<Pictures>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    reached: ReachedAt,
) -> Result<Response> {
    let parameters = Parameters::parse(query.as_deref().unwrap_or_default());
    if parameters.format.as_deref().is_some_and(|format| format != "json") {
        return Err(Problem::unsupported_format("\"format\" can only be json."));
    }
    let Some(url) = &parameters.url else {
        return Err(Problem::invalid_parameter("\"url\" is missing: give a widget's address."));
    };
    let base = reached.base_url.as_str();
    let Some(embed) = widget_at(url, base).transpose()? else {
        return Err(Problem::not_found(format!(
            "This is not the address of a widget of {base}, such as {base}/embed/metrics."
        )));
    };
    let brand = pictures.brand();
    let thumbnail = thumbnail((&pictures, &visitor), &embed, base, &parameters).await;
    let width = parameters.max_width.unwrap_or(WIDTH).min(MAX_WIDTH);
    let height = parameters.max_height.unwrap_or(u32::MAX).min(embed.widget.height);
    let rich = Rich {
        version: "1.0",
        r#type: "rich",
        provider_name: if *brand == Brand::default() {
            "svc".to_owned()
        } else {
            brand.name(Lang::En)
        },
        provider_url: brand.url.as_deref().unwrap_or(base),
        title: embed.title(),
        width,
        height,
        cache_age: CACHE_AGE,
        html: embed.iframe(base, &width.to_string(), &height.to_string(), " "),
        thumbnail,
    };
    let mut response = Json(rich).into_response();
    let cache = HeaderValue::from_static("public, max-age=3600");
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    Ok(reached.vary(response))
}

/// Returns the widget's picture with the same options, if there is one within the limits, which apply to thumbnails,
/// too. `None` also if the data cannot be read: the widget can be embedded anyway.
async fn thumbnail(
    (pictures, visitor): (&Pictures, &Visitor),
    embed: &Embed,
    base: &str,
    Parameters { max_width, max_height, .. }: &Parameters,
) -> Option<Thumbnail> {
    let address = embed.png()?;
    let (width, height) = pictures.size_of_png(embed.clone(), visitor).await.ok()?;
    let fits = width <= max_width.unwrap_or(u32::MAX) && height <= max_height.unwrap_or(u32::MAX);
    fits.then(|| Thumbnail {
        thumbnail_url: format!("{base}{address}"),
        thumbnail_width: width,
        thumbnail_height: height,
    })
}

impl Parameters {
    fn parse(query: &str) -> Self {
        let mut parameters = Self::default();
        let pixels = |text: &str| text.parse().ok().filter(|pixels| *pixels > 0);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "url" => parameters.url = Some(value.into_owned()),
                "format" => parameters.format = Some(value.into_owned()),
                "maxwidth" => parameters.max_width = pixels(&value),
                "maxheight" => parameters.max_height = pixels(&value),
                _ => {}
            }
        }
        parameters
    }
}

/// Returns the widget at a URL, if the URL has the scheme, host and port of this service; a problem if one of its
/// options is misspelt.
fn widget_at(url: &str, base: &str) -> Option<Result<Embed>> {
    let (url, base) = (Url::parse(url).ok()?, Url::parse(base).ok()?);
    if url.origin() != base.origin() || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let path = url.path().strip_prefix(base.path().trim_end_matches('/'))?;
    let widget = Widget::named(path.strip_prefix("/embed/")?)?;
    let options = embed_options(url.query().unwrap_or_default(), &[]);
    Some(options.map(|options| Embed { widget, options }))
}
