//! The page `/desk/preview?id=…`: how an uploaded file is understood, before anything is imported.

mod choices;
mod foreseen;

pub use self::foreseen::{Column, Preview, Reason, Remedy, Row, RowState, Sheet};

use super::{
    backend::SharedWork,
    functions::ImportUpload,
    layout::{DeskQuery, Page, action},
};
use app::shell::link;
use leptos::prelude::*;

use choices::Choices;

const GONE: &str = "This file is not here (any more). A file waits for an hour, on the node that received it, and only for \
    the person who sent it. Upload it again.";

/// See the [module](self).
#[component]
pub(super) fn PreviewPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let id = asked.id.unwrap_or_default();
        let content = match work.preview(&id, &asked.query).await {
            Ok(Some(preview)) => view! { <Shown preview=preview /> }.into_any(),
            Ok(None) => view! { <p class="trouble">{GONE}</p> }.into_any(),
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        view! {
            <Page title="Preview">
                {content} <p>
                    <a href=link("/desk/imports")>"All imports"</a>
                </p>
            </Page>
        }
    })
}

#[component]
fn Shown(preview: Preview) -> impl IntoView {
    let here = link(format!("/desk/preview?id={}", preview.id));
    let to = |choices: &str| [&here, "&", choices].concat();
    let Preview { total, imported, skipped, refused, has_more, is_remembered, .. } = preview;
    let stopped = preview.stopped.clone().map(|stopped| {
        let remedies = remedies(&preview.remedies, &to);
        view! {
            <div class="trouble" role="alert">
                <p>{stopped}</p>
                {remedies}
            </div>
        }
    });
    let suggested = preview.suggested.as_deref().map(|suggested| {
        view! {
            <p>
                <a class="button" href=to(suggested)>"Use the suggested columns"</a>
            </p>
        }
    });
    let reasons = preview.reasons.iter().map(|reason| reason_row(reason, &to)).collect_view();
    let count = if has_more {
        "the file".to_owned()
    } else if imported == 1 {
        "1 report".to_owned()
    } else {
        format!("{imported} reports")
    };
    let import = (imported > 0 || has_more).then(|| {
        view! {
            <form class="send" method="post" action={action::<ImportUpload>()}>
                <input type="hidden" name="id" value=preview.id.clone() />
                <input type="hidden" name="choices" value=preview.choices.clone() />
                <label class="check">
                    <input type="checkbox" name="approve" value="true" />
                    <span>"Publish the reports immediately"</span>
                </label>
                <button class="main" type="submit">
                    "Import "
                    {count}
                </button>
            </form>
        }
    });
    view! {
        <article class="import">
            <h1>{preview.file.clone().unwrap_or_else(|| "File without a name".to_owned())}</h1>
            <p class="waiting">"Nothing has been imported yet."</p>
            {stopped}
            <p>
                <b>
                    {total} " rows: " {imported} " new, " {skipped} " there already, " {refused} " refused."
                </b>
                {has_more.then_some(" The file has more rows: these are the first ones.")}
            </p>
            {is_remembered
                .then(|| {
                    view! { <p class="hint">"Read like the last import with these columns."</p> }
                })} <Notes notes=preview.notes.clone() /> {suggested}
            {(!preview.reasons.is_empty())
                .then(|| {
                    view! {
                        <section>
                            <h2>"Refused rows"</h2>
                            <ul class="reasons">{reasons}</ul>
                        </section>
                    }
                })} <FirstRows rows=preview.rows.clone() /> {import} <Choices preview=preview />
        </article>
    }
}

/// Notes about a file.
#[component]
pub(super) fn Notes(notes: Vec<String>) -> impl IntoView {
    (!notes.is_empty()).then(|| {
        let notes = notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view();
        view! {
            <section>
                <h2>"Notes"</h2>
                <ul class="notes">{notes}</ul>
            </section>
        }
    })
}

/// Reasons for which rows were refused.
#[component]
pub(super) fn Reasons(reasons: Vec<Reason>) -> impl IntoView {
    (!reasons.is_empty()).then(|| {
        let rows = reasons.iter().map(|reason| reason_row(reason, &str::to_owned)).collect_view();
        view! { <ul class="reasons">{rows}</ul> }
    })
}

/// A reason, and links to previews with choices that help.
fn reason_row(reason: &Reason, to: &dyn Fn(&str) -> String) -> impl IntoView + use<> {
    let Reason { rows, text, example, .. } = reason.clone();
    view! {
        <li>
            <b>{rows} " × " {text}</b>
            <span class="example">{example}</span>
            {remedies(&reason.remedies, to)}
        </li>
    }
}

fn remedies(remedies: &[Remedy], to: &dyn Fn(&str) -> String) -> impl IntoView + use<> {
    let links = remedies.iter().map(|remedy| {
        let count = match remedy.rows {
            0 => String::new(),
            rows => format!(" ({rows})"),
        };
        let text = [remedy.text, &count].concat();
        view! { <a class="button" href=to(&remedy.choices)>{text}</a> }
    });
    (!remedies.is_empty()).then(|| view! { <span class="do">{links.collect_view()}</span> })
}

const HEADINGS: [&str; 10] = [
    "Row",
    "Result",
    "Type",
    "City",
    "Region",
    "Country",
    "People",
    "Event date",
    "Reported",
    "Position",
];

/// The first rows as they are understood.
#[component]
fn FirstRows(rows: Vec<Row>) -> impl IntoView {
    (!rows.is_empty()).then(|| {
        let headings = HEADINGS.map(|name| view! { <th scope="col">{name}</th> });
        let rows = rows.into_iter().map(|row| {
            let rest = match row.state {
                RowState::Refused(reasons) => view! {
                    <td>"refused"</td>
                    <td colspan=8>{reasons}</td>
                }
                .into_any(),
                RowState::New(cells) => cells_of("new", cells).into_any(),
                RowState::Existing(cells) => cells_of("there already", cells).into_any(),
            };
            view! {
                <tr>
                    <td>{row.line}</td>
                    {rest}
                </tr>
            }
        });
        view! {
            <section>
                <h2>"First rows, as they are understood"</h2>
                <div class="table" tabindex="0" role="region" aria-label="First rows">
                    <table>
                        <thead>
                            <tr>{headings}</tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            </section>
        }
    })
}

fn cells_of(state: &'static str, cells: [String; 8]) -> impl IntoView {
    let cells = cells.map(|cell| view! { <td>{cell}</td> });
    view! {
        <td>{state}</td>
        {cells}
    }
}
