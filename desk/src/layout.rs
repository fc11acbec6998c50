use super::{
    backend::{Notice, Person, SharedWork},
    functions::{PREFIX, SignOut},
    isolates::marked,
    words::{
        lang, layout as words,
        layout::{
            ALL_TIMES_IN_UTC, AUDIT, DESK, HELP, IMPORTS, NOTHING_HERE, OVERVIEW, QUEUE, SIGN_OUT,
            THERE_IS_NOTHING_HERE, TO_THE_QUEUE,
        },
        t,
    },
};
use app::{
    pages::mark::Mark,
    request::PageRequest,
    shell::{Glyphs, Head, link},
};
use kit::{
    html::{Html, IntoHtml},
    lang::Lang,
    words::Word,
};
use leptos::{prelude::*, server_fn::ServerFn};

/// Path to which the form for the language is sent.
pub const LANGUAGE: &str = "/desk/language";

/// Parameters of the page from its query. Pages of the desk find them in their context.
#[derive(Clone, Debug, Default)]
pub struct DeskQuery {
    /// The query as received, without the parameters below.
    pub query: String,
    /// Message about the previous action. Not read from the query, because anybody can write a
    /// link.
    pub notice: Option<Notice>,
    /// Page to open after signing in.
    pub back: Option<String>,
    /// Parameter `id=`.
    pub id: Option<String>,
    /// Parameter `step=`.
    pub step: Option<String>,
    /// Parameter `list=`: query of the list that a link was in.
    pub list: Option<String>,
}

impl DeskQuery {
    /// Parses a query string.
    pub fn of(query: &str) -> Self {
        let mut asked = Self::default();
        let mut rest = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "back" => asked.back = Some(value.into_owned()),
                "id" => asked.id = Some(value.into_owned()),
                "step" => asked.step = Some(value.into_owned()),
                "list" => asked.list = Some(value.into_owned()),
                _ if value.is_empty() => {}
                _ => {
                    rest.append_pair(&name, &value);
                }
            }
        }
        asked.query = rest.finish();
        asked
    }

    /// Value of a parameter in `query`; empty if it is missing.
    pub(super) fn value(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    }

    /// Returns `query` with one parameter changed, or removed if the value is empty.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let others = form_urlencoded::parse(self.query.as_bytes());
        query.extend_pairs(others.filter(|(given, _)| given != name));
        if !value.is_empty() {
            query.append_pair(name, value);
        }
        query.finish()
    }
}

/// URL of a server function, for forms.
pub(super) fn action<F: ServerFn>() -> String {
    debug_assert!(F::PATH.starts_with(PREFIX));
    link(F::PATH)
}

/// Path of the list with a query.
pub(super) fn list_path(query: &str) -> String {
    if query.is_empty() { "/desk".to_owned() } else { format!("/desk?{query}") }
}

/// The document of a page of the desk.
#[component]
pub(super) fn Page<V: IntoView + 'static>(
    #[prop(into)] title: String,
    /// URL of the page's script from the root, if it has one.
    #[prop(optional)]
    script: String,
    children: TypedChildren<V>,
) -> impl IntoView {
    document(title, script, children.into_inner()().into_html())
}

fn document(title: String, script: String, content: Html) -> Html {
    let asked = expect_context::<DeskQuery>();
    let person = expect_context::<SharedWork>().person().clone();
    let title = format!("{title} · {}", t(DESK));
    view! {
        <html lang=lang().tag() dir=lang().direction() data-theme="auto">
            <head>
                <Head title=title style="desk" />
                <meta name="robots" content="noindex" />
                {(!script.is_empty())
                    .then(|| view! { <script type="module" src=link(script)></script> })}
            </head>
            <body>
                <Glyphs />
                <Way person=person />
                <main>
                    <Message notice=asked.notice />
                    {content}
                </main>
                <footer>
                    <p class="hint">{t(ALL_TIMES_IN_UTC)}</p>
                    <Languages action=LANGUAGE />
                </footer>
            </body>
        </html>
    }
    .into_html()
}

/// Links of the navigation.
const WAYS: [(&str, Word); 5] = [
    ("/desk", QUEUE),
    ("/desk/imports", IMPORTS),
    ("/desk/audit", AUDIT),
    ("/desk/overview", OVERVIEW),
    ("/docs/operate", HELP),
];

/// Message about the previous action.
#[component]
pub(super) fn Message(notice: Option<Notice>) -> impl IntoView {
    match notice {
        Some(Notice::UserError(user_error)) => {
            view! { <p class="trouble" role="alert">{marked(&user_error)}</p> }.into_html()
        }
        Some(Notice::Done(done)) => {
            view! { <p class="done" role="status">{marked(&done)}</p> }.into_html()
        }
        // The page for which it is made shows it.
        Some(Notice::Issued(_)) | None => ().into_html(),
    }
}

/// Buttons that choose the language.
#[component]
pub(super) fn Languages(
    /// Path to which the choice is sent.
    action: &'static str,
) -> impl IntoView {
    let button = |one: Lang| {
        view! {
            <button
                type="submit"
                name="lang"
                value=one.tag()
                lang=one.tag()
                aria-current=(one == lang()).then_some("true")
            >
                {one.name()}
            </button>
        }
    };
    view! {
        <form class="languages" method="post" action=link(action) aria-label=t(words::LANGUAGE)>
            {Lang::ALL.map(button)}
        </form>
    }
}

/// The navigation.
#[component]
fn Way(person: Person) -> impl IntoView {
    let signed_in = !person.name.is_empty();
    let here = expect_context::<PageRequest>().path;
    let way = move |(path, name): (&'static str, Word)| {
        view! {
            <li>
                <a href=link(path) aria-current=(path == here).then_some("page")>
                    {t(name)}
                </a>
            </li>
        }
    };
    let leave = view! {
        <form method="post" action={action::<SignOut>()}>
            <span class="person">
                <bdi>{person.name}</bdi>
            </span>
            <button type="submit">{t(SIGN_OUT)}</button>
        </form>
    };
    view! {
        <nav aria-label=t(DESK)>
            <a class="home" href=link("/desk")>
                <Mark />
                <b>{t(DESK)}</b>
            </a>
            {signed_in
                .then(|| {
                    view! {
                        <ul>{WAYS.map(way)}</ul>
                        {leave}
                    }
                })}
        </nav>
    }
}

/// The page for unknown paths below `/desk`.
#[component]
pub(super) fn NothingHere() -> impl IntoView {
    view! {
        <Page title=t(NOTHING_HERE)>
            <h1>{t(THERE_IS_NOTHING_HERE)}</h1>
            <p>
                <a href=link("/desk")>{t(TO_THE_QUEUE)}</a>
            </p>
        </Page>
    }
}
