//! Sends forms.

use crate::json::{FromJson, field};
use js_sys::{Function, Promise};
use leptos::prelude::window;
use std::pin::Pin;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, UrlSearchParams};

/// Reason for which a form had no effect, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Text of the response.
    Text(String),
    /// The response was lost, so the form may have had its effect.
    NoResponse,
}

/// Future of a JSON response.
pub type Answer = Pin<Box<dyn Future<Output = Result<JsValue, Refusal>>>>;

/// Sends fields as a browser sends a form, and reads the JSON of the response.
pub fn send(address: &str, fields: &[(&str, &str)]) -> Answer {
    let init = RequestInit::new();
    init.set_method("POST");
    if let Ok(form) = UrlSearchParams::new() {
        for (name, value) in fields {
            form.append(name, value);
        }
        init.set_body(&form);
    }
    let response = window().fetch_with_str_and_init(address, &init);
    Box::pin(async move {
        let response = JsFuture::from(response).await.map_err(|_| Refusal::NoResponse)?;
        let is_done = field(&response, "ok").is_truthy();
        let read = field(&response, if is_done { "json" } else { "text" });
        let body = read.unchecked_into::<Function>().call0(&response);
        let body = body.map_err(|_| Refusal::NoResponse)?.unchecked_into::<Promise>();
        let body = JsFuture::from(body).await.map_err(|_| Refusal::NoResponse)?;
        if is_done { Ok(body) } else { Err(Refusal::Text(String::from_json(&body))) }
    })
}
