//! The page at `/`: live widgets around a headline, the snippet builder, and links to the data.

mod builder;
pub(super) mod footer;
mod hero;
pub(super) mod words;

use self::{
    builder::builder,
    footer::Footer,
    hero::{Hero, Site, frames},
    words::{
        ALL_AS_FILES, BOTH_LIVE, OR_TAKE_THE_NUMBERS, OVER_TIME, THE_COUNTERS, THE_LATEST_REPORTS,
        THE_SAME_AS_JSON,
    },
};
use crate::{
    contract::EmbedOptions,
    page_data::{SharedPageData, Unavailable},
    pages::in_language::{alternates, rich, text},
    request::PageRequest,
    shell::{Feeds, Glyphs, Head, Preview, link},
    widgets::registry::HomeCell,
    words::common::{CITY, COMMA, COUNTRY, REPORT},
};
use kit::{html::IntoHtml, number::neutral};
use leptos::prelude::*;

/// The document of `/`, in the language of the request.
///
/// The page is complete without JavaScript. `public/home.js` applies choices at once, and
/// `public/copy.js` adds the copy buttons.
#[component]
pub(crate) fn Home() -> impl IntoView {
    let source = expect_context::<SharedPageData>();
    let PageRequest { lang, embed, .. } = expect_context();
    let brand = source.brand();
    let title = brand.title(lang);
    Suspend::new(async move {
        let metrics = source.metrics(&EmbedOptions::default()).await?;
        let similar = builder::similar_places(&*source, &embed.options).await?;
        let words = brand.words(lang);
        let counted = |noun, count| words.counted(noun, count, &neutral(count, lang));
        let description = [
            counted(REPORT, metrics.total),
            counted(CITY, metrics.cities),
            counted(COUNTRY, metrics.countries),
        ]
        .join(COMMA.text(lang));
        Ok::<_, Unavailable>(view! {
            <html lang=lang.tag() dir=lang.direction() data-theme="auto">
                <head>
                    <Head title=title.clone() style="page" />
                    <Preview title=title.clone() description=description picture=brand.counts(&metrics) />
                    {alternates()}
                    <Feeds query=String::new() />
                    <script type="module" src=link("/copy.js")></script>
                    <script type="module" src=link("/home.js")></script>
                </head>
                <body>
                    <Glyphs />
                    <Site />
                    <main>
                        <Hero title=title />
                        <div class="widgets">{frames(|cell| cell == HomeCell::Half)}</div>
                        {builder(similar)}
                        <Data />
                    </main>
                    <Footer />
                </body>
            </html>
        }
        .into_html())
    })
}

#[component]
fn Data() -> impl IntoView {
    let rows = [
        ("/api/v1/metrics", THE_COUNTERS),
        ("/api/v1/metrics/series", OVER_TIME),
        ("/api/v1/reports", THE_LATEST_REPORTS),
        ("/api/v1/stream", BOTH_LIVE),
        ("/data", ALL_AS_FILES),
    ];
    let row = |(path, word)| {
        view! {
            <li>
                <a href=link(path)>
                    <code dir="ltr">{path}</code>
                </a>
                <span>{text(word)}</span>
            </li>
        }
    };
    view! {
        <section class="data">
            <div>
                <h2>{text(OR_TAKE_THE_NUMBERS)}</h2>
                <p inner_html=rich(THE_SAME_AS_JSON)></p>
            </div>
            <ul>{rows.map(row).collect_view()}</ul>
        </section>
    }
}
