use crate::{
    embed::{
        Accent, InitialState, Place,
        catalogue::Embed,
        initial::{INITIAL, Scope},
    },
    model::{Metrics, Report},
    request::PageRequest,
    shell::{Boot, Discovery, Glyphs, Head, json},
    source::SharedSource,
    words::{Word, Words},
};
use leptos::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// The document around the widget that was asked for: its head, what the options say of it, and the
/// JSON that its island starts from. The children find the same in their context.
#[component]
pub(crate) fn WidgetDocument(
    /// What its island says, by name.
    words: &'static [Word],
    /// The counters of the widget's place.
    metrics: Metrics,
    /// The newest reports, where the island lists them.
    #[prop(optional)]
    reports: Vec<Report>,
    /// An object: what else the island starts from.
    #[prop(optional)]
    more: Value,
    children: Children,
) -> impl IntoView {
    let PageRequest { embed: Embed { widget, options }, lang, .. } = expect_context();
    let accent = options.accent.map(|accent| {
        let href = format!("/embed/accent/{}.css", accent.digits());
        view! { <link class="accent" rel="stylesheet" href=href /> }
    });
    let heading = options.title.clone().unwrap_or_else(|| widget.title(lang).to_owned());
    let source = expect_context::<SharedSource>();
    let place = source.named(&options.place, lang).name(Words::all(lang).text(Word::Comma));
    let state = InitialState {
        words: Arc::new(Words::only(lang, words)),
        label: options.title.clone().unwrap_or(place),
        scope: scope(&options.place),
        types: options.types,
        stream: options.stream(),
        reports_url: options.reports(lang),
        metrics,
        reports,
        ..InitialState::default()
    };
    let state = InitialState { heading: heading.clone(), ..state };
    let initial = json(&state.to_json(more));
    provide_context(Arc::new(state));
    view! {
        <html
            lang=lang.tag()
            dir=lang.direction()
            data-theme=options.theme.as_str()
            data-bg=options.background.as_str()
            data-accent=options.accent.map(Accent::digits)
        >
            <head>
                <Head title=heading style=widget.style />
                {accent}
                <Discovery />
                <Boot island=widget.island />
            </head>
            <body>
                <Glyphs />
                <main class=widget.name>{children()}</main>
                <script id=INITIAL type="application/json" inner_html=initial></script>
            </body>
        </html>
    }
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
