use super::{
    TrendBoard, picture,
    series::TrendState,
    words::{LABEL, LAST_DAYS, LAST_MONTHS, TITLE},
};
use crate::{
    contract::page_state,
    page_data::{SharedPageData, Unavailable},
    request::PageRequest,
    widgets::{
        document::WidgetDocument,
        registry::{ContentHeight, HomeCell, Widget},
    },
    words::{Word, common::REPORT},
};
use kit::island::island;
use leptos::prelude::*;

/// The widget's entry in the [registry](crate::widgets::registry).
pub(in crate::widgets) const WIDGET: Widget = Widget {
    name: "trend",
    label: LABEL,
    title: TITLE,
    height: 240,
    content_height: ContentHeight::Steps(&[], 240),
    home: HomeCell::Half,
    view: || TrendWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island that not every widget has.
const WORDS: &[Word] = &[LAST_DAYS, LAST_MONTHS, REPORT];

/// The page `/embed/trend`, with the current series.
#[component]
pub fn TrendWidget() -> impl IntoView {
    let PageRequest { embed, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    Suspend::new(async move {
        let options = &embed.options;
        let metrics = source.metrics(options).await?;
        let series = source.trend(options).await?;
        let more = page_state::provide(TrendState {
            url: options.series(),
            series,
            is_recent: options.period().is_open(),
        });
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=WORDS metrics=metrics more=more>
                {island(WIDGET.name, TrendBoard)}
            </WidgetDocument>
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{self, Fake};
    use model::{Interval, Metrics, Series, SeriesPoint};

    fn html(query: &str) -> String {
        let metrics = Metrics {
            spirit: 2_000,
            water: 34,
            total: 2_034,
            updated_at: "2026-01-05T14:05:09.123Z".to_owned(),
            ..Metrics::default()
        };
        let point = |day: &str, spirit, water| SeriesPoint {
            from: day.to_owned(),
            to: day.to_owned(),
            spirit,
            water,
            total: spirit + water,
            ..SeriesPoint::default()
        };
        let series = Series {
            interval: Interval::Day,
            from: "2026-01-04".to_owned(),
            to: "2026-01-05".to_owned(),
            points: vec![point("2026-01-04", 1_200, 0), point("2026-01-05", 0, 1)],
            updated_at: metrics.updated_at.clone(),
        };
        let source = Fake { metrics, series, ..Fake::default() };
        testing::html(&format!("/embed/trend?{query}"), source)
    }

    #[test]
    fn the_chart_is_complete_without_scripts() {
        let html = html("");
        for text in [
            "<b>1,201</b>",
            "<span>reports</span>",
            "as of 14:05 UTC",
            "aria-valuetext=\"Reports by date, 2026-01-04 – 2026-01-05: 1,201 reports\"",
            "<span class=\"period\">Last 30 days</span>",
            "<i><svg height=\"100.0%\"><rect class=\"spirit\" y=\"0.0%\" height=\"100.0%\"/></svg></i>",
            "<i><svg height=\"1.2%\"><rect class=\"water\" y=\"0.0%\" height=\"100.0%\"/></svg></i>",
            " class=\"chart day open\"",
            "<p aria-hidden=\"true\" class=\"scale\">1,200</p>",
            "<bdi>2026-01-04</bdi>",
            "<bdi>2026-01-05</bdi>",
            "<li>2026-01-04: 1,200 reports</li><li>2026-01-05: 1 report</li>",
            "\"seriesUrl\":\"trend/series?\"",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert!(!html.contains(" style=") && !html.contains("<style"), "{html}");
    }

    #[test]
    fn it_is_of_the_place_the_period_and_the_types_asked_for() {
        let html = html("types=water&country=Brazil&from=2026-01-04&lang=de&theme=dark");
        for text in [
            "<b>1</b>",
            "<span>Bericht</span>",
            "<bdi class=\"label\">Brazil · seit 2026-01-04</bdi>",
            "\"seriesUrl\":\"trend/series?country=Brazil&from=2026-01-04\"",
            "<span class=\"period\">2026-01-04 – 2026-01-05</span>",
            "<i></i><i><svg height=\"50.0%\"><rect class=\"water\" y=\"0.0%\" height=\"100.0%\"/></svg></i>",
            "<li>2026-01-04: 0 Berichte</li><li>2026-01-05: 1 Bericht</li>",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert!(!html.contains("<rect class=\"spirit\""), "{html}");
    }

    #[test]
    fn in_arabic_it_begins_at_the_right() {
        let html = html("lang=ar");
        assert!(html.contains("<html lang=\"ar\" dir=\"rtl\""), "{html}");
        assert!(html.contains("<h1><bdi class=\"label\">البلاغات حسب التاريخ</bdi></h1>"), "{html}");
    }
}
