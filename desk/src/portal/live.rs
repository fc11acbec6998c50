use leptos::prelude::*;

/// A part of a page that `public/partners.js` keeps up to date. It contains no fields, because a replacement would lose
/// their values.
pub(super) fn live(id: &'static str, content: impl IntoView) -> impl IntoView {
    view! {
        <div id=id data-live>
            {content}
        </div>
    }
}
