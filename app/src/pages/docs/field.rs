//! Fields of the forms that try an operation out.

use super::{
    json::{array, text},
    prose,
};
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;
use serde_json::Value;

/// A field for a parameter of the query or the path.
pub(super) fn of_parameter(operation: &str, parameter: &Value) -> Html {
    let name = text(&parameter["name"]);
    let schema = &parameter["schema"];
    let is_required = parameter["required"] == true;
    let is_segment = parameter["in"] == "path";
    let choices: Vec<String> = array(&schema["enum"]).map(text).collect();
    let (kind, what) = match (schema["type"].as_str(), schema["format"].as_str()) {
        _ if !choices.is_empty() => ("text", "choice"),
        (Some("integer"), _) => ("number", "number"),
        (_, Some("date")) => ("date", "date"),
        (_, Some("date-time")) => ("text", "instant"),
        _ => ("text", "text"),
    };
    // Of what may be given several times, once.
    let example = &parameter["example"];
    let example = text(example.get(0).unwrap_or(example));
    let bound = |name: &str| schema[name].as_u64();
    let id = format!("{operation}-{name}");
    let about = format!("about-{id}");
    let field = match choices.is_empty() {
        true => view! {
            <input
                id=id.clone()
                name=name.clone()
                type=kind
                required=is_required
                // Required fields are filled in, so that the first request succeeds.
                value=is_required.then(|| example.clone())
                placeholder=example.clone()
                min=bound("minimum")
                max=bound("maximum")
                maxlength=bound("maxLength")
                autocomplete="off"
                aria-describedby=about.clone()
                data-segment=is_segment
            />
        }
        .into_html(),
        false => {
            let choice = |choice: String| {
                let is_chosen = is_required && choice == example;
                view! {
                    <option value=choice.clone() selected=is_chosen>
                        {choice.clone()}
                    </option>
                }
            };
            let none = (!is_required).then(|| view! { <option value=""></option> });
            view! {
                <select
                    id=id.clone()
                    name=name.clone()
                    required=is_required
                    aria-describedby=about.clone()
                >
                    {none}
                    {choices.into_iter().map(choice).collect_view()}
                </select>
            }
            .into_html()
        }
    };
    view! {
        <div class="field">
            <label for=id>
                <code>{name}</code>
                " "
                <span>{if is_required { format!("{what}, required") } else { what.to_owned() }}</span>
            </label>
            {field}
            <p id=about inner_html=prose::inline(&text(&parameter["description"]))></p>
        </div>
    }
    .into_html()
}

/// A field for the JSON that is sent.
pub(super) fn of_body(operation: &str, example: &str, is_required: bool) -> impl IntoView + use<> {
    let id = format!("{operation}-body");
    view! {
        <div class="field body">
            <label for=id.clone()>
                <code>"body"</code>
                " "
                <span>{if is_required { "JSON, required" } else { "JSON" }}</span>
            </label>
            <textarea id=id name="body" rows="7" spellcheck="false" required=is_required data-body>
                {example.to_owned()}
            </textarea>
        </div>
    }
}
