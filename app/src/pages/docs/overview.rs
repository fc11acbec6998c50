//! Overview of the API reference: all operations and objects, with links to the pages that describe them.
//!
//! Each entry has the anchor that it had while the reference was one page; `public/docs.js` then follows its link.

use super::{
    api::{METHODS, PUBLIC, id_of},
    content::{Content, Heading},
    json::{members, text},
    prose,
    public_page::PublicPage,
};
use crate::shell::link;
use leptos::prelude::*;
use serde_json::Value;

/// Content of the overview.
pub(super) fn content(document: &Value) -> Content {
    let parts = PublicPage::ALL.into_iter().filter(|page| page.is_part());
    let sections = parts.map(|part| section(part, document)).collect_view();
    let objects = members(&document["components"]["schemas"]).map(|(name, _)| {
        let id = format!("object-{name}");
        let href = link(format!("{}#{id}", PublicPage::ApiObjects.path()));
        view! {
            <li id=id>
                <a href=href>{name.to_owned()}</a>
            </li>
        }
    });
    let body = view! {
        <div class="prose overview">
            {sections} <h2 id="objects">"Objects"</h2>
            <ul class="objects">
                {objects.collect_view()} <li id="headers">
                    <a href=link(format!("{}#headers", PublicPage::ApiObjects.path()))>
                        "Headers of responses"
                    </a>
                </li>
            </ul>
            <p>
                "The same reference is available as an "
                <a href=link("/api/v1/openapi.json")>"OpenAPI 3.1 document"</a> "."
            </p>
        </div>
    };
    let headings = vec![Heading { id: "objects".to_owned(), text: "Objects".to_owned() }];
    Content { lead: prose::inline(PUBLIC.lead), body: body.into_any(), headings }
}

/// Operations of a part, path by path.
fn section(part: PublicPage, document: &Value) -> Option<impl IntoView + use<>> {
    let paths = members(&document["paths"])
        .map(|(path, methods)| (PUBLIC.short(path), methods))
        .filter(|(short, _)| PublicPage::of_operations(short) == part)
        .map(|(short, methods)| {
            let rows = METHODS
                .iter()
                .filter_map(|method| Some(row(part, &short, method, methods.get(*method)?)))
                .collect_view();
            view! { <ul id=id_of(&short)>{rows}</ul> }
        })
        .collect::<Vec<_>>();
    let title = part.title().trim_start_matches("API: ");
    (!paths.is_empty()).then(|| {
        view! {
            <h2>
                <a href=link(part.path())>{title}</a>
            </h2>
            {paths}
        }
    })
}

fn row(part: PublicPage, short: &str, method: &str, operation: &Value) -> impl IntoView + use<> {
    let id = text(&operation["operationId"]);
    let href = link(format!("{}#{id}", part.path()));
    view! {
        <li id=id>
            <a href=href>
                <span class=format!("method {method}")>{method.to_uppercase()}</span>
                <code>{short.to_owned()}</code>
                <span>{text(&operation["summary"])}</span>
            </a>
        </li>
    }
}
