//! Objects and headers of the OpenAPI document as tables.

use super::{
    json::{array, members, text},
    prose,
};
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;
use serde_json::Value;

/// Each schema, with its members.
pub(super) fn objects(schemas: &Value) -> impl IntoView + use<> {
    members(schemas).map(|(name, schema)| object(name, schema)).collect_view()
}

/// Table of headers, with examples and descriptions.
pub(super) fn headers(headers: &Value) -> impl IntoView + use<> {
    let row = |(name, header): (&str, &Value)| {
        let example = text(&header["example"]);
        let description = text(&header["description"]);
        row(name.to_owned(), example, &description)
    };
    table(["Header", "For example", "What it says"], members(headers).map(row).collect())
}

fn object(name: &str, schema: &Value) -> impl IntoView + use<> {
    let body = match schema.get("anyOf").or(schema.get("oneOf")) {
        Some(variants) => {
            let names: Vec<String> =
                array(variants).map(|variant| format!("`{}`", kind_of(variant))).collect();
            let names = prose::inline(&format!("One of {}.", names.join(", ")));
            view! { <p inner_html=names></p> }.into_html()
        }
        None => rows_of(schema).into_html(),
    };
    let about = schema["description"].as_str().map(prose::inline);
    view! {
        <article id=format!("object-{name}")>
            <h3>{name.to_owned()}</h3>
            {about.map(|about| view! { <p inner_html=about></p> })}
            {body}
        </article>
    }
}

fn rows_of(schema: &Value) -> impl IntoView + use<> {
    let required: Vec<&str> = array(&schema["required"]).filter_map(Value::as_str).collect();
    let rows = members(&schema["properties"])
        .map(|(name, member)| {
            let kind = kind_of(member);
            let kind = if required.contains(&name) { kind } else { format!("{kind}, optional") };
            // First paragraph only: a table has no room for more.
            let about = text(&member["description"]);
            let about = about.split("\n\n").next().unwrap_or_default();
            row(name.to_owned(), kind, about)
        })
        .collect();
    table(["Member", "Type", "What it is"], rows)
}

fn kind_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(variants) = schema.get("anyOf") {
        return array(variants).map(kind_of).collect::<Vec<_>>().join(" | ");
    }
    if let Some(title) = schema.get("title") {
        return text(title);
    }
    if let Some(constant) = schema.get("const") {
        return text(constant);
    }
    let names = array(&schema["enum"]).chain(array(&schema["x-extensible-enum"]));
    let names: Vec<String> = names.map(text).collect();
    match (names.len(), schema["type"].as_str()) {
        (1..=5, _) => names.join(" | "),
        (_, Some("array")) => format!("list of {}", kind_of(&schema["items"])),
        (_, Some("object")) => {
            let inside: Vec<&str> = members(&schema["properties"]).map(|(name, _)| name).collect();
            format!("{{ {} }}", inside.join(", "))
        }
        (_, Some(kind)) => match schema["format"].as_str() {
            Some("date-time") => "instant".to_owned(),
            Some("date") => "date".to_owned(),
            Some("uri" | "uri-reference") => "URL".to_owned(),
            _ => kind.to_owned(),
        },
        _ => String::new(),
    }
}

fn row(name: String, kind: String, about: &str) -> Html {
    view! {
        <tr>
            <td>
                <code>{name}</code>
            </td>
            <td inner_html=prose::inline(&format!("`{kind}`"))></td>
            <td inner_html=prose::inline(about)></td>
        </tr>
    }
    .into_html()
}

fn table(heads: [&'static str; 3], rows: Vec<Html>) -> impl IntoView {
    view! {
        <table>
            <thead>
                <tr>{heads.map(|head| view! { <th>{head}</th> }).collect_view()}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
