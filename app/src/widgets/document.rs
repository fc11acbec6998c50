use crate::{
    contract::{
        options::{Accent, Effect, EmbedOption, EmbedOptions, Input, OPTIONS, Place},
        page_state::{self, InitialState, Members, Scope},
        snippets::Embed,
    },
    page_data::{PageData, SharedPageData},
    request::PageRequest,
    shell::{self, Assets, Boot, Discovery, Feeds, Glyphs, Head, link},
    widgets::menu::Menu,
    words::{
        Word, Words,
        common::{AS_OF, AS_OF_DATE, BOTH, COMMA, LIVE, NOTHING_YET, RECONNECTING, SPIRIT, WATER},
    },
};
use kit::{html::IntoHtml, lang::Lang};
use leptos::prelude::*;
use model::{Metrics, Report};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Texts of the island of every widget.
const COMMON: &[Word] = &[AS_OF, AS_OF_DATE, BOTH, LIVE, NOTHING_YET, RECONNECTING, SPIRIT, WATER];

/// The document around the requested widget with an [`InitialState`] for its island. The children
/// read the same values from their context.
#[component]
pub(crate) fn WidgetDocument<V: IntoView + 'static>(
    /// Texts of the island, besides those of every widget.
    words: &'static [Word],
    /// Counters of the widget's place.
    metrics: Metrics,
    /// The newest reports, if the island lists them.
    #[prop(optional)]
    reports: Vec<Report>,
    /// Query of the feeds with the reports that the island lists, if it lists any.
    #[prop(optional, into)]
    feeds: Option<String>,
    /// A JSON object with the rest of the island's initial state.
    #[prop(optional)]
    more: Members,
    /// Symbols of the widget, besides those of the types.
    #[prop(optional)]
    symbols: &'static str,
    children: TypedChildren<V>,
) -> impl IntoView {
    let PageRequest { embed, lang, base_url, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    let options = &embed.options;
    let state = InitialState {
        words: source.brand().named(Words::only(lang, &[COMMON, words].concat())),
        label: label(options, &*source, lang),
        scope: scope(&options.place()),
        types: options.types,
        base_path: base_url.path().to_owned(),
        view: options.view(lang),
        is_without_today: options.period().excludes(metrics.day()),
        metrics,
        reports,
        heading: embed.heading(lang).to_owned(),
        options: options.to_query(),
    };
    let mut members = page_state::provide(state);
    members.extend(more);
    let assets = expect_context::<Arc<Assets>>();
    let mut modules = vec![assets.wasm.clone()];
    modules.extend(assets.islands.get(embed.widget.name).cloned());
    let script = assets.boot.clone();
    view! {
        <Document state=members script=script modules=modules feeds=feeds symbols=symbols>
            {children.into_inner()()}
        </Document>
    }
}

/// The document around the requested widget: its head, the attributes for its options, and the JSON
/// with the state for its script.
#[component]
pub(crate) fn Document<V: IntoView + 'static>(
    state: Members,
    /// URL of the script.
    script: String,
    /// URLs of the wasm modules that the script loads.
    #[prop(optional)]
    modules: Vec<String>,
    /// Query of the feeds with the reports of the widget, if it lists any.
    #[prop(optional_no_strip)]
    feeds: Option<String>,
    /// Symbols of the widget, besides those of the types.
    #[prop(optional)]
    symbols: &'static str,
    children: TypedChildren<V>,
) -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let heading = embed.heading(lang).to_owned();
    let Embed { widget, options } = embed;
    let accent = options.accent.map(|accent| {
        let href = link(format!("/embed/accent/{}.css", accent.digits()));
        view! { <link class="accent" rel="stylesheet" href=href /> }
    });
    let mut members = state;
    members.extend([("host".to_owned(), host_options())]);
    let initial = shell::json(&members);
    // Without a script, the styles show the same as after a failed script.
    let boot = script.is_empty().then_some("failed");
    view! {
        <html
            lang=lang.tag()
            dir=lang.direction()
            data-theme=options.theme.as_str()
            data-bg=options.bg.as_str()
            data-accent=options.accent.map(Accent::digits)
            data-boot=boot
        >
            <head>
                <Head title=heading style=widget.name />
                {accent}
                <Discovery />
                {feeds.map(|query| view! { <Feeds query=query /> })}
                <Boot script=script modules=modules />
            </head>
            <body>
                <Glyphs more=symbols />
                <main class=widget.name data-content=widget.content_height.attribute()>{children.into_inner()()}</main>
                <Menu />
                <script id=page_state::ELEMENT type="application/json" inner_html=initial></script>
            </body>
        </html>
    }
    .into_html()
}

/// Options that `frontend/host.js` applies: those that only change styles, each with its values,
/// and those that change the HTML.
fn host_options() -> Value {
    let names = |option: &EmbedOption| option.name;
    let (styles, html): (Vec<_>, Vec<_>) =
        OPTIONS.iter().partition(|option| option.effect == Effect::Style);
    let styles = styles.into_iter().map(|option| {
        let values = match option.input {
            Input::One(values) => values.iter().map(|(value, _)| *value).collect(),
            _ => Vec::new(),
        };
        (option.name.to_owned(), values.into())
    });
    json!({ "styles": Map::from_iter(styles), "html": html.into_iter().map(names).collect::<Vec<_>>() })
}

/// Visible label of a widget: the chosen title, else place and period; empty if nothing was chosen.
pub(crate) fn label(options: &EmbedOptions, source: &dyn PageData, lang: Lang) -> String {
    if let Some(title) = &options.title {
        return title.to_string();
    }
    let place = source.named(&options.place(), lang).name(COMMA.text(lang));
    let parts = [place, options.period().name(lang)];
    let parts: Vec<&str> =
        parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn scope(place: &Place) -> Scope {
    if place.city.is_some() {
        Scope::City
    } else if place.is_everywhere() {
        Scope::World
    } else {
        Scope::Country
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        shell::Assets,
        testing::{Fake, html, html_with},
    };

    #[test]
    fn without_wasm_a_widget_is_complete_and_loads_no_script() {
        let static_html = html_with(Assets::default(), "/embed/metrics", Fake::default());
        assert!(static_html.contains(" data-boot=\"failed\">"), "{static_html}");
        assert!(!static_html.contains("<script type=\"module\""), "{static_html}");
        assert!(!static_html.contains("retry.js"), "{static_html}");
        assert!(!static_html.contains("rel=\"preload\""), "{static_html}");

        let live = html("/embed/metrics", Fake::default());
        assert!(live.contains("<script type=\"module\" src=\"/assets/boot.js\""), "{live}");
        assert!(live.contains("<script async src=\"/retry.js\"></script>"), "{live}");
        assert!(!live.contains("data-boot"), "{live}");
    }
}
