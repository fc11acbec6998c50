//! Data within sentences. It is isolated with characters of Unicode, so that its direction does not
//! depend on the sentence, and the pages show it as elements.

use kit::html::{Html, IntoHtml};
use leptos::prelude::*;

/// End of an isolate.
const END: char = '\u{2069}';
/// First strong isolate.
const DATA: char = '\u{2068}';
/// Left-to-right isolate.
const CODE: char = '\u{2066}';
/// Left-to-right isolate with a mark, for text in English.
const ENGLISH: &str = "\u{2066}\u{200E}";

/// Data of people, such as a name: `<bdi>`.
pub fn data(text: &str) -> String {
    format!("{DATA}{text}{END}")
}

/// A name of a field, or another term of programs: `<code>`.
pub fn code(text: &str) -> String {
    format!("{CODE}{text}{END}")
}

/// A message that exists only in English: `<bdi lang="en">`.
pub fn english(text: &str) -> String {
    format!("{ENGLISH}{text}{END}")
}

/// A sentence with its isolates as elements.
pub(crate) fn marked(sentence: &str) -> Vec<Html> {
    let mut views = Vec::new();
    let mut rest = sentence;
    while let Some((before, isolate)) = rest.find([DATA, CODE]).map(|at| rest.split_at(at)) {
        let Some((text, after)) = isolate.split_once(END) else { break };
        if !before.is_empty() {
            views.push(before.to_owned().into_html());
        }
        views.push(if let Some(text) = text.strip_prefix(ENGLISH) {
            view! { <bdi lang="en">{text.to_owned()}</bdi> }.into_html()
        } else if let Some(text) = text.strip_prefix(CODE) {
            view! { <code>{text.to_owned()}</code> }.into_html()
        } else {
            view! { <bdi>{text.trim_start_matches(DATA).to_owned()}</bdi> }.into_html()
        });
        rest = after;
    }
    if !rest.is_empty() {
        views.push(rest.to_owned().into_html());
    }
    views
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(sentence: &str) -> String {
        view! { <p>{marked(sentence)}</p> }.to_html().replace("<!>", "")
    }

    #[test]
    fn isolates_become_elements() {
        let sentence = format!("{}: {} ({})", code("eventDate"), data("\"<Åre>\""), english("eof"));
        assert_eq!(
            html(&sentence),
            "<p><code>eventDate</code>: <bdi>\"&lt;Åre&gt;\"</bdi> (<bdi lang=\"en\">eof</bdi>)</p>"
        );
        assert_eq!(html("plain"), "<p>plain</p>");
        assert_eq!(html("\u{2068}cut"), "<p>\u{2068}cut</p>", "a message that was cut");
    }
}
