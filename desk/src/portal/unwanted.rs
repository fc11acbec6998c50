use super::layout::{Frame, document};
use crate::words::{
    portal::{END_MAILS, END_MAILS_HINT, MAILS},
    t,
};
use app::shell::link;
use kit::html::IntoHtml;
use leptos::prelude::*;

/// The page `/partners/mails?token=…`, to which mails lead. It works without signing in, because a partner may have
/// entered somebody else's address. Without a token, the page only shows the message about the removal.
pub fn unwanted_mails(frame: Frame, token: String) -> impl IntoView {
    let form = (!token.is_empty()).then(|| {
        view! {
            <form class="do" method="post" action=link("/partners/do/end-mails")>
                <input type="hidden" name="token" value=token />
                <p>{t(END_MAILS_HINT)}</p>
                <button class="main" type="submit">
                    {t(END_MAILS)}
                </button>
            </form>
        }
    });
    document(
        frame,
        t(MAILS),
        view! {
            <h1>{t(MAILS)}</h1>
            {form}
        }
        .into_html(),
    )
}
