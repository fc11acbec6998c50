use super::{
    FeedBoard, picture,
    words::{LABEL, PERSON, TITLE},
};
use crate::{
    page_data::{SharedPageData, Unavailable},
    request::PageRequest,
    widgets::{
        document::WidgetDocument,
        registry::{ContentHeight, HomeCell, Widget},
    },
    words::{
        Word,
        common::{COMMA, NEW_REPORT, PAUSE, REPORT, RESUME},
    },
};
use kit::island::island;
use leptos::prelude::*;

/// The widget's entry in the [registry](crate::widgets::registry).
pub(in crate::widgets) const WIDGET: Widget = Widget {
    name: "feed",
    label: LABEL,
    title: TITLE,
    height: 320,
    content_height: ContentHeight::Rows { header: 60, row: 44 },
    home: HomeCell::Half,
    view: || FeedWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island that not every widget has.
const WORDS: &[Word] = &[COMMA, NEW_REPORT, PAUSE, PERSON, REPORT, RESUME];

/// The page `/embed/feed`, with the newest reports.
#[component]
pub fn FeedWidget() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    Suspend::new(async move {
        let options = &embed.options;
        let metrics = source.metrics(options).await?;
        let reports = source.reports(options, lang).await?;
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=WORDS metrics=metrics reports=reports feeds=options.filters()>
                {island(WIDGET.name, FeedBoard)}
            </WidgetDocument>
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{self, Fake};
    use model::{Metrics, Report, ReportType};

    fn html(query: &str) -> String {
        let metrics = Metrics {
            spirit: 1_200,
            water: 34,
            total: 1_234,
            updated_at: "2026-01-05T14:05:09.123Z".to_owned(),
            ..Metrics::default()
        };
        let report = |id: &str, created_at: &str| Report {
            id: id.to_owned(),
            city: "<b>São Paulo".to_owned(),
            country: "Brazil".to_owned(),
            people_count: 1,
            kind: ReportType::Spirit,
            created_at: created_at.to_owned(),
            event_date: None,
            included: None,
        };
        let reports =
            [report("a", "2026-01-05T13:02:00.000Z"), report("\"b", "2025-12-31T23:59:00.000Z")];
        let source = Fake { metrics, reports: reports.to_vec(), ..Fake::default() };
        testing::html(&format!("/embed/feed?{query}"), source)
    }

    #[test]
    fn the_list_is_complete_without_scripts() {
        let html = html("");
        for text in [
            "<b dir=\"auto\">&lt;b&gt;São Paulo</b>",
            ">1 person<",
            "<b>1,234</b> <span>reports</span>",
            "as of 14:05 UTC",
            "<time datetime=\"2026-01-05T13:02:00.000Z\" class=\"\">13:02 UTC</time>",
            "<time datetime=\"2025-12-31T23:59:00.000Z\" class=\"\">2025-12-31</time>",
            "data-id=\"&quot;b\"",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn the_day_of_the_event_is_shown_where_it_was_asked_for() {
        let report = Report {
            id: "a".to_owned(),
            city: "Lyon".to_owned(),
            country: "France".to_owned(),
            people_count: 1,
            kind: ReportType::Water,
            created_at: "2026-01-05T13:02:00.000Z".to_owned(),
            event_date: Some("2025-11-04".to_owned()),
            included: None,
        };
        let source = Fake { reports: vec![report], ..Fake::default() };
        let html = testing::html("/embed/feed?dates=event", source);
        let time = "<time datetime=\"2025-11-04\" class=\"\">2025-11-04</time>";
        assert!(html.contains(time), "{html}");
        assert!(html.contains("\"view\":\"dates=event&lang=en\""), "{html}");
    }

    #[test]
    fn it_follows_the_view_that_was_asked_for() {
        let water = html("types=water&country=Brazil&lang=pt-BR&from=2026-01-01&limit=1");
        assert!(water.contains("<b>34</b> <span>relatos</span>"), "{water}");
        let view = "\"view\":\"country=Brazil&from=2026-01-01&types=water&limit=1&lang=pt\"";
        assert!(water.contains(view), "{water}");
        assert_eq!(water.matches("<li data-id").count(), 1, "{water}");
        assert!(html("").contains("\"view\":\"lang=en\""));
    }

    #[test]
    fn the_place_or_the_title_is_seen() {
        assert!(html("").contains("<h1><bdi class=\"label\">Latest reports</bdi></h1>"));
        assert!(html("country=Brazil&city=Campinas").contains(">Campinas, Brazil</bdi>"));
        let titled = html("country=Brazil&title=My%20%3Creports%3E");
        assert!(titled.contains("<bdi class=\"label\">My &lt;reports&gt;</bdi>"), "{titled}");
    }
}
