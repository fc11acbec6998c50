//! The form that imports a file. Browsers can send it without scripts; the island shows the
//! progress and can cancel the upload.

use leptos::{ev::SubmitEvent, html, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{FormData, HtmlFormElement, ProgressEvent, XmlHttpRequest};

/// URL to which files are sent.
pub const UPLOAD: &str = "/desk/upload";

/// Progress of an upload.
#[derive(Clone, Debug, PartialEq)]
enum State {
    Idle,
    /// Percentage sent.
    Sending(u32),
    /// The file has been sent, and its last rows are being imported.
    Importing,
    Failed(String),
}

/// The island.
#[island]
pub fn UploadForm() -> impl IntoView {
    let state = RwSignal::new(State::Idle);
    let form = NodeRef::<html::Form>::new();
    let target = target();
    let send = move |event: SubmitEvent| {
        let Some(form) = form.get_untracked() else { return };
        event.prevent_default();
        upload(&form, state);
    };
    let is_busy = move || matches!(state.get(), State::Sending(_) | State::Importing);
    let share = move || match state.get() {
        State::Sending(share) => share.to_string(),
        State::Importing => "100".to_owned(),
        _ => "0".to_owned(),
    };
    let notice = move || match state.get() {
        State::Idle => String::new(),
        State::Sending(share) => format!("{share} % sent"),
        State::Importing => "Importing the last rows …".to_owned(),
        State::Failed(why) => why,
    };
    view! {
        <form
            class="send"
            method="post"
            enctype="multipart/form-data"
            action=target
            node_ref=form
            on:submit=send
        >
            <label class="check">
                <input type="checkbox" name="approve" value="true" />
                <span>"Publish the reports immediately"</span>
            </label>
            <label>
                <span class="unseen">"File"</span>
                <input type="file" name="file" required accept=".csv,.tsv,.json,.ndjson,.jsonl,.gz" />
            </label>
            <button class="main" type="submit" disabled=is_busy>
                "Import"
            </button>
            <progress max="100" value=share hidden=move || !is_busy()></progress>
            <p class="told" role="status">
                {notice}
            </p>
        </form>
    }
}

/// URL of the form, as rendered by the server.
fn target() -> String {
    #[cfg(feature = "ssr")]
    if let Some(super::imports::Target(target)) = use_context() {
        return target;
    }
    let form = document().query_selector("form.send").ok().flatten();
    form.and_then(|form| form.get_attribute("action")).unwrap_or_default()
}

/// Sends the form, then opens the page that it redirects to.
fn upload(form: &HtmlFormElement, state: RwSignal<State>) {
    let failed = || State::Failed("The file could not be sent.".to_owned());
    let (Ok(data), Ok(request)) = (FormData::new_with_form(form), XmlHttpRequest::new()) else {
        return state.set(failed());
    };
    state.set(State::Sending(0));
    let progress = Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| {
        let share = if event.total() > 0.0 { event.loaded() / event.total() * 100.0 } else { 0.0 };
        state.set(if share >= 100.0 { State::Importing } else { State::Sending(share as u32) });
    });
    let ended = Closure::<dyn Fn(ProgressEvent)>::new({
        let request = request.clone();
        move |_: ProgressEvent| {
            match (request.status(), request.response_url()) {
            (Ok(200), url) if !url.is_empty() => _ = window().location().set_href(&url),
            _ => state.set(State::Failed(
                "The import was interrupted. The reports imported before that remain: send the file again.".to_owned(),
            )),
        }
        }
    });
    if let Ok(upload) = request.upload() {
        upload.set_onprogress(Some(progress.as_ref().unchecked_ref()));
    }
    request.set_onloadend(Some(ended.as_ref().unchecked_ref()));
    // The callbacks live as long as the page, which ends with the upload.
    progress.forget();
    ended.forget();
    let sent = request
        .open_with_async("POST", &form.action(), true)
        .and_then(|()| request.send_with_opt_form_data(Some(&data)));
    if sent.is_err() {
        state.set(failed());
    }
}
