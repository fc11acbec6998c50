use super::{ReportBoard, form::ReportState, words as texts};
use crate::{
    contract::page_state,
    page_data::{ReportForm, SharedPageData, Unavailable},
    request::PageRequest,
    widgets::{
        document::WidgetDocument,
        registry::{ContentHeight, HomeCell, Widget},
    },
    words::Word,
};
use kit::island::island;
use leptos::prelude::*;
use model::Metrics;

/// The widget's entry in the [registry](crate::widgets::registry).
pub(in crate::widgets) const FORM: Widget = Widget {
    name: "report",
    label: texts::LABEL,
    title: texts::TITLE,
    height: 560,
    content_height: ContentHeight::Steps(&[(480, 692), (560, 548)], 530),
    home: HomeCell::Half,
    view: || ReportWidget().into_any(),
    picture: None,
};

/// Texts of the island that not every widget has.
const WORDS: &[Word] = &[
    texts::TAKES_NONE,
    texts::TYPE,
    texts::CITY,
    texts::COUNTRY,
    texts::PEOPLE,
    texts::DATE,
    texts::NOTE,
    texts::CONTACT,
    texts::PRIVACY,
    texts::LEAVE_EMPTY,
    texts::SEND,
    texts::SENDING,
    texts::THANKS,
    texts::ITS_NUMBER,
    texts::ANOTHER,
    texts::CHOOSE_A_TYPE,
    texts::NAME_THE_CITY,
    texts::NAME_THE_COUNTRY,
    texts::COUNT_PEOPLE,
    texts::DATE_IT,
    texts::SHORTEN_IT,
    texts::TOO_MANY,
    texts::SEND_AGAIN,
    texts::NOT_SENT,
];

/// The page `/embed/report`, with an empty form, or with one that was sent without scripts.
#[component]
pub fn ReportWidget() -> impl IntoView {
    let PageRequest { embed, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    Suspend::new(async move {
        let form = source.report_form();
        let is_on = form.is_some();
        let ReportForm { token, today, values, faults, problem, sent } = form.unwrap_or_default();
        let options = &embed.options;
        let chosen = |name: &Option<crate::contract::options::Name>| {
            name.as_ref().map(|name| name.to_string()).unwrap_or_default()
        };
        let defaults = [
            ("city", chosen(&options.city)),
            ("country", chosen(&options.country)),
            ("peopleCount", "1".to_owned()),
            ("eventDate", today.clone()),
        ];
        let sent_value = |name: &str| values.iter().find(|(sent, _)| sent == name);
        let value = |name: &str| match sent_value(name) {
            Some((_, value)) => value.clone(),
            None => {
                let default = defaults.iter().find(|(field, _)| *field == name);
                default.map(|(_, value)| value.clone()).unwrap_or_default()
            }
        };
        let query = options.to_query();
        let mark = if query.is_empty() { "" } else { "?" };
        let more = page_state::provide(ReportState {
            is_on,
            action: format!("report{mark}{query}"),
            kind: value("type"),
            city: value("city"),
            country: value("country"),
            people: value("peopleCount"),
            date: value("eventDate"),
            note: value("note"),
            contact: value("contact"),
            token,
            today,
            faults,
            problem,
            sent,
        });
        Ok::<_, Unavailable>(view! {
            <WidgetDocument words=WORDS metrics=Metrics::default() more=more>
                {island(FORM.name, ReportBoard)}
            </WidgetDocument>
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        page_data::ReportForm,
        testing::{self, Fake},
    };

    fn html(query: &str, form: Option<ReportForm>) -> String {
        testing::html(&format!("/embed/report?{query}"), Fake { form, ..Fake::default() })
    }

    fn empty() -> ReportForm {
        let (token, today) = ("1.token".to_owned(), "2026-03-01".to_owned());
        ReportForm { token, today, ..ReportForm::default() }
    }

    #[test]
    fn the_form_is_complete_without_scripts() {
        let html = html("country=Brazil&city=Campinas&theme=dark", Some(empty()));
        for text in [
            "<form method=\"post\" action=\"report?theme=dark&amp;country=Brazil&amp;city=Campinas\"",
            "name=\"token\" value=\"1.token\"",
            "value=\"Campinas\"",
            "value=\"Brazil\"",
            "value=\"2026-03-01\" max=\"2026-03-01\"",
            "type=\"radio\" name=\"type\" value=\"water\"",
            "Report an event</bdi>",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn only_the_types_that_were_asked_for_are_offered() {
        let html = html("types=water", Some(empty()));
        assert_eq!(html.matches("type=\"radio\"").count(), 1, "{html}");
    }

    #[test]
    fn a_refused_form_has_its_values_and_says_at_each_field_what_is_wrong() {
        let values = vec![
            ("city".to_owned(), "\"><b>".to_owned()),
            ("peopleCount".to_owned(), "many".to_owned()),
            ("note".to_owned(), "</textarea>a".to_owned()),
        ];
        let faults = vec!["peopleCount".to_owned()];
        let form = ReportForm { values, faults, ..empty() };
        let html = html("", Some(form));
        assert!(html.contains("value=\"&quot;") && !html.contains("\"><b>"), "{html}");
        assert!(html.contains("&lt;/textarea&gt;a"), "{html}");
        assert!(html.contains("Enter a whole number from 1 to 1,000,000."), "{html}");
        assert_eq!(html.matches("aria-invalid=\"true\"").count(), 1, "{html}");
    }

    #[test]
    fn an_accepted_form_is_thanked_for() {
        let form = ReportForm { sent: "rep_1".to_owned(), ..empty() };
        let html = html("", Some(form));
        assert!(html.contains("<bdi>rep_1</bdi>"), "{html}");
    }

    #[test]
    fn without_intake_there_is_a_sentence_and_no_form() {
        let html = html("", None);
        assert!(html.contains("No reports are taken here at the moment."), "{html}");
        assert!(!html.contains("<form"), "{html}");
    }
}
