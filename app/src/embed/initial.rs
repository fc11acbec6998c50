//! What an island starts from. It travels once, in the page, as JSON that the browser's own parser
//! reads: serialised island props would bring serde_json into the wasm.

use crate::{
    dom::page_lang,
    lang::Lang,
    live::{field, list, read_metrics, read_reports, text},
    reactive::provided,
    words::Words,
};
use js_sys::JSON;
use leptos::prelude::*;
use model::{Metrics, Report, ReportType, Types};
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// The id of the element that carries the initial state.
pub(crate) const INITIAL: &str = "initial";

/// How far the place of a widget narrows it down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    #[default]
    World,
    Country,
    City,
}

impl Scope {
    const ALL: [Scope; 3] = [Scope::World, Scope::Country, Scope::City];

    const fn as_str(self) -> &'static str {
        match self {
            Scope::World => "world",
            Scope::Country => "country",
            Scope::City => "city",
        }
    }
}

/// What every widget's island starts from: on the server by context, in the browser out of the page.
#[derive(Debug, Default)]
pub(crate) struct InitialState {
    pub(crate) words: Arc<Words>,
    /// What the widget shows, in words: its `title=`, else its name in its language.
    pub(crate) heading: String,
    /// The same where it has to be seen: the `title=`, else the place that was asked for, else empty.
    pub(crate) label: String,
    pub(crate) scope: Scope,
    pub(crate) types: Types,
    /// What comes before the paths of the service; mostly empty.
    pub(crate) base_path: String,
    /// Which view of the stream the widget shows.
    pub(crate) view: String,
    /// Whether the widget's period leaves out the current date.
    pub(crate) is_without_today: bool,
    pub(crate) metrics: Metrics,
    /// The newest reports of the types that are shown, newest first.
    pub(crate) reports: Vec<Report>,
    /// What one widget needs beyond that; undefined on the server.
    pub(crate) more: More,
}

/// A JavaScript value that only the browser's one thread ever has.
#[derive(Debug, Default)]
pub(crate) struct More(Option<send_wrapper::SendWrapper<JsValue>>);

impl More {
    /// The value; `None` on the server.
    pub(crate) fn get(&self) -> Option<&JsValue> {
        self.0.as_deref()
    }
}

impl InitialState {
    /// The state that the page is rendered with.
    pub(crate) fn get() -> Arc<Self> {
        provided().unwrap_or_else(|| Arc::new(Self::read()))
    }

    fn read() -> Self {
        let page = document();
        let state = page.get_element_by_id(INITIAL).and_then(|element| element.text_content());
        let state = JSON::parse(&state.unwrap_or_default()).unwrap_or_default();
        let lang = page_lang();
        let lang = Lang::ALL.into_iter().find(|one| one.tag() == lang);
        let lang = lang.unwrap_or_default();
        let types = list(&state, "types").into_iter().filter_map(|name| name.as_string());
        let scope = text(&state, "scope");
        Self {
            words: Arc::new(Words::read(lang, &field(&state, "words"))),
            heading: text(&state, "heading"),
            label: text(&state, "label"),
            scope: Scope::ALL.into_iter().find(|one| one.as_str() == scope).unwrap_or_default(),
            types: Types::of(types.filter_map(|name| ReportType::from_name(&name))),
            base_path: text(&state, "basePath"),
            view: text(&state, "view"),
            is_without_today: field(&state, "isWithoutToday").is_truthy(),
            metrics: read_metrics(&field(&state, "metrics")),
            reports: read_reports(&state),
            more: More(Some(send_wrapper::SendWrapper::new(state))),
        }
    }
}

#[cfg(feature = "ssr")]
impl InitialState {
    /// The state as JSON, with the members of `more`, an object, beside its own.
    pub(crate) fn to_json(&self, more: impl serde::Serialize) -> serde_json::Value {
        // Taken apart, so that a new field cannot be forgotten here.
        let Self {
            words,
            heading,
            label,
            scope,
            types,
            base_path,
            view,
            is_without_today,
            metrics,
            reports,
            more: _,
        } = self;
        let mut state = serde_json::json!({
            "words": words.to_json(),
            "heading": heading,
            "label": label,
            "scope": scope.as_str(),
            "types": types.list(),
            "basePath": base_path,
            "view": view,
            "isWithoutToday": is_without_today,
            "metrics": metrics,
            "reports": reports,
        });
        if let Some(state) = state.as_object_mut() {
            state.retain(|_, value| {
                *value != "" && *value != false && *value != serde_json::json!([])
            });
            if let Ok(serde_json::Value::Object(more)) = serde_json::to_value(more) {
                state.extend(more);
            }
        }
        state
    }
}
