use super::{
    GlobeBoard, drawing,
    markers::LISTED,
    picture,
    state::{Drawing, GlobeState},
    words::{DRAG, KEYS, LABEL, LIST, ROUGH, TITLE},
};
use crate::{
    contract::{EmbedOptions, page_state},
    page_data::{SharedPageData, Unavailable},
    request::PageRequest,
    widgets::{
        document::WidgetDocument,
        globe::words::{CREDIT, MODIFIED},
        registry::{ContentHeight, HomeCell, Widget},
    },
    words::{
        Word, Words,
        common::{COMMA, NEW_REPORT, PAUSE, REPORT, RESUME},
    },
};
use kit::{island::island, lang::Lang, number::neutral};
use leptos::prelude::*;
use model::{Marker, Markers};

/// The widget's entry in the [registry](crate::widgets::registry).
pub(in crate::widgets) const WIDGET: Widget = Widget {
    name: "globe",
    label: LABEL,
    title: TITLE,
    height: 400,
    content_height: ContentHeight::Square { more: 110, most: 600 },
    home: HomeCell::Headline,
    view: || GlobeWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island that not every widget has.
const WORDS: &[Word] = &[COMMA, DRAG, KEYS, LIST, NEW_REPORT, PAUSE, REPORT, RESUME, ROUGH];

/// The page `/embed/globe`, with its drawing.
#[component]
pub fn GlobeWidget() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    Suspend::new(async move {
        let metrics = source.metrics(&embed.options).await?;
        let markers = source.markers(&embed.options, lang).await?;
        let EmbedOptions { start, cluster, .. } = embed.options;
        let center = drawing::center(&markers, start);
        let drawing = drawing::globe(&markers, center, cluster, &metrics.updated_at);
        provide_context(Drawing(drawing));
        let more = page_state::provide(GlobeState {
            markers_url: embed.options.markers(lang),
            center,
            places: listed(&markers, lang),
            newest: markers.newest.iter().map(|newest| newest.0.clone()).collect(),
            view_box: drawing::view_box(),
        });
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=WORDS metrics=metrics more=more>
                {island(WIDGET.name, GlobeBoard)}
                <Credit lang=lang />
            </WidgetDocument>
        })
    })
}

/// Attribution required by the licence of the place data.
#[component]
fn Credit(lang: Lang) -> impl IntoView {
    let words = Words::all(lang);
    let [credit, modified] = [CREDIT, MODIFIED].map(|word| words.text(word).to_owned());
    view! {
        <footer class="credit">
            {credit} " © "
            <a href="https://www.geonames.org/" target="_blank" rel="noopener">
                "GeoNames"
            </a> ", "
            <a href="https://creativecommons.org/licenses/by/4.0/" target="_blank" rel="noopener">
                "CC BY 4.0"
            </a> ", " {modified}
        </footer>
    }
}

/// The places with the most reports, as text for screen readers.
fn listed(markers: &Markers, lang: Lang) -> Vec<String> {
    let words = Words::all(lang);
    let place = |marker: &Marker| {
        let count: u64 = marker.counts().iter().sum();
        let country = markers.countries.get(marker.6).map_or("", String::as_str);
        let (city, comma) = (&marker.5, words.text(COMMA));
        let reports = words.counted(REPORT, count, &neutral(count, lang));
        format!("{city}{comma}{country}: {reports}")
    };
    markers.markers.iter().take(LISTED).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Fake};
    use model::{Marker, Metrics, Newest};

    fn html(query: &str) -> String {
        let metrics = Metrics {
            spirit: 1_200,
            water: 34,
            total: 1_234,
            updated_at: "2026-01-05T14:05:09.123Z".to_owned(),
            ..Metrics::default()
        };
        let marker =
            |number: u64, city: &str| Marker(45.75, 4.85, 100 - number, 0, 0, city.into(), 0, 'c');
        let markers = Markers {
            countries: vec!["France".to_owned()],
            markers: std::iter::once(marker(0, "<b>Lyon"))
                .chain((1..60).map(|number| marker(number, "Elsewhere")))
                .collect(),
            newest: vec![Newest(
                "a".to_owned(),
                45.75,
                4.85,
                "Lyon".to_owned(),
                "France".to_owned(),
            )],
            ..Markers::default()
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
            "<path class=\"spirit\" stroke-width=\"19\" d=\"M0 0m0 0h0\"/>",
            "\"center\":{\"lat\":45.75,\"lng\":4.85}",
            "<canvas tabindex=\"0\" role=\"application\"",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert_eq!(html.matches("<li>").count(), LISTED);
        assert!(!html.contains(" style=") && !html.contains("<style"));
    }

    #[test]
    fn it_starts_where_it_is_told_to() {
        let html = html("start=-33.87,151.21");
        assert!(html.contains("\"center\":{\"lat\":-33.87,\"lng\":151.21}"), "{html}");
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
        assert!(
            html.contains("\"markersUrl\":\"globe/markers?country=France&types=water&lang=en\"")
        );
    }
}
