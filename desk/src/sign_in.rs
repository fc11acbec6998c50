use super::{
    functions::SignIn as Function,
    layout::{DeskQuery, Page, action},
};
use leptos::prelude::*;

/// The page `/desk/sign-in`.
#[component]
pub(super) fn SignIn() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    view! {
        <Page title="Sign in">
            <form class="sign-in" method="post" action={action::<Function>()}>
                <h1>"Sign in"</h1>
                <label>
                    "Your key"
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
                <input type="hidden" name="back" value=asked.back.unwrap_or_default() />
                <button class="main" type="submit">
                    "Sign in"
                </button>
                <p class="hint">
                    "The operator of this service creates a key for you: "
                    <code>"svc keys create --partner NAME --tier operator --scope moderate"</code>
                    "You stay signed in for 12 hours."
                </p>
            </form>
        </Page>
    }
}
