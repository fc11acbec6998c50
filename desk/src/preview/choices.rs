//! The form with the choices of how a file is read.

use super::{Column, Preview, Sheet};
use crate::{
    isolates::{code, marked},
    words::{preview as texts, t, words},
};
use app::shell::link;
use kit::words::Word;
use leptos::prelude::*;

const DATES: [(&str, Word); 3] = [
    ("iso", texts::ISO_ONLY),
    ("day-first", texts::DAY_FIRST),
    ("month-first", texts::MONTH_FIRST),
];
const NUMBERS: [(&str, Word); 3] =
    [("digits", texts::DIGITS), ("point", texts::POINT), ("comma", texts::COMMA)];
const ENCODINGS: [(&str, Word); 2] = [("utf-8", texts::UTF), ("windows-1252", texts::WINDOWS_1252)];

/// See the [module](self).
#[component]
pub(super) fn Choices(preview: Preview) -> impl IntoView {
    let fields = preview.fields;
    let columns = preview.columns.into_iter().map(|column| column_select(column, fields));
    let columns = columns.collect_view();
    let sheets = (preview.sheets.len() > 1).then(|| sheet_select(preview.sheets));
    view! {
        <form class="choices" method="get" action=link("/desk/preview")>
            <h2>{t(texts::HOW_READ)}</h2>
            <input type="hidden" name="id" value=preview.id />
            <div class="fields">
                {sheets} {select(texts::DATES, "dates", &DATES, preview.dates)}
                {select(texts::NUMBERS_OF_PEOPLE, "numbers", &NUMBERS, preview.numbers)}
                {select(texts::LETTERS, "encoding", &ENCODINGS, preview.encoding)}
            </div>
            <h3>{t(texts::COLUMNS)}</h3>
            <div class="fields">{columns}</div>
            <p class="do">
                <button type="submit">{t(texts::SHOW_PREVIEW)}</button>
            </p>
        </form>
    }
}

fn select(
    label: Word,
    name: &'static str,
    options: &'static [(&'static str, Word)],
    chosen: &'static str,
) -> impl IntoView {
    let options = options.iter().map(|(value, text)| {
        view! {
            <option value=*value selected=*value == chosen>
                {t(*text)}
            </option>
        }
    });
    view! {
        <label>
            {t(label)} <select name=name autocomplete="off">
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
            {t(texts::SHEET)} <select name="sheet" autocomplete="off">
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
    let hint = suggested.map(|field| {
        let hint = words().with(texts::IS_IT, &[("field", &code(field))]);
        view! { " " {marked(&hint)} }
    });
    view! {
        <label>
            <span><bdi>{name.clone()}</bdi> {hint}</span>
            <select name=format!("column.{name}") autocomplete="off">
                <option value="-" selected=field.is_none()>
                    {t(texts::NOT_USED)}
                </option>
                {options.collect_view()}
            </select>
        </label>
    }
}
