//! The documents that views are rendered into. They are complete without JavaScript and free of
//! inline scripts and styles, so that a strict content security policy applies and the bytes can be
//! cached.

use crate::{
    App,
    brand::{Brand, Logo},
    contract::snippets::Loader,
    feed_text,
    page_data::SharedPageData,
    request::PageRequest,
};
use kit::html::IntoHtml;
use leptos::{html::meta, prelude::*};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::Arc};

/// Addresses of the site's built files: the contents of `manifest.json`, as URLs from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Assets {
    /// Module that loads the wasm and hydrates the islands of a page; empty if there is no wasm.
    pub boot: String,
    /// The wasm that every island needs.
    pub wasm: String,
    /// The wasm of each island, by its name. Empty in development, where `wasm` has everything.
    #[serde(default)]
    pub islands: BTreeMap<String, String>,
    /// Style sheets by name: `metrics` is `style/metrics.css`.
    #[serde(default)]
    pub styles: BTreeMap<String, String>,
    /// Script of the widget with a form, which needs no wasm.
    #[serde(default)]
    pub report: String,
    /// Script of the desk, which loads its own wasm.
    #[serde(default)]
    pub desk: String,
    /// The newest released version of `embed.js`. Not part of the manifest.
    #[serde(skip)]
    pub loader: Loader,
}

impl Assets {
    /// URL of a stylesheet, by its file name in `style/` without the extension.
    pub(crate) fn style(&self, name: &str) -> String {
        self.styles.get(name).cloned().unwrap_or_default()
    }
}

/// The document of the page that the router finds at the request's path. Each page brings its own
/// head, because `leptos_meta` would give its scripts a nonce and write titles unescaped.
///
/// Requires the context of [`provide_page_context`].
pub fn shell() -> impl IntoView {
    // Like Leptos' own scripts for islands: only the contents of islands are hydrated.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    view! {
        <!DOCTYPE html>
        <App />
    }
}

/// Provides the context of pages.
pub fn provide_page_context(request: PageRequest, source: SharedPageData, assets: Arc<Assets>) {
    provide_context(request);
    provide_context(source.brand());
    provide_context(source);
    provide_context(assets);
}

/// Returns the link to `target`: see [`BaseUrl::link`](crate::base_url::BaseUrl::link).
pub fn link(target: impl AsRef<str>) -> String {
    expect_context::<PageRequest>().base_url.link(target)
}

/// JSON for a `<script type="application/json">`. Nothing in it can end the element.
pub fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

/// Start of every document's head.
#[component]
pub fn Head(
    title: String,
    /// File of the stylesheet in `style/`, without its extension.
    style: &'static str,
) -> impl IntoView {
    let style = expect_context::<Arc<Assets>>().style(style);
    let brand = expect_context::<Arc<Brand>>();
    let colours =
        brand.colours.path().map(|path| view! { <link rel="stylesheet" href=link(path) /> });
    let icon = brand
        .logo
        .clone()
        .unwrap_or(Logo { path: "/favicon.svg".to_owned(), media_type: "image/svg+xml" });
    view! {
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href=link(icon.path) type=icon.media_type />
        <link rel="stylesheet" href=link(style) />
        {colours}
    }
}

/// Metadata for link previews on other sites.
#[component]
pub(crate) fn Preview(
    title: String,
    description: String,
    /// Text alternative of the picture.
    #[prop(into)]
    picture: String,
) -> impl IntoView {
    // Other sites do not resolve relative addresses, so all addresses are absolute.
    let PageRequest { base_url, path, .. } = expect_context();
    let address = format!("{base_url}{path}");
    let properties = [
        ("og:type", "website".to_owned()),
        ("og:title", title),
        ("og:description", description.clone()),
        ("og:url", address.clone()),
        ("og:image", format!("{base_url}/social.png")),
        ("og:image:width", "1200".to_owned()),
        ("og:image:height", "630".to_owned()),
        ("og:image:alt", picture),
    ];
    let property = |(name, content): (&'static str, String)| {
        // The view macro does not support this RDFa attribute.
        meta().attr("property", name).content(content)
    };
    view! {
        <meta name="description" content=description />
        <link rel="canonical" href=address />
        {properties.map(property).collect_view()}
        <meta name="twitter:card" content="summary_large_image" />
    }
}

/// Link to the widget's oEmbed response.
#[component]
pub(crate) fn Discovery() -> impl IntoView {
    let PageRequest { base_url, embed, .. } = expect_context();
    let url = format!("{base_url}{}", embed.address());
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("url", &url)
        .append_pair("format", "json")
        .finish();
    view! {
        <link
            rel="alternate"
            r#type="application/json+oembed"
            href=format!("{base_url}/oembed?{query}")
            title=embed.title().to_owned()
        />
    }
}

/// Links to the feeds with the newest reports.
#[component]
pub(crate) fn Feeds(
    /// Filters of the feeds.
    query: String,
) -> impl IntoView {
    let PageRequest { base_url, lang, .. } = expect_context();
    let title = feed_text::title(&expect_context::<Arc<Brand>>(), "", lang);
    let query = if query.is_empty() { query } else { format!("?{query}") };
    let feeds = [
        ("/feeds/reports.atom", "application/atom+xml"),
        ("/feeds/reports.json", "application/feed+json"),
    ];
    let feed = |(path, kind)| {
        let href = format!("{base_url}{path}{query}");
        view! { <link rel="alternate" r#type=kind href=href title=title.clone() /> }
    };
    feeds.map(feed).collect_view()
}

/// Preloads the wasm of the page, if it has any, and loads the script. `public/retry.js` retries
/// files that failed to load.
#[component]
pub(crate) fn Boot(
    /// URL of the script; empty if there is none.
    script: String,
    /// URLs of the wasm modules.
    modules: Vec<String>,
) -> impl IntoView {
    if script.is_empty() {
        return ().into_html();
    }
    let preload = |href: String| {
        view! {
            <link
                rel="preload"
                href=link(href)
                r#as="fetch"
                r#type="application/wasm"
                crossorigin="anonymous"
            />
        }
    };
    view! {
        {modules.into_iter().map(preload).collect_view()}
        <script type="module" src=link(script)></script>
        <script r#async=true src=link("/retry.js")></script>
    }
    .into_html()
}

/// Glyphs of the types, for use with `<use>`.
#[component]
pub fn Glyphs(
    /// Further symbols.
    #[prop(optional)]
    more: &'static str,
) -> impl IntoView {
    let symbols = expect_context::<Arc<Brand>>().symbols() + more;
    view! { <svg class="glyphs" aria-hidden="true" inner_html=symbols></svg> }
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn json_cannot_end_its_script() {
        let text = json(&"</script><script>alert(1)</script><!--");
        assert!(!text.contains('<'), "{text}");
        let value: String = serde_json::from_str(&text).unwrap();
        assert_eq!(value, "</script><script>alert(1)</script><!--");
    }
}
