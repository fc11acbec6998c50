use leptos::prelude::*;

/// Code in a frame, with a button that `public/copy.js` activates. The code can be focused so that
/// it scrolls with the keyboard; its label is then announced.
pub(super) fn figure(label: &str, id: String, code: String) -> impl IntoView + use<> {
    let label_id = format!("{id}-label");
    view! {
        <figure>
            <figcaption>
                <span id=label_id.clone()>{label.to_owned()}</span>
                <button type="button" data-copy=id.clone() hidden aria-live="polite">
                    "Copy"
                </button>
            </figcaption>
            <pre tabindex="0" role="group" aria-labelledby=label_id>
                <code id=id>{code}</code>
            </pre>
        </figure>
    }
}
