//! Submits the form by the API.

use super::{form::FIELDS, proof::solve};
use js_sys::{Function, JSON, Object, Promise, Reflect};
use kit::json::{FromJson, each, field, text};
use leptos::prelude::window;
use std::pin::Pin;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{FormData, HtmlFormElement, RequestInit};

/// Result of submitting the form.
pub(super) enum Sent {
    /// Id of the report.
    Accepted(String),
    /// Names of the fields with faults.
    Faulty(Vec<String>),
    /// Code of the problem; empty if the response was lost.
    Refused(String),
}

/// Submits the fields of the form with a proof of work.
pub(super) async fn send(form: &HtmlFormElement, base_path: &str) -> Sent {
    let report = Object::new();
    let mut faulty = Vec::new();
    let Ok(data) = FormData::new_with_form(form) else { return Sent::Refused(String::new()) };
    let value = |name: &str| data.get(name).as_string().unwrap_or_default();
    for (name, _) in FIELDS {
        let value = value(name);
        let value = value.trim();
        if value.is_empty() {
            let is_required = ["type", "city", "country"].contains(&name);
            // A number or a date that the browser does not understand is an empty value of its field.
            if is_required || is_bad_input(form, name) {
                faulty.push(name.to_owned());
            }
            continue;
        }
        match (name, value.parse::<u32>()) {
            ("peopleCount", Ok(number)) => set(&report, name, &number.into()),
            ("peopleCount", Err(_)) => faulty.push(name.to_owned()),
            _ => set(&report, name, &value.into()),
        }
    }
    set(&report, "website", &value("website").into());
    if !faulty.is_empty() {
        return Sent::Faulty(faulty);
    }
    let api = [base_path, "/api/v1/reports"].concat();
    let (is_ok, challenge) = request(&[&api, "/challenge"].concat(), None).await;
    if !is_ok {
        return Sent::Refused(text(&challenge, "code"));
    }
    let proof = Object::new();
    let difficulty = u32::from_json(&field(&challenge, "difficulty"));
    let challenge = text(&challenge, "challenge");
    set(&proof, "nonce", &solve(&challenge, difficulty).await.into());
    set(&proof, "challenge", &challenge.into());
    set(&report, "proof", &proof);
    let body = JSON::stringify(&report).map(String::from).unwrap_or_default();
    let (is_ok, answer) = request(&api, Some(&body)).await;
    if is_ok {
        return Sent::Accepted(text(&answer, "id"));
    }
    each(&field(&answer, "errors"), &mut |error| {
        let pointer = text(error, "pointer");
        let name = pointer.trim_start_matches('/');
        if FIELDS.iter().any(|(field, _)| *field == name) {
            faulty.push(name.to_owned());
        }
    });
    if faulty.is_empty() { Sent::Refused(text(&answer, "code")) } else { Sent::Faulty(faulty) }
}

fn is_bad_input(form: &HtmlFormElement, name: &str) -> bool {
    let input = form.query_selector(&["[name=", name, "]"].concat()).ok().flatten();
    input.is_some_and(|input| field(&field(&input, "validity"), "badInput").is_truthy())
}

fn set(object: &Object, name: &str, value: &JsValue) {
    _ = Reflect::set(object, &name.into(), value);
}

/// Future of whether a request succeeded, and the JSON of its response. Boxed, because each caller would contain its
/// states.
type Answer = Pin<Box<dyn Future<Output = (bool, JsValue)>>>;

/// Sends a request, with a JSON body if there is one.
fn request(address: &str, body: Option<&str>) -> Answer {
    let init = RequestInit::new();
    if let Some(body) = body {
        let headers = Object::new();
        set(&headers, "content-type", &"application/json".into());
        init.set_method("POST");
        init.set_headers(&headers);
        init.set_body(&body.into());
    }
    let response = window().fetch_with_str_and_init(address, &init);
    Box::pin(async move {
        let lost = (false, JsValue::UNDEFINED);
        let Ok(response) = JsFuture::from(response).await else { return lost };
        let json = field(&response, "json").unchecked_into::<Function>().call0(&response);
        let Ok(json) = json else { return lost };
        match JsFuture::from(json.unchecked_into::<Promise>()).await {
            Ok(json) => (field(&response, "ok").is_truthy(), json),
            Err(_) => lost,
        }
    })
}
