use crate::request::PageRequest;
use leptos::prelude::*;

/// The page `/embed/:widget`: the widget's own component, from the [registry](super::registry).
#[component]
pub fn WidgetPage() -> impl IntoView {
    let PageRequest { embed, .. } = expect_context();
    (embed.widget.view)()
}
