use super::{First, Shown, roll::Roll};
use crate::{
    embed::{FIRST, metrics::counts::Counts},
    lang::Lang,
    live,
    model::ReportType,
    words::Words,
};
use js_sys::{Array, JSON, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Where the next values come from.
pub(super) struct Source {
    stream: String,
    types: [bool; 3],
}

/// The values that the page was rendered with: it carries them as the API's own JSON.
pub(super) fn first() -> First {
    let first = document()
        .get_element_by_id(FIRST)
        .and_then(|element| element.text_content())
        .and_then(|json| JSON::parse(&json).ok())
        .unwrap_or_default();
    let metrics = field(&first, "metrics");
    let updated = field(&metrics, "updatedAt").as_string().unwrap_or_default();
    let texts = strings(&field(&first, "words"));
    let lang = document().document_element().and_then(|root| root.get_attribute("lang"));
    let types = strings(&field(&first, "types"));
    let types = ReportType::ALL.map(|kind| types.iter().any(|name| name == kind.as_str()));
    First {
        counts: read(&metrics).of(types),
        words: Words { lang: lang.and_then(|tag| Lang::from_tag(&tag)).unwrap_or_default(), texts },
        time: updated.get(11..16).unwrap_or_default().to_owned(),
        source: Source { stream: field(&first, "stream").as_string().unwrap_or_default(), types },
    }
}

/// Lets the stream move what is shown, once the first render stands.
pub(super) fn follow(shown: Shown, Source { stream, types }: Source) {
    Effect::new(move || {
        shown.localised.set(true);
        let roll = Roll::new(shown.counts);
        live::follow(
            &stream,
            &["metrics"],
            move |_, metrics| roll.to(read(metrics).of(types)),
            move |state| shown.state.set(state),
        );
    });
}

/// Reads a metrics object of the API.
fn read(metrics: &JsValue) -> Counts {
    Counts(Counts::FIELDS.map(|name| field(metrics, name).as_f64().unwrap_or_default() as u64))
}

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

fn strings(array: &JsValue) -> Vec<String> {
    let strings = array.dyn_ref::<Array>().map(|array| array.iter());
    strings.into_iter().flatten().filter_map(|value| value.as_string()).collect()
}
