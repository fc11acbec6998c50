use kit::html::{Html, IntoHtml};
use leptos::prelude::*;

/// A text with views at its names in braces, such as links within a sentence.
pub(crate) fn with_views<const N: usize>(
    text: &str,
    views: [(&'static str, Html); N],
) -> Vec<Html> {
    let mut views = Vec::from(views);
    let mut parts = Vec::new();
    // Leptos renders an empty text as a space.
    let push = |parts: &mut Vec<Html>, text: &str| {
        if !text.is_empty() {
            parts.push(text.to_owned().into_html());
        }
    };
    let mut rest = text;
    while let Some((before, (name, after))) = next(rest) {
        push(&mut parts, before);
        if let Some(place) = views.iter().position(|(given, _)| *given == name) {
            parts.push(views.swap_remove(place).1);
        }
        rest = after;
    }
    push(&mut parts, rest);
    parts
}

/// The text before the next name in braces, the name, and the text after it.
fn next(text: &str) -> Option<(&str, (&str, &str))> {
    let (before, after) = text.split_once('{')?;
    Some((before, after.split_once('}')?))
}

/// Data of people or programs within a text. Its direction does not depend on the text.
pub(crate) fn data(text: impl Into<String>) -> Html {
    view! { <bdi>{text.into()}</bdi> }.into_html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_take_the_places_of_their_names() {
        let shown = |text| with_views(text, [("a", data("<A>"))]).to_html().replace("<!>", "");
        for (text, html) in [
            ("x & {a} y {b}z", "x &amp; <bdi>&lt;A&gt;</bdi> y z"),
            ("{a}", "<bdi>&lt;A&gt;</bdi>"),
            ("plain", "plain"),
            ("x {a", "x {a"),
        ] {
            assert_eq!(shown(text), html, "{text}");
        }
    }
}
