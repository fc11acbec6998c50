//! Initial state of an island. It is sent once, in the page, as JSON for the browser's own parser.
//! Serialised island props would bring serde_json into the wasm.

use crate::words::Words;
use js_sys::JSON;
use kit::{
    dom::page_lang,
    json::{field, list, metrics as read_metrics, reports as read_reports, text},
    lang::Lang,
    signals::provided,
};
use leptos::prelude::*;
use model::{Metrics, Report, ReportType, Types};
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// Id of the element with the initial state.
pub(crate) const INITIAL: &str = "initial";

/// Smallest part of the widget's place: city, region, country or none.
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

/// Initial state of every widget's island: from the context on the server, from the page in the
/// browser.
#[derive(Debug, Default)]
pub(crate) struct InitialState {
    pub(crate) words: Arc<Words>,
    /// Accessible heading: the `title=` option, else the widget's name in its language.
    pub(crate) heading: String,
    /// Visible heading: the `title=` option, else the requested place; may be empty.
    pub(crate) label: String,
    pub(crate) scope: Scope,
    pub(crate) types: Types,
    /// URL prefix of the service; usually empty.
    pub(crate) base_path: String,
    /// Query of the stream's view for this widget.
    pub(crate) view: String,
    /// Whether the widget's period excludes the current date.
    pub(crate) is_without_today: bool,
    pub(crate) metrics: Metrics,
    /// The newest reports of the types that are shown, newest first.
    pub(crate) reports: Vec<Report>,
    /// Widget-specific state; undefined on the server.
    pub(crate) more: More,
}

/// A JavaScript value, which only the browser's single thread may access.
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
    /// The state as JSON, merged with the members of `more`, a JSON object.
    pub(crate) fn to_json(&self, more: impl serde::Serialize) -> serde_json::Value {
        // Destructured, so that a new field cannot be forgotten here.
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
