use leptos::prelude::*;

/// Code in a frame, with the button that `public/copy.js` brings to life.
pub(super) fn figure(label: &str, id: String, code: String) -> impl IntoView + use<> {
    view! {
        <figure>
            <figcaption>
                <span>{label.to_owned()}</span>
                <button type="button" data-copy=id.clone() hidden aria-live="polite">
                    "Copy"
                </button>
            </figcaption>
            <pre tabindex="0">
                <code id=id>{code}</code>
            </pre>
        </figure>
    }
}
