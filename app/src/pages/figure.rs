use super::highlight::highlighted;
use leptos::prelude::*;

/// Texts of a copy button: at first, and after each of its outcomes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labels {
    pub(super) copy: &'static str,
    pub(super) copied: &'static str,
    pub(super) selected: &'static str,
}

impl Labels {
    pub(super) const ENGLISH: Self = Self { copy: "Copy", copied: "Copied", selected: "Selected" };
}

/// Code of a language in a frame, with a button that `public/copy.js` activates. The code can be focused so that
/// it scrolls with the keyboard; its label is then announced.
pub(super) fn figure(
    label: &str,
    id: String,
    (language, code): (&str, &str),
    labels: Labels,
) -> impl IntoView + use<> {
    let Labels { copy, copied, selected } = labels;
    let label_id = format!("{id}-label");
    view! {
        <figure>
            <figcaption>
                <span id=label_id.clone()>{label.to_owned()}</span>
                <button
                    type="button"
                    data-copy=id.clone()
                    data-copied=copied
                    data-selected=selected
                    hidden
                    aria-live="polite"
                >
                    {copy}
                </button>
            </figcaption>
            <pre tabindex="0" role="group" aria-labelledby=label_id>
                <code id=id inner_html=highlighted(language, code)></code>
            </pre>
        </figure>
    }
}
