//! Overview of the API reference: all operations and objects, with links to the pages that describe them.
//!
//! Each entry has the anchor that it had while the reference was one page; `public/docs.js` then follows its link.

use super::{
    api::{METHODS, PUBLIC, id_of},
    content::Content,
    json::{members, text},
    prose,
    public_page::PublicPage,
};
use crate::shell::link;
use kit::html::IntoHtml;
use leptos::prelude::*;
use serde_json::Value;

/// Content of the overview.
pub(super) fn content(document: &Value) -> Content {
    let section = |part: PublicPage| {
        view! {
            <h2 id=(part == PublicPage::ApiObjects).then_some("objects")>
                <a href=link(part.path())>{part.label()}</a>
            </h2>
            {operations(part, document)}
        }
    };
    let parts = PublicPage::ALL.into_iter().filter(|page| page.is_part());
    let objects = members(&document["components"]["schemas"]).map(|(name, _)| {
        let id = format!("object-{name}");
        let href = link(format!("{}#{id}", PublicPage::ApiObjects.path()));
        view! {
            <li id=id>
                <a href=href>{name.to_owned()}</a>
            </li>
        }
    });
    // The objects are the last part.
    let body = view! {
        <div class="prose overview">
            {parts.map(section).collect_view()} <ul class="objects">
                {objects.collect_view()} <li id="headers">
                    <a href=link(format!("{}#headers", PublicPage::ApiObjects.path()))>
                        "Headers of responses"
                    </a>
                </li>
            </ul>
        </div>
    };
    Content { lead: prose::inline(PUBLIC.lead), body: body.into_html(), headings: Vec::new() }
}

/// Operations of a part, path by path.
fn operations(part: PublicPage, document: &Value) -> impl IntoView + use<> {
    let of_path = |(path, methods): (&str, &Value)| {
        let short = PUBLIC.short(path);
        if PublicPage::of_operations(&short) != part {
            return None;
        }
        let rows = METHODS
            .iter()
            .filter_map(|method| Some(row(part, &short, method, methods.get(*method)?)))
            .collect_view();
        Some(view! { <ul id=id_of(&short)>{rows}</ul> })
    };
    members(&document["paths"]).filter_map(of_path).collect_view()
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
