use leptos::prelude::*;

/// A text with views at its names in braces, such as links within a sentence.
pub(crate) fn with_views<const N: usize>(
    text: &str,
    views: [(&'static str, AnyView); N],
) -> Vec<AnyView> {
    let mut views = Vec::from(views);
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        parts.push(before.to_owned().into_any());
        let Some((name, after)) = after.split_once('}') else { break };
        if let Some(place) = views.iter().position(|(given, _)| *given == name) {
            parts.push(views.swap_remove(place).1);
        }
        rest = after;
    }
    parts.push(rest.to_owned().into_any());
    parts
}

/// Data of people or programs within a text. Its direction does not depend on the text.
pub(crate) fn data(text: impl Into<String>) -> AnyView {
    view! { <bdi>{text.into()}</bdi> }.into_any()
}
