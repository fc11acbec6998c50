//! Code in several languages. Radio buttons select the language, so no JavaScript is needed.

use crate::pages::figure::{Labels, figure};
use leptos::prelude::*;

/// Code in a language.
pub(super) struct Tab {
    pub(super) label: &'static str,
    /// Prefix of the id of the code.
    pub(super) id: &'static str,
    pub(super) language: &'static str,
    pub(super) code: String,
}

/// Tabs with the code of `of`; the first one is selected. `style/docs.css` shows the figure of the checked button, up
/// to the fifth.
pub(super) fn tabs<const N: usize>(of: &str, tabs: [Tab; N]) -> impl IntoView + use<N> {
    let (mut buttons, mut figures) = (Vec::new(), Vec::new());
    for (number, Tab { label, id, language, code }) in tabs.into_iter().enumerate() {
        let (id, button) = (format!("{id}-{of}"), format!("{id}-{of}-tab"));
        buttons.push(view! {
            <input
                type="radio"
                name=format!("language-{of}")
                id=button.clone()
                checked=number == 0
                autocomplete="off"
            />
            <label for=button>{label}</label>
        });
        figures.push(figure(label, id, (language, &code), Labels::ENGLISH));
    }
    view! {
        <fieldset class="tabs">
            <legend>"Language"</legend>
            {buttons}
            {figures}
        </fieldset>
    }
}
