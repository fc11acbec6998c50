use super::{
    functions::SignIn as Function,
    layout::{DeskQuery, Page, action},
    words::{
        list::SIGN_IN,
        sign_in::{THE_OPERATOR_CREATES_A_KEY, YOU_STAY_SIGNED_IN, YOUR_KEY},
        t,
    },
};
use leptos::prelude::*;

/// The page `/desk/sign-in`.
#[component]
pub(super) fn SignIn() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    view! {
        <Page title=t(SIGN_IN)>
            <form class="sign-in" method="post" action={action::<Function>()}>
                <h1>{t(SIGN_IN)}</h1>
                {fields(asked.back.unwrap_or_default())}
                <p class="hint">
                    {t(THE_OPERATOR_CREATES_A_KEY)} " "
                    <code>"svc keys create --partner NAME --tier operator --scope moderate"</code>
                    {t(YOU_STAY_SIGNED_IN)}
                </p>
            </form>
        </Page>
    }
}

/// Fields and button of a form for signing in, which leads to the page `back`.
pub(super) fn fields(back: String) -> impl IntoView {
    view! {
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
    }
}
