//! The form with the choices of how a file is read.

use super::{Column, Preview, Sheet};
use app::shell::link;
use leptos::prelude::*;

const DATES: [(&str, &str); 3] = [
    ("iso", "2025-12-31 only"),
    ("day-first", "31/12/2025: day, month, year"),
    ("month-first", "12/31/2025: month, day, year"),
];
const NUMBERS: [(&str, &str); 3] = [
    ("digits", "1234: digits only"),
    ("point", "1,234.0: decimal point"),
    ("comma", "1.234,0: decimal comma"),
];
const ENCODINGS: [(&str, &str); 2] =
    [("utf-8", "UTF-8 or UTF-16"), ("windows-1252", "Windows-1252 (Western Europe)")];

/// See the [module](self).
#[component]
pub(super) fn Choices(preview: Preview) -> impl IntoView {
    let fields = preview.fields;
    let columns = preview.columns.into_iter().map(|column| column_select(column, fields));
    let columns = columns.collect_view();
    let sheets = (preview.sheets.len() > 1).then(|| sheet_select(preview.sheets));
    view! {
        <form class="choices" method="get" action=link("/desk/preview")>
            <h2>"How the file is read"</h2>
            <input type="hidden" name="id" value=preview.id />
            <div class="fields">
                {sheets} {select("Dates", "dates", &DATES, preview.dates)}
                {select("Numbers of people", "numbers", &NUMBERS, preview.numbers)}
                {select("Letters", "encoding", &ENCODINGS, preview.encoding)}
            </div>
            <h3>"Columns"</h3>
            <div class="fields">{columns}</div>
            <p class="do">
                <button type="submit">"Show the preview"</button>
            </p>
        </form>
    }
}

fn select(
    label: &'static str,
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    chosen: &'static str,
) -> impl IntoView {
    let options = options.iter().map(|(value, text)| {
        view! {
            <option value=*value selected=*value == chosen>
                {*text}
            </option>
        }
    });
    view! {
        <label>
            {label} <select name=name autocomplete="off">
                {options.collect_view()}
            </select>
        </label>
    }
}

fn sheet_select(sheets: Vec<Sheet>) -> impl IntoView {
    let options = sheets.into_iter().map(|Sheet { name, is_chosen }| {
        let value = name.clone();
        view! {
            <option value=value selected=is_chosen>
                {name}
            </option>
        }
    });
    view! {
        <label>
            "Sheet" <select name="sheet" autocomplete="off">
                {options.collect_view()}
            </select>
        </label>
    }
}

fn column_select(column: Column, fields: &'static [&'static str]) -> impl IntoView {
    let Column { name, field, suggested } = column;
    let options = fields.iter().map(|option| {
        view! {
            <option value=*option selected=Some(*option) == field>
                {*option}
            </option>
        }
    });
    let hint = suggested.map(|field| format!(" (is it {field}?)"));
    view! {
        <label>
            <span>{name.clone()} {hint}</span>
            <select name=format!("column.{name}") autocomplete="off">
                <option value="-" selected=field.is_none()>
                    "not used"
                </option>
                {options.collect_view()}
            </select>
        </label>
    }
}
