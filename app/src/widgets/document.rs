use crate::{
    contract::{
        Accent, EmbedOptions, Place,
        catalogue::Embed,
        page_state::{INITIAL, InitialState, Scope},
    },
    page_data::{PageData, SharedPageData},
    request::PageRequest,
    shell::{Assets, Boot, Discovery, Glyphs, Head, json, link},
    words::{Word, Words, dictionary::dictionary},
};
use kit::lang::Lang;
use leptos::prelude::*;
use model::{Metrics, Report};
use serde_json::Value;
use std::sync::Arc;

/// The document around the requested widget: its head, the attributes for its options, and the JSON
/// with the initial state of its island. The children read the same values from their context.
#[component]
pub(crate) fn WidgetDocument(
    /// Texts of the island, by name.
    words: &'static [Word],
    /// Counters of the widget's place.
    metrics: Metrics,
    /// The newest reports, if the island lists them.
    #[prop(optional)]
    reports: Vec<Report>,
    /// A JSON object with the rest of the island's initial state.
    #[prop(optional)]
    more: Value,
    children: Children,
) -> impl IntoView {
    let PageRequest { embed: Embed { widget, options }, lang, base_url, .. } = expect_context();
    let accent = options.accent.map(|accent| {
        let href = link(format!("/embed/accent/{}.css", accent.digits()));
        view! { <link class="accent" rel="stylesheet" href=href /> }
    });
    let heading = options.title.clone().unwrap_or_else(|| widget.title(lang).to_owned());
    let source = expect_context::<SharedPageData>();
    let state = InitialState {
        words: Arc::new(source.brand().named(Words::only(lang, words))),
        label: label(&options, &*source, lang),
        scope: scope(&options.place),
        types: options.types,
        base_path: base_url.path().to_owned(),
        view: options.view(lang),
        is_without_today: options.period.excludes(metrics.day()),
        metrics,
        reports,
        ..InitialState::default()
    };
    let state = InitialState { heading: heading.clone(), ..state };
    let initial = json(&state.to_json(more));
    provide_context(Arc::new(state));
    // Without a boot script, the styles show the same as after a failed script.
    let boot = expect_context::<Arc<Assets>>().boot.is_empty().then_some("failed");
    view! {
        <html
            lang=lang.tag()
            dir=lang.direction()
            data-theme=options.theme.as_str()
            data-bg=options.background.as_str()
            data-accent=options.accent.map(Accent::digits)
            data-boot=boot
        >
            <head>
                <Head title=heading style=widget.name />
                {accent}
                <Discovery />
                <Boot island=format!("{}_board", widget.name.replace('-', "_")) />
            </head>
            <body>
                <Glyphs />
                <main class=widget.name>{children()}</main>
                <Menu />
                <script id=INITIAL type="application/json" inner_html=initial></script>
            </body>
        </html>
    }
}

/// The corner menu. Opening it and its links work without scripts; `frontend/host.js` adds copying
/// and full screen.
#[component]
fn Menu() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let words = dictionary(lang);
    let query = embed.options.to_query();
    let mark = if query.is_empty() { "" } else { "&" };
    let builder = link(format!("/?widget={}{mark}{query}#builder", embed.widget.name));
    let fills_screen = (embed.widget.name == "globe").then(|| {
        view! {
            <button type="button" data-do="screen" hidden>
                {words.full_screen}
            </button>
        }
    });
    view! {
        <nav class="menu" aria-label=words.more>
            <button type="button" popovertarget="menu" aria-label=words.more title=words.more></button>
            <div id="menu" popover>
                <a href=link(embed.address()) target="_blank" rel="noopener">
                    {words.own_page}
                </a>
                {fills_screen}
                <a
                    href=builder
                    target="_blank"
                    rel="noopener"
                    data-do="copy"
                    data-done=words.copied
                >
                    {words.copy_code}
                </a>
                <a href=link("/") target="_blank" rel="noopener">
                    {words.about}
                </a>
            </div>
        </nav>
    }
}

/// Visible label of a widget: the chosen title, else place and period; empty if nothing was chosen.
pub(crate) fn label(options: &EmbedOptions, source: &dyn PageData, lang: Lang) -> String {
    if let Some(title) = &options.title {
        return title.clone();
    }
    let words = dictionary(lang);
    let place = source.named(&options.place, lang).name(words.comma);
    let parts = [place, options.period.name(words)];
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
