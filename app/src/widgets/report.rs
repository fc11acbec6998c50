//! The widget with a form: visitors report an event.
//!
//! Complete from the server, without an island and without wasm. Without scripts, the form is a plain one, and the server
//! renders it again with what is wrong, or with thanks. `frontend/report.js` submits it by the API, and suggests cities.

mod form;
pub(crate) mod words;

use self::{
    form::{FIELDS, Filled, PROBLEMS, form},
    words as texts,
};
use super::{
    document::Document,
    registry::{ContentHeight, HomeCell, Widget},
};
use crate::{
    contract::page_state::Members, page_data::SharedPageData, request::PageRequest, shell::Assets,
    words::Words,
};
use kit::html::IntoHtml;
use leptos::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The widget's entry in the [registry](crate::widgets::registry).
pub(super) const FORM: Widget = Widget {
    name: "report",
    label: texts::LABEL,
    title: texts::TITLE,
    height: 560,
    content_height: ContentHeight::Steps(&[(480, 692), (560, 548)], 530),
    home: HomeCell::Half,
    view: || ReportWidget().into_any(),
    picture: None,
};

/// The page `/embed/report`, with an empty form, or with one that was sent without scripts.
#[component]
pub fn ReportWidget() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let source = expect_context::<SharedPageData>();
    let script = expect_context::<Arc<Assets>>().report.clone();
    let words = source.brand().named(Words::all(lang));
    let heading = embed.heading(lang).to_owned();
    let content = match source.report_form() {
        Some(sent) => form(Filled { sent, options: &embed.options, words: &words }).into_html(),
        None => view! { <p class="none">{texts::TAKES_NONE.text(lang)}</p> }.into_html(),
    };
    view! {
        <Document state=state(&words) script=script>
            <h1>
                <bdi class="label">{heading}</bdi>
            </h1>
            {content}
        </Document>
    }
}

/// Texts of the script: the faults of the fields, in their order, and the problems by code.
fn state(words: &Words) -> Members {
    let fields = FIELDS.map(|(name, fault)| json!([name, words.text(fault)]));
    let problems = PROBLEMS.map(|(code, word)| (code.to_owned(), words.text(word).into()));
    Map::from_iter([
        ("fields".to_owned(), fields.to_vec().into()),
        ("problems".to_owned(), Value::Object(problems.into_iter().collect())),
        ("sending".to_owned(), words.text(texts::SENDING).into()),
    ])
}

#[cfg(test)]
mod tests {
    use crate::{
        page_data::ReportForm,
        shell::Assets,
        testing::{self, Fake},
    };

    fn html(query: &str, form: Option<ReportForm>) -> String {
        let report = "/assets/report.js".to_owned();
        let (boot, wasm) = ("/assets/boot.js".to_owned(), "/assets/frontend.wasm".to_owned());
        let assets = Assets { report, boot, wasm, ..Assets::default() };
        let address = format!("/embed/report?{query}");
        testing::html_with(assets, &address, Fake { form, ..Fake::default() })
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
    fn the_form_has_a_script_with_its_texts_and_no_wasm() {
        let html = html("lang=de", Some(empty()));
        assert!(html.contains("<script type=\"module\" src=\"/assets/report.js\""), "{html}");
        assert!(html.contains("[\"type\",\"Wählen Sie eine Art.\"]"), "{html}");
        assert!(html.contains("\"sending\":\"Wird gesendet…\""), "{html}");
        assert!(!html.contains("wasm") && !html.contains("<leptos-island"), "{html}");
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
