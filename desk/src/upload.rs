//! The form that uploads a file. Browsers can send it without scripts; the island shows the
//! progress.

use crate::words::{
    t,
    upload::{CHECKING, FILE, INTERRUPTED, NOT_SENT, PERCENT_SENT, UPLOAD_FILE},
    words,
};
use kit::{
    dom::use_listener,
    number::plain,
    signals::{Var, effect, flag, provided, text},
};
use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{FormData, HtmlFormElement, ProgressEvent, XmlHttpRequest};

/// URL to which files are sent.
pub const UPLOAD: &str = "/desk/upload";

/// Link to [`UPLOAD`], for the server's render.
#[derive(Clone, Debug)]
pub(crate) struct Target(pub(crate) String);

/// Progress of an upload.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Idle,
    /// Percentage sent.
    Sending(u32),
    /// The file has been sent, and is being stored.
    Sent,
    NotSent,
    Interrupted,
}

impl State {
    const fn percentage(self) -> u32 {
        match self {
            State::Sending(percentage) => percentage,
            State::Sent => 100,
            State::Idle | State::NotSent | State::Interrupted => 0,
        }
    }

    fn notice(self) -> String {
        match self {
            State::Idle => String::new(),
            State::Sending(percentage) => {
                words().with(PERCENT_SENT, &[("n", &plain(percentage.into()))])
            }
            State::Sent => t(CHECKING),
            State::NotSent => t(NOT_SENT),
            State::Interrupted => t(INTERRUPTED),
        }
    }
}

/// The island.
#[island]
pub fn UploadForm() -> impl IntoView {
    let state = Var::new(State::Idle);
    let form = NodeRef::<html::Form>::new();
    effect(move |_| {
        if let (Some(form), Ok(request)) = (form.get(), XmlHttpRequest::new()) {
            use_upload(&form, request, state);
        }
    });
    let is_busy = move || matches!(state.get(), State::Sending(_) | State::Sent);
    // The browser keeps the attribute of the server's render.
    let target = provided::<Target>().map(|target| target.0).unwrap_or_default();
    view! {
        <form
            class="send"
            method="post"
            enctype="multipart/form-data"
            action=target
            node_ref=form
        >
            <label>
                <span class="unseen">{t(FILE)}</span>
                <input type="file" name="file" required accept=".csv,.tsv,.xlsx,.json,.ndjson,.jsonl,.gz,.zst" />
            </label>
            <button class="main" type="submit" disabled=flag(is_busy)>
                {t(UPLOAD_FILE)}
            </button>
            <progress
                max="100"
                value=text(move || plain(state.get().percentage().into()))
                hidden=flag(move || !is_busy())
            ></progress>
            <p class="told" role="status">
                {text(move || state.get().notice())}
            </p>
        </form>
    }
}

/// Sends the form with the request, then opens the page whose URL is the response.
fn use_upload(form: &HtmlFormElement, request: XmlHttpRequest, state: Var<State>) {
    if let Ok(upload) = request.upload() {
        use_listener(&upload, "progress", move |event| {
            let event: ProgressEvent = event.unchecked_into();
            let share = if event.total() > 0.0 { event.loaded() / event.total() } else { 0.0 };
            let percentage = (share * 100.0) as u32;
            state.set(if share >= 1.0 { State::Sent } else { State::Sending(percentage) });
        });
    }
    let ended = request.clone();
    use_listener(&request, "loadend", move |_| match (ended.status(), ended.response_text()) {
        (Ok(200), Ok(Some(url))) => _ = window().location().set_href(&url),
        _ => state.set(State::Interrupted),
    });
    let filled = form.clone();
    use_listener(form, "submit", move |event| {
        event.prevent_default();
        state.set(State::Sending(0));
        let sent = FormData::new_with_form(&filled).and_then(|data| {
            request.open_with_async("POST", &filled.action(), true)?;
            request.send_with_opt_form_data(Some(&data))
        });
        if sent.is_err() {
            state.set(State::NotSent);
        }
    });
}
