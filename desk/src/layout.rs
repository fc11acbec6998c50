use super::{
    backend::{Notice, Person, SharedWork},
    functions::{PREFIX, SignOut},
};
use app::{
    pages::mark::Mark,
    request::PageRequest,
    shell::{Glyphs, Head, link},
};
use leptos::{prelude::*, server_fn::ServerFn};

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
pub(super) fn Page(
    title: &'static str,
    /// URL of the page's script from the root, if it has one.
    #[prop(optional)]
    script: String,
    children: Children,
) -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let person = expect_context::<SharedWork>().person().clone();
    view! {
        <html lang="en" data-theme="auto">
            <head>
                <Head title=format!("{title} · Desk") style="desk" />
                <meta name="robots" content="noindex" />
                {(!script.is_empty())
                    .then(|| view! { <script type="module" src=link(script)></script> })}
            </head>
            <body>
                <Glyphs />
                <Way person=person />
                <main>
                    {asked
                        .notice
                        .map(|notice| match notice {
                            Notice::UserError(user_error) => {
                                view! { <p class="trouble" role="alert">{user_error}</p> }.into_any()
                            }
                            Notice::Done(done) => {
                                view! { <p class="done" role="status">{done}</p> }.into_any()
                            }
                            // The page of keys shows it.
                            Notice::Issued(_) => ().into_any(),
                        })}
                    {children()}
                </main>
                <footer>
                    <p class="hint">"All times are in UTC."</p>
                </footer>
            </body>
        </html>
    }
}

/// Links of the navigation.
const WAYS: [(&str, &str); 5] = [
    ("/desk", "Queue"),
    ("/desk/imports", "Imports"),
    ("/desk/audit", "Audit"),
    ("/desk/overview", "Overview"),
    ("/docs/operate", "Help"),
];

/// The navigation.
#[component]
fn Way(person: Person) -> impl IntoView {
    let signed_in = !person.name.is_empty();
    let here = expect_context::<PageRequest>().path;
    let way = move |(path, name): (&'static str, &'static str)| {
        view! {
            <li>
                <a href=link(path) aria-current=(path == here).then_some("page")>
                    {name}
                </a>
            </li>
        }
    };
    let leave = view! {
        <form method="post" action={action::<SignOut>()}>
            <span class="person">{person.name}</span>
            <button type="submit">"Sign out"</button>
        </form>
    };
    view! {
        <nav aria-label="Desk">
            <a class="home" href=link("/desk")>
                <Mark />
                <b>"Desk"</b>
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
        <Page title="Nothing here">
            <h1>"There is nothing here"</h1>
            <p>
                <a href=link("/desk")>"To the queue"</a>
            </p>
        </Page>
    }
}
