use super::{FeedKeeper, ROWS, word};
use crate::{
    embed::document::WidgetDocument,
    model::{Report, ReportType},
    request::PageRequest,
    source::{SharedSource, Unavailable},
    words::{
        Words,
        dictionary::{Dictionary, dictionary},
    },
};
use leptos::prelude::*;

/// The page of `/embed/feed`, with the newest reports in it.
#[component]
pub fn FeedWidget() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let source = expect_context::<SharedSource>();
    Suspend::new(async move {
        let options = &embed.options;
        let metrics = source.metrics(&options.place).await?;
        let reports = source.reports(options, ROWS as u32).await?;
        let dictionary = dictionary(lang);
        let words = Words { lang, texts: texts(dictionary) };
        let as_of = dictionary.time_of(&metrics);
        let shown = || options.types.each();
        let total = shown().map(|kind| metrics.of(kind)).sum();
        let total = words.counted(word::REPORT, total);
        let today = metrics.updated_at.get(..10).unwrap_or_default().to_owned();
        let rows: Vec<_> = reports
            .iter()
            .map(|report| row(report, &words, dictionary, &today).into_any())
            .collect();
        let templates: Vec<_> = shown()
            .map(|kind| {
                let blank = row(&blank(kind), &words, dictionary, "");
                view! { <template id=format!("row-{}", kind.as_str())>{blank}</template> }
                    .into_any()
            })
            .collect();
        let nothing = dictionary.nothing_yet;
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=words.texts more=()>
                <main class="feed">
                    <header class="pulse" data-state="waiting">
                        <h1>{dictionary.feed}</h1>
                        <p class="total">{total}</p>
                        <p class="status">{as_of}</p>
                    </header>
                    <p class="unseen" role="status"></p>
                    <ol tabindex="0" aria-label=dictionary.feed>
                        {rows}
                    </ol>
                    <p class="nothing">{nothing}</p>
                    {templates}
                    <FeedKeeper />
                </main>
            </WidgetDocument>
        })
    })
}

fn row(
    report: &Report,
    words: &Words,
    dictionary: &Dictionary,
    today: &str,
) -> impl IntoView + use<> {
    let people = words.counted(word::PERSON, u64::from(report.people_count));
    // Without scripts it stays as it is, so it must not grow old: today's by the clock, others by
    // the day.
    let time = match report.created_at.split_at_checked(10) {
        Some((day, rest)) if day == today => format!("{} UTC", rest.get(1..6).unwrap_or_default()),
        Some((day, _)) => day.to_owned(),
        None => String::new(),
    };
    view! {
        <li class=report.kind.as_str() data-id=report.id.clone()>
            <svg aria-hidden="true">
                <use href=format!("#{}", report.kind.as_str()) />
            </svg>
            <span class="kind unseen">{dictionary.kind(report.kind)}</span>
            <p class="place" dir="auto">
                <b>{report.city.clone()}</b>
                ", "
                <span class="country">{report.country.clone()}</span>
            </p>
            <p class="people">{people}</p>
            <time datetime=report.created_at.clone()>{time}</time>
        </li>
    }
}

fn blank(kind: ReportType) -> Report {
    Report {
        id: String::new(),
        city: String::new(),
        country: String::new(),
        people_count: 0,
        kind,
        created_at: String::new(),
    }
}

/// The widget's words in the order of [`word`](super::word).
fn texts(words: &Dictionary) -> Vec<String> {
    [words.live, words.reconnecting]
        .into_iter()
        .chain(words.person)
        .chain(words.report)
        .chain(words.new_report)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::Metrics,
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
        let report = |id: &str, created_at: &str| Report {
            id: id.to_owned(),
            city: "<b>São Paulo".to_owned(),
            country: "Brazil".to_owned(),
            people_count: 1,
            kind: ReportType::Spirit,
            created_at: created_at.to_owned(),
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
            "<b>&lt;b&gt;São Paulo</b>",
            ">1 person<",
            ">1,234 reports<",
            "as of 14:05 UTC",
            "<time datetime=\"2026-01-05T13:02:00.000Z\">13:02 UTC</time>",
            "<time datetime=\"2025-12-31T23:59:00.000Z\">2025-12-31</time>",
            "data-id=\"&quot;b\"",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn there_is_a_template_for_each_type_that_may_come() {
        assert_eq!(html("").matches("<template id=\"row-").count(), 3);
        let water = html("types=water");
        assert!(water.contains("id=\"row-water\"") && !water.contains("id=\"row-spirit\""));
        assert!(water.contains(">34 reports<"), "{water}");
    }
}
