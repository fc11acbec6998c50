//! API references: pages generated from an OpenAPI document, with forms to try the operations.

use super::{
    content::{Content, Heading},
    field,
    json::{array, members, pretty, text},
    prose,
    public_page::PublicPage,
    request::Request,
    schema,
    tabs::tabs,
};
use crate::{
    base_url::BaseUrl,
    pages::figure::{Labels, figure},
    shell::link,
};
use kit::html::IntoHtml;
use leptos::prelude::*;
use serde_json::Value;

/// A reference: the document is another one, and a few words.
pub(super) struct Reference {
    pub(super) lead: &'static str,
    /// The path below which all of it is.
    prefix: &'static str,
    /// Label of the field for the key.
    key: &'static str,
}

/// Reference of the public API.
pub(super) const PUBLIC: Reference = Reference {
    lead: "Every request below `/api/v1`, with its parameters and responses. You can try them \
           out. Reading needs no key and works from any origin.",
    prefix: "/api/v1",
    key: "Key, if you have one",
};

/// Reference of the operator API.
pub(super) const OPERATORS: Reference = Reference {
    lead: "Every request below `/operator/v1`, with its parameters and responses. You can try them out here \
           with an operator\u{2019}s key: what you send is done.",
    prefix: "/operator/v1",
    key: "Key of the tier operator",
};

impl Reference {
    /// Path without the prefix, as in the index.
    pub(super) fn short(&self, path: &str) -> String {
        path.strip_prefix(self.prefix).unwrap_or(path).to_owned()
    }
}

/// The order in which the methods of a path are shown.
pub(super) const METHODS: [&str; 4] = ["get", "post", "patch", "delete"];

/// Content of a whole reference.
pub(super) fn content(reference: &Reference, document: &Value, base_url: &BaseUrl) -> Content {
    page(reference, document, base_url, |_| true, true)
}

/// Content of a part of the public reference.
pub(super) fn part(part: PublicPage, document: &Value, base_url: &BaseUrl) -> Content {
    let is_shown = |short: &str| PublicPage::of_operations(short) == part;
    page(&PUBLIC, document, base_url, is_shown, part == PublicPage::ApiObjects)
}

/// The operations of some paths, and the objects.
fn page(
    reference: &Reference,
    document: &Value,
    base_url: &BaseUrl,
    is_shown: impl Fn(&str) -> bool,
    has_objects: bool,
) -> Content {
    let short = |path: &str| reference.short(path);
    let paths: Vec<(&str, &Value)> =
        members(&document["paths"]).filter(|(path, _)| is_shown(&short(path))).collect();
    let mut headings: Vec<Heading> = paths
        .iter()
        .map(|(path, _)| Heading { id: id_of(&short(path)), text: short(path) })
        .collect();
    let objects = has_objects.then(|| {
        for (id, text) in [("headers", "Headers"), ("objects", "Objects")] {
            headings.push(Heading { id: id.to_owned(), text: text.to_owned() });
        }
        view! {
            {headers(document)}
            <section id="objects">
                <h2>"Objects"</h2>
                <p>
                    "The same reference is available as an "
                    <a href=link(format!("{}/openapi.json", reference.prefix))>"OpenAPI 3.1 document"</a>
                    ". Members and values may be added: ignore unknown ones."
                </p>
                {schema::objects(&document["components"]["schemas"])}
            </section>
        }
    });
    let body = view! {
        <div class="prose">
            <Key label=reference.key />
            {paths
                .into_iter()
                .map(|(path, methods)| resource(path, &short(path), methods, base_url))
                .collect_view()}
            {objects}
        </div>
    };
    Content { lead: prose::inline(reference.lead), body: body.into_html(), headings }
}

/// Table of the headers in responses.
fn headers(document: &Value) -> impl IntoView + use<> {
    view! {
        <section id="headers">
            <h2>"Headers"</h2>
            <p>"Every response has the first two, and the others where they apply."</p>
            {schema::headers(&document["components"]["headers"])}
        </section>
    }
}

/// The key to try things out with. Only JavaScript can send it.
#[component]
fn Key(label: &'static str) -> impl IntoView {
    view! {
        <div class="key" data-live hidden>
            <label for="key">{label}</label>
            <input
                id="key"
                type="password"
                autocomplete="off"
                spellcheck="false"
                placeholder="svc_…"
                aria-describedby="about-key"
            />
            <p id="about-key">
                "It is sent with the requests you try out here. It stays in the memory of this page until you leave."
            </p>
        </div>
    }
}

/// Operations of a path. `short` is its name in the index.
fn resource(path: &str, short: &str, methods: &Value, base_url: &BaseUrl) -> impl IntoView + use<> {
    let operations = METHODS
        .iter()
        .filter_map(|method| Some((*method, methods.get(*method)?)))
        .map(|(method, operation)| describe(path, short, method, operation, base_url))
        .collect_view();
    view! {
        <section id=id_of(short)>
            <h2>
                <code>{path.to_owned()}</code>
            </h2>
            {operations}
        </section>
    }
}

fn describe(
    path: &str,
    short: &str,
    method: &str,
    operation: &Value,
    base_url: &BaseUrl,
) -> impl IntoView + use<> {
    let id = text(&operation["operationId"]);
    let ways = &operation["security"];
    let needs_key = ways.as_array().is_some_and(|ways| ways.len() == 1);
    let scope = ways[0]["key"][0].as_str();
    let needs = match scope {
        Some(scope) => format!("Needs an operator\u{2019}s key with the scope `{scope}`."),
        None => "Needs a partner\u{2019}s key.".to_owned(),
    };
    let (status, success) = members(&operation["responses"]).next().unwrap_or(("", &Value::Null));
    let example = example_of(success);
    view! {
        <article id=id.clone()>
            <h3>
                <span class=format!("method {method}")>{method.to_uppercase()}</span>
                " "
                {text(&operation["summary"])}
            </h3>
            <div inner_html=prose::blocks(&text(&operation["description"]))></div>
            {needs_key.then(|| view! { <p class="needs" inner_html=prose::inline(&needs)></p> })}
            {form(path, short, method, operation, needs_key)}
            {tabs(&id, Request::of(path, method, operation, base_url, needs_key).tabs())}
            {figure(&format!("Answer, {status}"), format!("answer-{id}"), ("json", &example), Labels::ENGLISH)}
            {problems(&operation["responses"])}
        </article>
    }
}

/// Form to try an operation. With JavaScript, the response is shown in place; without it, the form sends a plain GET,
/// and is hidden for operations that need more.
fn form(
    path: &str,
    short: &str,
    method: &str,
    operation: &Value,
    needs_key: bool,
) -> impl IntoView + use<> {
    let id = text(&operation["operationId"]);
    let fields: Vec<_> = array(&operation["parameters"])
        .filter(|parameter| parameter["in"] != "header")
        .map(|parameter| field::of_parameter(&id, parameter))
        .collect();
    let body = operation.get("requestBody").map(|body| {
        let example = &body["content"]["application/json"]["example"];
        field::of_body(&id, &pretty(example), body["required"] != false)
    });
    let is_plain = method == "get" && !needs_key && path.starts_with(PUBLIC.prefix);
    view! {
        <form
            class="try"
            method="get"
            action=is_plain.then(|| link(format!("/docs/send{short}")))
            data-method=method.to_uppercase()
            data-path=link(path)
            data-live=!is_plain
            hidden=!is_plain
        >
            {fields}
            {body}
            <p class="send">
                <button type="submit">"Send"</button>
                <code>{format!("{} {path}", method.to_uppercase())}</code>
            </p>
            // The short outcome is announced to screen readers; the whole response would take too long.
            <p class="outcome" role="status"></p>
            <div class="answer"></div>
        </form>
    }
}

fn example_of(response: &Value) -> String {
    let Some((kind, media)) = members(&response["content"]).next() else {
        return "(no body)".to_owned();
    };
    match media.get("example") {
        Some(Value::String(events)) => events.trim_end().to_owned(),
        Some(example) => pretty(example),
        None => format!("({kind})"),
    }
}

fn problems(responses: &Value) -> impl IntoView + use<> {
    let mut codes = Vec::new();
    for (status, response) in members(responses) {
        for code in array(&response["x-codes"]) {
            codes.push((status.to_owned(), text(code)));
        }
    }
    let entry = |(status, code): (String, String)| {
        let href = link(format!("/docs/errors#{code}"));
        view! {
            <li>
                <a href=href>
                    <b>{status}</b>
                    " "
                    {code}
                </a>
            </li>
        }
    };
    view! {
        <details class="problems">
            <summary>"Problems"</summary>
            <ul>{codes.into_iter().map(entry).collect_view()}</ul>
        </details>
    }
}

/// `/reports/{id}` is `reports/id`.
pub(super) fn id_of(short: &str) -> String {
    short.trim_start_matches('/').replace(['{', '}'], "")
}
