//! State that a page hands over from the server's render to its island, as JSON in the page for the
//! browser's own parser. Serialised island props would bring serde_json into the wasm.

use crate::words::Words;
use js_sys::JSON;
use kit::{dom::document_text, json::FromJson};
use model::{Metrics, Report, Types};
use wasm_bindgen::JsValue;

/// Id of the element with the state.
pub(crate) const ELEMENT: &str = "initial";

/// Declares a struct that the server writes into the page, and the browser reads from it: each
/// member with its name in JSON.
macro_rules! page_state {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $State:ident {
            $($(#[$member_attribute:meta])* $member:ident: $Type:ty = $name:literal),* $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Default)]
        #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
        $visibility struct $State {
            $(
                $(#[$member_attribute])*
                #[cfg_attr(feature = "ssr", serde(rename = $name))]
                $visibility $member: $Type
            ),*
        }

        kit::from_json! { $State { $($member: $name),* } }

        impl $State {
            /// The state that the page is rendered with: from the context on the server, from the
            /// page in the browser.
            pub(crate) fn get() -> std::sync::Arc<Self> {
                kit::signals::provided().unwrap_or_else(|| {
                    let page = $crate::contract::page_state::page();
                    std::sync::Arc::new(kit::json::FromJson::from_json(&page))
                })
            }
        }
    };
}
pub(crate) use page_state;

/// JSON of the page. Browser only.
pub(crate) fn page() -> JsValue {
    JSON::parse(&document_text(ELEMENT)).unwrap_or_default()
}

page_state! {
    /// State of every widget.
    pub(crate) struct InitialState {
        words: Words = "words",
        /// Accessible heading: the `title=` option, else the widget's name in its language.
        heading: String = "heading",
        /// Visible heading: the `title=` option, else the requested place; may be empty.
        label: String = "label",
        /// Smallest part of the widget's place.
        scope: Scope = "scope",
        types: Types = "types",
        /// URL prefix of the service; usually empty.
        base_path: String = "basePath",
        /// Query of the stream's view for this widget.
        view: String = "view",
        /// Whether the widget's period excludes the current date.
        is_without_today: bool = "isWithoutToday",
        metrics: Metrics = "metrics",
        /// The newest reports of the types that are shown, newest first.
        reports: Vec<Report> = "reports",
        /// The widget's options that differ from their defaults, as a query.
        options: String = "options",
    }
}

impl InitialState {
    /// Visible title: the label, else the heading.
    pub(crate) fn title(&self) -> String {
        if self.label.is_empty() { &self.heading } else { &self.label }.clone()
    }

    /// Whether an option, such as `rotate=on`, is chosen and not the default.
    pub(crate) fn is_chosen(&self, option: &str) -> bool {
        self.options.split('&').any(|chosen| chosen == option)
    }
}

/// Smallest part of a widget's place: city, region, country or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "ssr", derive(serde::Serialize))]
#[cfg_attr(feature = "ssr", serde(rename_all = "lowercase"))]
pub(crate) enum Scope {
    #[default]
    World,
    Country,
    City,
}

impl FromJson for Scope {
    fn from_json(value: &JsValue) -> Self {
        match &*String::from_json(value) {
            "city" => Self::City,
            "country" => Self::Country,
            _ => Self::World,
        }
    }
}

/// Members of a state that a widget has besides the [`InitialState`].
#[cfg(feature = "ssr")]
pub(crate) type Members = serde_json::Map<String, serde_json::Value>;

/// Provides a state to the island while the server renders it, and returns its members as JSON,
/// without those that the browser reads the same if they are absent.
#[cfg(feature = "ssr")]
pub(crate) fn provide<T: serde::Serialize + Send + Sync + 'static>(state: T) -> Members {
    let members = match serde_json::to_value(&state) {
        Ok(serde_json::Value::Object(members)) => members,
        _ => Members::new(),
    };
    leptos::context::provide_context(std::sync::Arc::new(state));
    let is_read = |value: &serde_json::Value| {
        *value != "" && *value != false && *value != serde_json::json!([])
    };
    members.into_iter().filter(|(_, value)| is_read(value)).collect()
}
