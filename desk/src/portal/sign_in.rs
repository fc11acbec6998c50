use super::layout::{Frame, document};
use crate::sign_in::fields;
use crate::words::{list::SIGN_IN, portal::KEY_OF_A_PARTNER, sign_in::YOU_STAY_SIGNED_IN, t};
use app::shell::link;
use kit::html::IntoHtml;
use leptos::prelude::*;

/// The page `/partners/sign-in`, which leads to the page `back`.
pub fn sign_in(frame: Frame, back: String) -> impl IntoView {
    let content = view! {
        <form class="sign-in" method="post" action=link("/partners/do/sign-in")>
            <h1>{t(SIGN_IN)}</h1>
            {fields(back)}
            <p class="hint">{t(KEY_OF_A_PARTNER)} " " {t(YOU_STAY_SIGNED_IN)}</p>
        </form>
    };
    document(frame, t(SIGN_IN), content.into_html())
}
