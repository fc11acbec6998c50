//! Texts of the desk, in the person's language. Each page has a file of texts below.

#[cfg(feature = "ssr")]
use kit::lang::Lang;
use kit::words::{Word, Words};
#[cfg(feature = "ssr")]
use leptos::prelude::use_context;

pub(crate) mod common;
mod dates;
#[cfg(feature = "ssr")]
pub(crate) mod imports;
#[cfg(feature = "ssr")]
pub(crate) mod layout;
#[cfg(feature = "ssr")]
pub(crate) mod preview;
pub(crate) mod upload;

pub use self::dates::{date, minute};

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

/// The person's language, from the context of the request.
#[cfg(feature = "ssr")]
pub(crate) fn lang() -> Lang {
    use_context().unwrap_or_default()
}

/// Element with the texts of a page's island.
#[cfg(feature = "ssr")]
pub(crate) fn for_island(words: &[Word]) -> impl leptos::prelude::IntoView {
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
