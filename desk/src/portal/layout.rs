use crate::{
    backend::Notice,
    layout::{Languages, Message},
    words::{
        lang,
        layout::{ALL_TIMES_IN_UTC, HELP, NOTHING_HERE, SIGN_OUT, THERE_IS_NOTHING_HERE},
        portal::{ONLY_TESTS, PORTAL, SANDBOX, TO_THE_PORTAL},
        t,
    },
};
use app::{
    pages::mark::Mark,
    shell::{Glyphs, Head, link},
};
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;

/// Parts around the content of each page.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Name of the signed-in partner; empty if nobody is signed in.
    pub holder: String,
    /// Whether the session sees a sandbox.
    pub is_sandbox: bool,
    /// Message about the previous action.
    pub notice: Option<Notice>,
}

/// The document of a page.
pub(super) fn document(frame: Frame, title: String, content: Html) -> Html {
    // No page has an island.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    let Frame { holder, is_sandbox, notice } = frame;
    let title = match t(PORTAL) {
        portal if portal == title => portal,
        portal => format!("{title} · {portal}"),
    };
    let signed_in = !holder.is_empty();
    view! {
        <!DOCTYPE html>
        <html lang=lang().tag() dir=lang().direction() data-theme="auto">
            <head>
                <Head title=title style="partners" />
                <meta name="robots" content="noindex" />
                {signed_in
                    .then(|| {
                        view! {
                            <script type="module" src=link("/partners.js")></script>
                            <script type="module" src=link("/copy.js")></script>
                        }
                    })}
            </head>
            <body>
                <Glyphs />
                <nav aria-label=t(PORTAL)>
                    <a class="home" href=link("/partners")>
                        <Mark />
                        <b>{t(PORTAL)}</b>
                    </a>
                    <ul>
                        <li>
                            <a href=link("/docs/partners")>{t(HELP)}</a>
                        </li>
                    </ul>
                    {signed_in
                        .then(|| {
                            view! {
                                <form method="post" action=link("/partners/do/sign-out")>
                                    <span class="person">
                                        <bdi>{holder}</bdi>
                                    </span>
                                    <button type="submit">{t(SIGN_OUT)}</button>
                                </form>
                            }
                        })}
                </nav>
                <main>
                    {is_sandbox
                        .then(|| {
                            view! {
                                <p class="sandbox">
                                    <b>{t(SANDBOX)}</b>
                                    " "
                                    {t(ONLY_TESTS)}
                                </p>
                            }
                        })}
                    <Message notice=notice />
                    {content}
                </main>
                <footer>
                    <p class="hint">{t(ALL_TIMES_IN_UTC)}</p>
                    <Languages action=super::LANGUAGE />
                </footer>
            </body>
        </html>
    }
    .into_html()
}

/// The page for unknown paths and subscriptions.
pub fn nothing_here(frame: Frame) -> Html {
    let content = view! {
        <h1>{t(THERE_IS_NOTHING_HERE)}</h1>
        <p>
            <a href=link("/partners")>{t(TO_THE_PORTAL)}</a>
        </p>
    };
    document(frame, t(NOTHING_HERE), content.into_html())
}
