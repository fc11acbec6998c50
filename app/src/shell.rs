//! The documents that views are rendered into. Complete without JavaScript, and free of inline
//! scripts and styles, so that a strict content security policy holds and the bytes can be cached.

use crate::{
    App,
    brand::{Brand, Logo},
    embed::catalogue::Loader,
    glyph,
    request::PageRequest,
    source::SharedSource,
};
use leptos::{html::meta, prelude::*};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::Arc};

/// Where the built site's files are: the site's `manifest.json`, as URLs from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Assets {
    /// The module that loads the wasm and hydrates the islands of a page; empty if there is no wasm.
    pub boot: String,
    /// What every island needs.
    pub wasm: String,
    /// What a lazy island needs besides, by its name in snake case.
    #[serde(default)]
    pub preload: BTreeMap<String, Vec<String>>,
    /// By name: `metrics` is `style/metrics.css`.
    #[serde(default)]
    pub styles: BTreeMap<String, String>,
    /// The script of the desk, which loads wasm of its own.
    #[serde(default)]
    pub desk: String,
    /// The newest released version of `embed.js`, which is no part of the manifest.
    #[serde(skip)]
    pub loader: Loader,
}

impl Assets {
    /// The URL of a stylesheet, by its file name in `style/` without the extension.
    pub(crate) fn style(&self, name: &str) -> String {
        self.styles.get(name).cloned().unwrap_or_default()
    }
}

/// The document of the page that the router finds at the request's path. A page brings its own
/// head: `leptos_meta` would give its scripts a nonce, and write titles unescaped.
///
/// Needs what [`provide_page_context`] provides.
pub fn shell() -> impl IntoView {
    // As Leptos' own scripts for islands do: only what is in an island is hydrated.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    view! {
        <!DOCTYPE html>
        <App />
    }
}

/// Provides what pages find in their context.
pub fn provide_page_context(request: PageRequest, source: SharedSource, assets: Arc<Assets>) {
    provide_context(request);
    provide_context(source.brand());
    provide_context(source);
    provide_context(assets);
}

/// What the page refers to `target` with: see [`BaseUrl::link`](crate::base_url::BaseUrl::link).
pub fn link(target: impl AsRef<str>) -> String {
    expect_context::<PageRequest>().base_url.link(target)
}

/// JSON to be put into a `<script type="application/json">`: nothing in it can end the element.
pub fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

/// What every document's head begins with.
#[component]
pub fn Head(
    title: String,
    /// The stylesheet's file in `style/`, without its extension.
    style: &'static str,
) -> impl IntoView {
    let style = expect_context::<Arc<Assets>>().style(style);
    let logo = expect_context::<Arc<Brand>>().logo.clone();
    let icon =
        logo.unwrap_or(Logo { path: "/favicon.svg".to_owned(), media_type: "image/svg+xml" });
    view! {
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href=link(icon.path) type=icon.media_type />
        <link rel="stylesheet" href=link(style) />
    }
}

/// What others show of a page that they link to.
#[component]
pub(crate) fn Preview(
    title: String,
    description: String,
    /// What is on the picture.
    #[prop(into)]
    picture: String,
) -> impl IntoView {
    // Others do not resolve addresses, so all of them are absolute.
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
        // RDFa's attribute, which the view macro does not know.
        meta().attr("property", name).content(content)
    };
    view! {
        <meta name="description" content=description />
        <link rel="canonical" href=address />
        {properties.map(property).collect_view()}
        <meta name="twitter:card" content="summary_large_image" />
    }
}

/// Says where the widget's oEmbed answer is.
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

/// Loads the wasm of the page's one island early, and hydrates it. What cannot be loaded is tried again by
/// `public/retry.js`.
#[component]
pub(crate) fn Boot(
    /// The island's name in snake case.
    island: &'static str,
) -> impl IntoView {
    let assets = expect_context::<Arc<Assets>>();
    if assets.boot.is_empty() {
        return ().into_any();
    }
    let mut modules = vec![assets.wasm.clone()];
    modules.extend(assets.preload.get(island).cloned().unwrap_or_default());
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
        <script type="module" src=link(&assets.boot)></script>
        <script r#async=true src=link("/retry.js")></script>
    }
    .into_any()
}

/// The glyphs, for `<use>` to refer to.
#[component]
pub fn Glyphs() -> impl IntoView {
    view! { <svg class="glyphs" aria-hidden="true" inner_html=glyph::SYMBOLS></svg> }
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
