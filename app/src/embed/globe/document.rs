use super::{GlobeKeeper, drawing, word};
use crate::{
    embed::document::WidgetDocument,
    model::{Markers, ReportType},
    number::neutral,
    request::PageRequest,
    source::{SharedSource, Unavailable},
    words::{
        Words,
        dictionary::{Dictionary, dictionary},
    },
};
use leptos::prelude::*;
use serde::Serialize;

/// The most places that are listed beside the drawing.
const LISTED: usize = 50;
/// What is in the middle where no report is: most land, and no ocean.
const MIDDLE: (f32, f32) = (20.0, 10.0);

/// What else the island starts from.
#[derive(Clone, Serialize)]
struct First {
    /// Where the markers are.
    markers: String,
    /// What the drawing has in its middle: latitude and longitude.
    middle: (f32, f32),
}

/// The page of `/embed/globe`, with the drawing in it.
#[component]
pub fn GlobeWidget() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let source = expect_context::<SharedSource>();
    Suspend::new(async move {
        let options = &embed.options;
        let metrics = source.metrics(&options.place).await?;
        let markers = source.markers(options).await?;
        let dictionary = dictionary(lang);
        let newest = markers.newest.first().map(|newest| (newest.1, newest.2));
        // Turned right over a pole one would not know the continents.
        let (lat, lng) = newest.unwrap_or(MIDDLE);
        let middle = (lat.clamp(-50.0, 50.0), lng);
        let first = First { markers: options.markers(), middle };
        let words = Words { lang, texts: texts(dictionary) };
        let as_of = dictionary.time_of(&metrics);
        let shown = || options.types.each();
        let total = shown().map(|kind| metrics.of(kind)).sum();
        let noun = words.noun(word::REPORT, total).to_owned();
        let entry = |kind, count| count_of(kind, dictionary.kind(kind), count).into_any();
        let legend: Vec<_> =
            shown().map(|kind| entry(kind, neutral(metrics.of(kind), lang))).collect();
        let blank: Vec<_> = shown().map(|kind| entry(kind, String::new())).collect();
        let keys = format!("{}. {}", dictionary.globe, dictionary.keys);
        let drawing = drawing::globe(&markers.markers, middle);
        let list: Vec<_> =
            listed(&markers, &words).into_iter().map(|place| view! { <li>{place}</li> }).collect();
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=words.texts more=first>
                <main class="globe">
                    <h1>{dictionary.globe}</h1>
                    <div class="stage">
                        <svg
                            viewBox=drawing::view_box()
                            role="img"
                            aria-label=dictionary.globe
                            inner_html=drawing
                        ></svg>
                        <canvas tabindex="0" role="application" aria-label=keys hidden></canvas>
                        <p class="arrival" aria-hidden="true" hidden></p>
                        <div class="card" role="status">
                            <div hidden>
                                <b></b>
                                <p>
                                    <bdi></bdi>
                                    " · "
                                    <bdi></bdi>
                                </p>
                                <small hidden>{dictionary.rough}</small>
                                <ul>{blank}</ul>
                            </div>
                        </div>
                    </div>
                    <header class="pulse" data-state="waiting">
                        <p class="total">
                            <b>{neutral(total, lang)}</b>
                            " "
                            <span>{noun}</span>
                        </p>
                        <ul class="legend">{legend}</ul>
                        <p class="status">{as_of}</p>
                    </header>
                    <p class="said unseen" role="status"></p>
                    <ol class="places unseen">{list}</ol>
                    <p class="hint" aria-hidden="true">
                        {dictionary.drag}
                    </p>
                    <footer class="credit">
                        {dictionary.places} " © "
                        <a href="https://www.geonames.org/" target="_blank" rel="noopener">
                            "GeoNames"
                        </a> ", "
                        <a
                            href="https://creativecommons.org/licenses/by/4.0/"
                            target="_blank"
                            rel="noopener"
                        >
                            "CC BY 4.0"
                        </a> ", " {dictionary.modified}
                    </footer>
                    <GlobeKeeper />
                </main>
            </WidgetDocument>
        })
    })
}

/// A glyph that tells what a colour means, and how many there are of it.
fn count_of(kind: ReportType, label: &'static str, count: String) -> impl IntoView {
    view! {
        <li class=kind.as_str()>
            <svg aria-hidden="true">
                <use href=format!("#{}", kind.as_str()) />
            </svg>
            <span>{label}</span>
            <b>{count}</b>
        </li>
    }
}

/// The places with the most reports, for those who do not see the drawing.
fn listed(markers: &Markers, words: &Words) -> Vec<String> {
    let place = |marker: &crate::model::Marker| {
        let count = marker.counts().iter().sum();
        let country = markers.countries.get(marker.6).map_or("", String::as_str);
        format!("{}, {country}: {}", marker.5, words.counted(word::REPORT, count))
    };
    markers.markers.iter().take(LISTED).map(place).collect()
}

/// The widget's words in the order of [`word`](super::word).
fn texts(words: &Dictionary) -> Vec<String> {
    [words.live, words.reconnecting]
        .into_iter()
        .chain(words.report)
        .chain(words.new_report)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Marker, Metrics, Newest},
        testing::{self, Fake},
    };

    fn html(query: &str) -> String {
        let metrics = Metrics {
            spirit: 1_200,
            water: 34,
            total: 1_234,
            updated_at: "2026-01-05T14:05:09.123Z".to_owned(),
            ..Metrics::default()
        };
        let marker = |number: u64, city: &str| {
            Marker(45.75, 4.85, 100 - number, 0, 0, city.to_owned(), 0, 'c')
        };
        let markers = Markers {
            countries: vec!["France".to_owned()],
            markers: std::iter::once(marker(0, "<b>Lyon"))
                .chain((1..60).map(|number| marker(number, "Elsewhere")))
                .collect(),
            newest: vec![Newest("a".to_owned(), 45.75, 4.85)],
        };
        let source = Fake { metrics, markers, ..Fake::default() };
        testing::html(&format!("/embed/globe?{query}"), source)
    }

    #[test]
    fn the_globe_is_complete_without_scripts() {
        let html = html("");
        for text in [
            "<li>&lt;b&gt;Lyon, France: 100 reports</li>",
            "<b>1,234</b>",
            "<span>reports</span>",
            "as of 14:05 UTC",
            "<path class=\"land\" d=\"M0 0m",
            "<circle class=\"spirit\" cx=\"0\" cy=\"0\"",
            "\"middle\":[45.75,4.85]",
            "<canvas tabindex=\"0\" role=\"application\"",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert_eq!(html.matches("<li>").count(), LISTED);
        assert!(!html.contains(" style=") && !html.contains("<style"));
    }

    #[test]
    fn the_credit_of_the_places_is_there_with_both_links() {
        let html = html("lang=de");
        for text in [
            "Orte",
            "href=\"https://www.geonames.org/\" target=\"_blank\" rel=\"noopener\"",
            "href=\"https://creativecommons.org/licenses/by/4.0/\"",
            "bearbeitet",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn only_the_types_asked_for_are_counted() {
        let html = html("types=water&country=France");
        assert!(html.contains("<b>34</b>") && !html.contains("<b>1,234</b>"), "{html}");
        assert!(html.contains("\"markers\":\"/embed/globe/markers?country=France&types=water\""));
    }
}
