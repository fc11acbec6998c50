use super::layout::{Frame, document};
use crate::words::{
    list::SIGN_IN,
    portal::KEY_OF_A_PARTNER,
    sign_in::{YOU_STAY_SIGNED_IN, YOUR_KEY},
    t,
};
use app::shell::link;
use leptos::prelude::*;

/// The page `/partners/sign-in`, which leads to the page `back`.
pub fn sign_in(frame: Frame, back: String) -> impl IntoView {
    let content = view! {
        <form class="sign-in" method="post" action=link("/partners/do/sign-in")>
            <h1>{t(SIGN_IN)}</h1>
            <label>
                {t(YOUR_KEY)}
                <input
                    name="key"
                    type="password"
                    autocomplete="current-password"
                    autocapitalize="off"
                    spellcheck="false"
                    placeholder="svc_…"
                    required
                    autofocus
                />
            </label>
            <input type="hidden" name="back" value=back />
            <button class="main" type="submit">
                {t(SIGN_IN)}
            </button>
            <p class="hint">{t(KEY_OF_A_PARTNER)} " " {t(YOU_STAY_SIGNED_IN)}</p>
        </form>
    };
    document(frame, t(SIGN_IN), content)
}
