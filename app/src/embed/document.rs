use crate::{
    embed::{Accent, FIRST, catalogue::Embed},
    lang::Lang,
    shell::{Assets, Boot, Discovery, Glyphs, Head, json},
};
use leptos::prelude::*;
use serde::Serialize;

/// What an island starts from: see [`FIRST`].
#[derive(Serialize)]
struct First<T> {
    words: Vec<String>,
    types: Vec<&'static str>,
    stream: String,
    #[serde(flatten)]
    more: T,
}

/// The document around a widget: its head, what the options say of it, and the JSON that its island
/// starts from.
#[component]
pub(crate) fn WidgetDocument<T: Serialize>(
    title: &'static str,
    style: String,
    /// The island's name in snake case.
    island: &'static str,
    /// What its island may have to say.
    words: Vec<String>,
    /// What else its island starts from.
    more: T,
    embed: Embed,
    lang: Lang,
    /// Where the service is reached from outside.
    base_url: String,
    assets: Assets,
    children: Children,
) -> impl IntoView {
    let address = embed.address();
    let Embed { widget, options } = embed;
    let accent = options.accent.map(|accent| {
        let href = format!("/embed/accent/{}.css", accent.digits());
        view! { <link class="accent" rel="stylesheet" href=href /> }
    });
    let first = First { words, types: options.types.list(), stream: options.stream(), more };
    let types = (!options.types.is_all()).then(|| options.types.names());
    view! {
        <!DOCTYPE html>
        <html
            lang=lang.tag()
            dir=lang.direction()
            data-theme=options.theme.as_str()
            data-bg=options.background.as_str()
            data-accent=options.accent.map(Accent::digits)
            data-types=types
        >
            <head>
                <Head title=title.to_owned() style=style />
                {accent}
                <Discovery base_url=base_url address=address title=widget.title />
                <Boot assets=assets island=island />
            </head>
            <body>
                <Glyphs />
                {children()}
                <script id=FIRST type="application/json" inner_html=json(&first)></script>
            </body>
        </html>
    }
}
