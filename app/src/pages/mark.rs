use leptos::prelude::*;

/// Flame and drop, at the head of a page.
#[component]
pub fn Mark() -> impl IntoView {
    view! {
        <svg class="mark spirit" aria-hidden="true">
            <use href="#spirit" />
        </svg>
        <svg class="mark water" aria-hidden="true">
            <use href="#water" />
        </svg>
    }
}
