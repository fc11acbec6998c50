use super::{
    MetricsBoard, picture,
    spark::{line, spark},
    words::{LABEL, TITLE, TODAY, TOTAL},
};
use crate::{
    glyph,
    page_data::{SharedPageData, Unavailable},
    request::PageRequest,
    widgets::{
        document::WidgetDocument,
        registry::{ContentHeight, HomeCell, Widget},
    },
    words::{
        Word,
        common::{CITY, COUNTRY},
    },
};
use kit::island::island;
use leptos::prelude::*;

/// The widget's entry in the [registry](crate::widgets::registry).
pub(in crate::widgets) const WIDGET: Widget = Widget {
    name: "metrics",
    label: LABEL,
    title: TITLE,
    height: 120,
    content_height: ContentHeight::Steps(&[(200, 102)], 120),
    home: HomeCell::Strip,
    view: || MetricsWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island that not every widget has.
const WORDS: &[Word] = &[CITY, COUNTRY, TODAY, TOTAL];

/// The page `/embed/metrics`, with the current counters.
#[component]
pub fn MetricsWidget() -> impl IntoView {
    let PageRequest { embed, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    Suspend::new(async move {
        let metrics = source.metrics(&embed.options).await?;
        let series = source.series(&embed.options).await?;
        let spark = spark(line(&series, embed.options.types));
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=WORDS metrics=metrics symbols=glyph::TOTAL>
                {island(WIDGET.name, MetricsBoard)}
                {spark}
            </WidgetDocument>
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{self, Fake};
    use model::Metrics;

    fn html(query: &str) -> String {
        let metrics = Metrics {
            spirit: 1_234_000,
            water: 567,
            total: 1_234_567,
            spirit_today: 12,
            total_today: 12,
            countries: 1,
            cities: 34,
            updated_at: "2026-01-05T14:05:09.123Z".to_owned(),
            ..Metrics::default()
        };
        let source = Fake { metrics, ..Fake::default() };
        testing::html(&format!("/embed/metrics?{query}"), source)
    }

    #[test]
    fn the_page_is_complete_without_scripts() {
        let html = html("");
        assert!(
            html.starts_with("<!DOCTYPE html><html lang=\"en\" dir=\"ltr\" data-theme=\"auto\"")
        );
        for text in
            [">1,234,567<", ">567<", ">+12 today<", ">1 country · 34 cities<", "as of 14:05 UTC"]
        {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn the_page_is_small_and_has_nothing_inline_that_runs() {
        let html = html("");
        assert!(html.len() <= 7_000, "{} bytes", html.len());
        assert!(!html.contains(" style="), "{html}");
        assert!(!html.contains("<style"), "{html}");
        for script in html.split("<script ").skip(1) {
            let runs = !script.contains("type=\"application/json\"");
            assert_eq!(runs, script.contains(" src="), "{script}");
        }
    }

    #[test]
    fn options_are_written_as_their_names() {
        let html = html("theme=dark&bg=none");
        assert!(html.contains("data-theme=\"dark\" data-bg=\"none\""), "{html}");
        let oembed = "href=\"https://a.example/oembed?url=https%3A%2F%2Fa.example%2Fembed%2F\
                      metrics%3Ftheme%3Ddark%26bg%3Dnone&amp;format=json\"";
        assert!(html.contains(oembed), "{html}");
    }

    #[test]
    fn the_page_speaks_the_language_asked_for() {
        let german = html("lang=de");
        for text in ["<html lang=\"de\"", ">1.234.567<", ">+12 heute<", ">1 Land · 34 Städte<"] {
            assert!(german.contains(text), "{text} is not in {german}");
        }
        let arabic = html("lang=ar");
        for text in ["<html lang=\"ar\" dir=\"rtl\"", ">1 دولة · 34 مدينة<"] {
            assert!(arabic.contains(text), "{text} is not in {arabic}");
        }
    }

    #[test]
    fn only_the_types_asked_for_are_counted() {
        let html = html("types=water");
        for text in
            ["<dd class=\"number\"><bdi>567<", "\"types\":[\"water\"]", "class=\"total water\""]
        {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert_eq!(html.matches("<dt>").count(), 1, "{html}");
        assert!(!html.contains(">1,234,567<"), "{html}");
    }

    #[test]
    fn what_strangers_wrote_is_escaped() {
        let html =
            html("city=%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E&accent=%22%3E%3Cscript%3E");
        assert!(!html.contains("alert(1)</script>"), "{html}");
        assert!(!html.contains("<script>"), "{html}");
    }

    #[test]
    fn an_accent_is_a_style_sheet_of_its_own() {
        let html = html("accent=%23C0F");
        assert!(html.contains("href=\"/embed/accent/cc00ff.css\""), "{html}");
    }
}
