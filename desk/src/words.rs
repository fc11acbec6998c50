//! Texts of the desk, in the person's language. Each page has a file of texts below.

#[cfg(feature = "ssr")]
use kit::lang::Lang;
use kit::words::{Word, Words};
#[cfg(feature = "ssr")]
use leptos::prelude::use_context;

#[cfg(feature = "ssr")]
pub(crate) mod audit;
pub(crate) mod common;
#[cfg(feature = "ssr")]
pub(crate) mod correct;
mod dates;
#[cfg(feature = "ssr")]
pub(crate) mod deciding;
#[cfg(feature = "ssr")]
pub(crate) mod duplicates;
#[cfg(feature = "ssr")]
pub(crate) mod imports;
#[cfg(feature = "ssr")]
pub(crate) mod keys;
#[cfg(feature = "ssr")]
pub(crate) mod layout;
pub(crate) mod list;
#[cfg(feature = "ssr")]
pub(crate) mod overview;
#[cfg(feature = "ssr")]
pub(crate) mod portal;
#[cfg(feature = "ssr")]
pub(crate) mod preview;
#[cfg(feature = "ssr")]
pub(crate) mod queue;
#[cfg(feature = "ssr")]
pub(crate) mod report;
#[cfg(feature = "ssr")]
pub(crate) mod sign_in;
pub(crate) mod upload;
#[cfg(feature = "ssr")]
pub(crate) mod webhooks;
#[cfg(feature = "ssr")]
mod with_views;

#[cfg(feature = "ssr")]
pub(crate) use self::dates::second;
pub use self::dates::{date, minute};
#[cfg(feature = "ssr")]
pub use self::dates::{date_in, minute_in};
#[cfg(feature = "ssr")]
pub(crate) use self::with_views::{data, with_views};

/// Id of the element with the texts of a page's island.
pub(crate) const WORDS: &str = "words";

/// The texts of the page: all of them on the server, those of its island in the browser.
pub(crate) fn words() -> Words {
    #[cfg(feature = "ssr")]
    return Words::all(lang());
    #[cfg(not(feature = "ssr"))]
    in_browser::words()
}

/// A text without values.
pub(crate) fn t(word: Word) -> String {
    words().text(word).to_owned()
}

/// A text with values.
pub(crate) fn with(word: Word, values: &[(&str, &str)]) -> String {
    words().with(word, values)
}

/// The form of a text for a number, with the number.
pub(crate) fn sentence(word: Word, count: u64) -> String {
    words().sentence(word, count)
}

/// Name of a status, such as `PENDING`, within sentences and tables.
pub fn status(name: &str) -> String {
    status_in(&words(), name)
}

/// [`status`] in the language of the words.
pub fn status_in(words: &Words, name: &str) -> String {
    let known = match name {
        "PENDING" => common::PENDING,
        "APPROVED" => common::APPROVED,
        "REJECTED" => common::REJECTED,
        "WITHDRAWN" => common::WITHDRAWN,
        _ => return name.to_owned(),
    };
    words.text(known).to_owned()
}

/// The person's language, from the context of the request.
#[cfg(feature = "ssr")]
pub(crate) fn lang() -> Lang {
    use_context().unwrap_or_default()
}

/// Element with the texts of a page's island.
#[cfg(feature = "ssr")]
pub(crate) fn for_island(words: &[Word]) -> impl leptos::prelude::IntoView + use<> {
    use app::shell::json;
    use leptos::prelude::*;
    let words = json(&Words::only(lang(), words));
    view! { <script id=WORDS type="application/json" inner_html=words></script> }
}

#[cfg(not(feature = "ssr"))]
mod in_browser {
    use super::{WORDS, Words};
    use js_sys::JSON;
    use kit::{dom::document_text, json::FromJson};
    use std::cell::OnceCell;

    thread_local! {
        static WORDS_OF_PAGE: OnceCell<Words> = const { OnceCell::new() };
    }

    pub(super) fn words() -> Words {
        let read = || Words::from_json(&JSON::parse(&document_text(WORDS)).unwrap_or_default());
        WORDS_OF_PAGE.with(|words| words.get_or_init(read).clone())
    }
}
