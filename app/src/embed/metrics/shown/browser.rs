use super::{First, Shown, roll::Roll};
use crate::{
    embed::{
        first::{self, field},
        metrics::counts::Counts,
    },
    live,
    model::ReportType,
};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// Where the next values come from.
pub(super) struct Source {
    stream: String,
    types: [bool; 3],
}

/// The values that the page was rendered with: it carries them as the API's own JSON.
pub(super) fn first() -> First {
    let first = first::First::read().unwrap_or_default();
    let metrics = field(&first.rest, "metrics");
    let updated = field(&metrics, "updatedAt").as_string().unwrap_or_default();
    let types = ReportType::ALL.map(|kind| first.types.iter().any(|name| name == kind.as_str()));
    First {
        counts: read(&metrics).of(types),
        words: first.words,
        time: updated.get(11..16).unwrap_or_default().to_owned(),
        source: Source { stream: first.stream, types },
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
