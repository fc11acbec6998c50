use super::word;
use crate::{
    embed::{dom::media, first::field},
    words::Words,
};
use js_sys::Array;
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlTemplateElement};

/// The list of the page.
pub(super) struct Rows(Element);

impl Rows {
    pub(super) fn new(list: Element) -> Self {
        Self(list)
    }

    pub(super) fn list(&self) -> &Element {
        &self.0
    }

    /// Whether the reader points at it, is in it by keyboard, or has gone down in it: then it must
    /// not move.
    pub(super) fn are_being_read(&self) -> bool {
        let matches = |selector: &str| self.0.matches(selector).unwrap_or_default();
        // A finger leaves a hover behind that does not end.
        self.0.scroll_top() > 0
            || matches(":focus-within")
            || media("(hover: hover)") && matches(":hover")
    }

    /// Brings the list to `reports`, newest first; returns how many rows are new. With `only`, a row
    /// whose report is not among them has been withdrawn.
    pub(super) fn show(&self, reports: &Array, most: usize, only: bool, words: &Words) -> u32 {
        let ids: Vec<String> = reports.iter().map(|report| text(&report, "id")).collect();
        let mut shown = Vec::new();
        let mut row = self.0.first_element_child();
        while let Some(current) = row {
            row = current.next_element_sibling();
            let id = current.get_attribute("data-id").unwrap_or_default();
            if only && !ids.contains(&id) {
                current.remove();
            } else {
                shown.push(id);
            }
        }
        let mut new = 0;
        // From the oldest on, each to the top.
        for (report, id) in reports.iter().zip(&ids).collect::<Vec<_>>().into_iter().rev() {
            if !shown.contains(id)
                && let Some(row) = fill(&report, id, words)
            {
                _ = self.0.insert_before(&row, self.0.first_child().as_ref());
                new += 1;
            }
        }
        while self.0.child_element_count() as usize > most
            && let Some(last) = self.0.last_element_child()
        {
            last.remove();
        }
        new
    }
}

/// A row from its type's template.
fn fill(report: &JsValue, id: &str, words: &Words) -> Option<Element> {
    let template = document().get_element_by_id(&("row-".to_owned() + &text(report, "type")))?;
    let template: &HtmlTemplateElement = template.dyn_ref()?;
    let row: Element = template
        .content()
        .first_element_child()?
        .clone_node_with_deep(true)
        .ok()?
        .dyn_into()
        .ok()?;
    let people = field(report, "peopleCount").as_f64().unwrap_or_default() as u64;
    let people = words.counted(word::PERSON, people);
    _ = row.set_attribute("data-id", id);
    _ = row.set_attribute("class", &(row.class_name() + " new"));
    for (part, text) in
        [("b", text(report, "city")), (".country", text(report, "country")), (".people", people)]
    {
        row.query_selector(part).ok()??.set_text_content(Some(&text));
    }
    let time = row.query_selector("time").ok()??;
    _ = time.set_attribute("datetime", &text(report, "createdAt"));
    Some(row)
}

fn text(report: &JsValue, name: &str) -> String {
    field(report, name).as_string().unwrap_or_default()
}
