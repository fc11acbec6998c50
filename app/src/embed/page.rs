use crate::request::PageRequest;
use leptos::prelude::*;

/// The page of `/embed/:widget`: the widget's own component, found in the
/// [registry](super::registry).
#[component]
pub fn WidgetPage() -> impl IntoView {
    let PageRequest { embed, .. } = expect_context();
    (embed.widget.view)()
}
