//! The page in the frame of a widget that has a misspelt option.

use crate::{
    pages::{
        home::words::{DID_YOU_MEAN, QUESTION_MARK},
        in_language::text,
    },
    request::PageRequest,
    shell::Head,
};
use kit::words;
use leptos::prelude::*;

words! {
    /// Before the name.
    NO_OPTION:
        "There is no option",
        "Não existe a opção",
        "No existe la opción",
        "Option inconnue :",
        "Unbekannte Option:",
        "لا يوجد خيار باسم";
}

/// The document. It has to fit in the frame of a widget.
pub fn misspelt_option(given: String, meant: &'static str) -> impl IntoView {
    let PageRequest { lang, .. } = expect_context();
    let title = format!("{} {given}", text(NO_OPTION));
    view! {
        <!DOCTYPE html>
        <html lang=lang.tag() dir=lang.direction() data-theme="auto">
            <head>
                <Head title style="not-found" />
                <meta name="robots" content="noindex" />
            </head>
            <body>
                <main>
                    <h1>
                        {text(NO_OPTION)} " " <code dir="ltr" class="long">{given}</code>
                    </h1>
                    <p class="meant">
                        {text(DID_YOU_MEAN)} " " <code dir="ltr">{meant}</code> {text(QUESTION_MARK)}
                    </p>
                </main>
            </body>
        </html>
    }
}
