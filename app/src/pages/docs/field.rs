//! Fields of the forms that try an operation out.

use super::{api::text, prose};
use leptos::prelude::*;
use serde_json::Value;

/// A field for a parameter of the query.
pub(super) fn of_parameter(operation: &str, parameter: &Value) -> AnyView {
    let name = text(&parameter["name"]);
    let schema = &parameter["schema"];
    let is_required = parameter["required"] == true;
    let choices: Vec<String> = schema["enum"].as_array().into_iter().flatten().map(text).collect();
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
    let label = view! {
        <label for=id.clone()>
            <code>{name.clone()}</code>
            " "
            <span>{if is_required { format!("{what}, required") } else { what.to_owned() }}</span>
        </label>
    };
    let field = if choices.is_empty() {
        view! {
            <input
                id=id
                name=name
                type=kind
                required=is_required
                // What has to be there is there, so that the first try succeeds.
                value=is_required.then(|| example.clone())
                placeholder=example.clone()
                min=bound("minimum")
                max=bound("maximum")
                maxlength=bound("maxLength")
                autocomplete="off"
                aria-describedby=about.clone()
            />
        }
        .into_any()
    } else {
        let choices = choices
            .into_iter()
            .map(|choice| view! { <option value=choice.clone()>{choice.clone()}</option> });
        view! {
            <select id=id name=name aria-describedby=about.clone()>
                {(!is_required).then(|| view! { <option value=""></option> })}
                {choices.collect_view()}
            </select>
        }
        .into_any()
    };
    view! {
        <div class="field">
            {label} {field}
            <p id=about inner_html=prose::inline(&text(&parameter["description"]))></p>
        </div>
    }
    .into_any()
}

/// A field for the JSON that is sent.
pub(super) fn of_body(operation: &str, example: &str) -> impl IntoView + use<> {
    let id = format!("{operation}-body");
    view! {
        <div class="field body">
            <label for=id.clone()>
                <code>"body"</code>
                " "
                <span>"JSON, required"</span>
            </label>
            <textarea id=id name="body" rows="7" spellcheck="false" required data-body>
                {example.to_owned()}
            </textarea>
        </div>
    }
}
