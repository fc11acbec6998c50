use crate::{
    embed::{Accent, FIRST, catalogue::Embed},
    request::PageRequest,
    shell::{Boot, Discovery, Glyphs, Head, json},
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

/// The document around the widget that was asked for: its head, what the options say of it, and the
/// JSON that its island starts from.
#[component]
pub(crate) fn WidgetDocument<T: Serialize>(
    /// What its island may have to say.
    words: Vec<String>,
    /// What else its island starts from.
    more: T,
    children: Children,
) -> impl IntoView {
    let PageRequest { embed: Embed { widget, options }, lang, .. } = expect_context();
    let accent = options.accent.map(|accent| {
        let href = format!("/embed/accent/{}.css", accent.digits());
        view! { <link class="accent" rel="stylesheet" href=href /> }
    });
    let first = First { words, types: options.types.list(), stream: options.stream(), more };
    let types = (!options.types.is_all()).then(|| options.types.names());
    view! {
        <html
            lang=lang.tag()
            dir=lang.direction()
            data-theme=options.theme.as_str()
            data-bg=options.background.as_str()
            data-accent=options.accent.map(Accent::digits)
            data-types=types
        >
            <head>
                <Head title=widget.title(lang).to_owned() style=widget.style />
                {accent}
                <Discovery />
                <Boot island=widget.island />
            </head>
            <body>
                <Glyphs />
                {children()}
                <script id=FIRST type="application/json" inner_html=json(&first)></script>
            </body>
        </html>
    }
}
