//! The page at `/data`: contents, licence and downloads of the published data, for people and, as schema.org's
//! `Dataset`, for search engines of data.

mod words;

use self::words::{
    ABOUT, ALSO_AS_AN_API, API, BY_PLACE, CITATION, COUNTERS, DESCRIPTION, DOWNLOADS, EACH_FILE,
    FEED_READERS, FEEDS, FOR_MAPS, FOR_PROGRAMS, FOR_SPREADSHEETS, NOT_STATED, REPORTS_BY_PAGE,
    START_PAGE, THE_NEWEST,
};
use super::{
    home::{
        footer::Footer,
        words::{DOCUMENTATION, LICENCE, OPEN_DATA, SITE},
    },
    in_language::{alternates, rich, text},
    mark::Mark,
};
use crate::{
    brand::Brand,
    contract::EmbedOptions,
    licence::Licence,
    page_data::{SharedPageData, Unavailable},
    request::PageRequest,
    shell::{self, Feeds, Glyphs, Head, Preview, link},
    words::{
        Word,
        common::{AS_OF_DATE, COMMA, REPORT},
    },
};
use kit::{html::IntoHtml, lang::Lang, number::neutral};
use leptos::{either::Either, prelude::*};
use model::Metrics;
use serde_json::{Value, json};
use std::sync::Arc;

/// Downloads: their paths, media types and purposes.
const FILES: [(&str, &str, Word); 3] = [
    ("/api/v1/reports.csv", "text/csv", FOR_SPREADSHEETS),
    ("/api/v1/reports.geojson", "application/geo+json", FOR_MAPS),
    ("/api/v1/reports.ndjson", "application/x-ndjson", FOR_PROGRAMS),
];

/// The document of `/data`, in the language of the request.
#[component]
pub(crate) fn Data() -> impl IntoView {
    let source = expect_context::<SharedPageData>();
    let PageRequest { lang, base_url, .. } = expect_context();
    let brand = source.brand();
    let licence = source.licence();
    let title = [brand.name(lang), OPEN_DATA.text(lang).to_owned()].join(" – ");
    Suspend::new(async move {
        let metrics = source.metrics(&EmbedOptions::default()).await?;
        let words = brand.words(lang);
        let count = words.counted(REPORT, metrics.total, &neutral(metrics.total, lang));
        let dataset = shell::json(&dataset(&brand, &metrics, &licence, base_url.as_str(), lang));
        let size = [count.as_str(), words.text(COMMA), words.text(AS_OF_DATE), " "].concat();
        let day = metrics.day().to_owned();
        let cited = [title.as_str(), words.text(COMMA)].concat();
        let files = FILES.map(|(path, _, purpose)| (path, purpose));
        Ok::<_, Unavailable>(view! {
            <html lang=lang.tag() dir=lang.direction() data-theme="auto">
                <head>
                    <Head title=title.clone() style="page" />
                    <Preview
                        title=title.clone()
                        description=text(ABOUT).to_owned()
                        picture=brand.counts(&metrics)
                    />
                    {alternates()}
                    <Feeds query=String::new() />
                    <script type="application/ld+json" inner_html=dataset></script>
                </head>
                <body>
                    <Glyphs />
                    <Top />
                    <main>
                        <div class="night">
                            <div class="hero grid">
                                <div class="pitch">
                                    <h1>{text(OPEN_DATA)}</h1>
                                    <p class="lead">{text(ABOUT)}</p>
                                </div>
                            </div>
                        </div>
                        <Part title=DOWNLOADS rows=files.to_vec()>
                            <p>
                                {size} <bdi dir="ltr">{day} " UTC"</bdi> ". "
                                <span inner_html=rich(EACH_FILE)></span>
                            </p>
                        </Part>
                        <Part
                            title=FEEDS
                            rows=vec![("/feeds/reports.atom", FEED_READERS), ("/feeds/reports.json", FOR_PROGRAMS)]
                        >
                            <p>{text(THE_NEWEST)}</p>
                        </Part>
                        <Part
                            title=API
                            rows=vec![
                                ("/api/v1/metrics", COUNTERS),
                                ("/api/v1/metrics/by?group=country", BY_PLACE),
                                ("/api/v1/reports", REPORTS_BY_PAGE),
                                ("/api/v1/openapi.json", DESCRIPTION),
                            ]
                        >
                            <p inner_html=rich(ALSO_AS_AN_API)></p>
                        </Part>
                        <section id="licence">
                            <h2>{text(LICENCE)}</h2>
                            {terms(licence)}
                        </section>
                        <section id="citation">
                            <h2>{text(CITATION)}</h2>
                            <p>
                                {cited} <bdi dir="ltr">{metrics.day().to_owned()}</bdi> {COMMA.text(lang)}
                                <bdi dir="ltr">{format!("{base_url}/data")}</bdi>
                            </p>
                        </section>
                    </main>
                    <Footer />
                </body>
            </html>
        }
        .into_html())
    })
}

/// Links at the top of the page.
#[component]
fn Top() -> impl IntoView {
    view! {
        <header class="night">
            <nav class="grid" aria-label=text(SITE)>
                <Mark />
                <ul>
                    <li>
                        <a href=link("/")>{text(START_PAGE)}</a>
                    </li>
                    <li>
                        <a href=link("/docs")>{text(DOCUMENTATION)}</a>
                    </li>
                </ul>
            </nav>
        </header>
    }
}

/// A section with links to addresses, each with its purpose.
#[component]
fn Part<V: IntoView + 'static>(
    title: Word,
    rows: Vec<(&'static str, Word)>,
    children: TypedChildren<V>,
) -> impl IntoView {
    let row = |(path, purpose)| {
        view! {
            <li>
                <a href=link(path)>
                    <code dir="ltr" class="long">
                        {path}
                    </code>
                </a>
                <span>{text(purpose)}</span>
            </li>
        }
    };
    view! {
        <section class="data">
            <div>
                <h2>{text(title)}</h2>
                {children.into_inner()()}
            </div>
            <ul>{rows.into_iter().map(row).collect_view()}</ul>
        </section>
    }
}

fn terms(licence: Option<Licence>) -> impl IntoView {
    match licence {
        Some(Licence { name, url }) => Either::Left(view! {
            <p>
                <a href=url rel="license" dir="ltr">
                    {name}
                </a>
            </p>
        }),
        None => Either::Right(view! { <p>{text(NOT_STATED)}</p> }),
    }
}

/// Description of the data for search engines.
fn dataset(
    brand: &Arc<Brand>,
    metrics: &Metrics,
    licence: &Option<Licence>,
    base: &str,
    lang: Lang,
) -> Value {
    let file = |(path, kind, _): (&str, &str, Word)| json!({ "@type": "DataDownload", "encodingFormat": kind, "contentUrl": format!("{base}{path}") });
    let mut dataset = json!({
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": brand.name(lang),
        "description": ABOUT.text(lang),
        "url": format!("{base}/data"),
        "identifier": format!("{base}/data"),
        "inLanguage": lang.tag(),
        "isAccessibleForFree": true,
        "dateModified": metrics.updated_at,
        "creator": {
            "@type": "Organization",
            "name": brand.name(lang),
            "url": brand.url.clone().unwrap_or_else(|| format!("{base}/")),
        },
        "distribution": FILES.map(file),
    });
    if let Some(Licence { url, .. }) = licence {
        dataset["license"] = url.as_str().into();
    }
    dataset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, html};

    #[test]
    fn the_page_offers_the_files_and_describes_them_to_search_engines() {
        let metrics = Metrics {
            total: 1_234,
            updated_at: "2026-03-01T12:00:00.000Z".to_owned(),
            ..Metrics::default()
        };
        let page = html("/data?language=en", Fake { metrics, ..Fake::default() });
        for (path, ..) in FILES {
            assert!(page.contains(&format!("href=\"{path}\"")), "{path}");
        }
        assert!(page.contains("1,234 reports"), "{page}");
        assert!(page.contains("Not stated: ask the operator"), "{page}");
        let (_, rest) = page.split_once("<script type=\"application/ld+json\">").unwrap();
        let dataset: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(dataset["@type"], "Dataset");
        assert_eq!(dataset["dateModified"], "2026-03-01T12:00:00.000Z");
        assert_eq!(
            dataset["distribution"][0]["contentUrl"],
            "https://a.example/api/v1/reports.csv"
        );
        assert!(dataset.get("license").is_none());
    }

    #[test]
    fn the_licence_is_linked_for_people_and_programs() {
        let licence = Some("CC-BY-4.0".parse().unwrap());
        let page = html("/data?language=de", Fake { licence, ..Fake::default() });
        let url = "https://spdx.org/licenses/CC-BY-4.0.html";
        assert!(page.contains(&format!("<a href=\"{url}\" rel=\"license\"")), "{page}");
        assert!(page.contains(&format!("\"license\":\"{url}\"")), "{page}");
        assert!(page.contains("<h2>Lizenz</h2>"), "{page}");
    }
}
