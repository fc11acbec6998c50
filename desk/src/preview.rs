//! The page `/desk/preview?id=…`: how an uploaded file is understood, before anything is imported.

mod choices;
mod foreseen;

pub use self::foreseen::{Column, Preview, Reason, Remedy, Row, RowState, Sheet};

use super::{
    backend::SharedWork,
    functions::ImportUpload,
    imports::named,
    isolates::marked,
    layout::{DeskQuery, Page, action},
    words::{
        common,
        imports::{ALL_IMPORTS, NONE_YET, REFUSED_ROWS},
        lang, preview as texts, t, words,
    },
};
use app::shell::link;
use kit::{html::IntoHtml, number::neutral, words::Word};
use leptos::prelude::*;

use choices::Choices;

/// See the [module](self).
#[component]
pub(super) fn PreviewPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let id = asked.id.unwrap_or_default();
        let content = match work.preview(&id, &asked.query).await {
            Ok(Some(preview)) => view! { <Shown preview=preview /> }.into_html(),
            Ok(None) => view! {
                <h1>{t(texts::PREVIEW)}</h1>
                <p class="trouble">{t(texts::GONE)}</p>
            }
            .into_html(),
            Err(user_error) => view! {
                <h1>{t(texts::PREVIEW)}</h1>
                <p class="trouble" role="alert">{marked(&user_error.0)}</p>
            }
            .into_html(),
        };
        view! {
            <Page title=t(texts::PREVIEW)>
                {content} <p>
                    <a href=link("/desk/imports")>{t(ALL_IMPORTS)}</a>
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
                <p>{marked(&stopped)}</p>
                {remedies}
            </div>
        }
    });
    let suggested = preview.suggested.as_deref().map(|suggested| {
        view! {
            <p>
                <a class="button" href=to(suggested)>{t(texts::USE_SUGGESTED)}</a>
            </p>
        }
    });
    let reasons = preview.reasons.iter().map(|reason| reason_row(reason, &to)).collect_view();
    let words = words();
    let action_text = match has_more {
        true => t(texts::IMPORT_THE_FILE),
        false => words.sentence(texts::IMPORT_REPORTS, imported),
    };
    let [all, new, old, not] =
        [total, imported, skipped, refused].map(|count| neutral(count, lang()));
    let values = [("total", &*all), ("imported", &*new), ("skipped", &*old), ("refused", &*not)];
    let counts = words.with(texts::ROWS_FORESEEN, &values);
    let import = (imported > 0 || has_more).then(|| {
        view! {
            <form class="send" method="post" action={action::<ImportUpload>()}>
                <input type="hidden" name="id" value=preview.id.clone() />
                <input type="hidden" name="choices" value=preview.choices.clone() />
                <label class="check">
                    <input type="checkbox" name="approve" value="true" />
                    <span>{t(texts::PUBLISH_IMMEDIATELY)}</span>
                </label>
                <button class="main" type="submit">
                    {action_text}
                </button>
            </form>
        }
    });
    view! {
        <article class="import">
            <h1>{named(preview.file.clone(), texts::WITHOUT_A_NAME)}</h1>
            <p class="waiting">{t(NONE_YET)}</p>
            {stopped}
            <p>
                <b>{counts}</b>
                {has_more.then(|| [" ", &*t(texts::HAS_MORE)].concat())}
            </p>
            {is_remembered
                .then(|| {
                    view! { <p class="hint">{t(texts::REMEMBERED)}</p> }
                })} <Notes notes=preview.notes.clone() /> {suggested}
            {(!preview.reasons.is_empty())
                .then(|| {
                    view! {
                        <section>
                            <h2>{t(REFUSED_ROWS)}</h2>
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
        let notes = notes.into_iter().map(|note| view! { <li>{marked(&note)}</li> }).collect_view();
        view! {
            <section>
                <h2>{t(texts::NOTES)}</h2>
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
            <b>{neutral(rows, lang())} " × " {marked(&text)}</b>
            <span class="example">{marked(&example)}</span>
            {remedies(&reason.remedies, to)}
        </li>
    }
}

fn remedies(remedies: &[Remedy], to: &dyn Fn(&str) -> String) -> impl IntoView + use<> {
    let links = remedies.iter().map(|remedy| {
        let count = match remedy.rows {
            0 => String::new(),
            rows => format!(" ({})", neutral(rows, lang())),
        };
        let text = [&*remedy.text, &count].concat();
        view! { <a class="button" href=to(&remedy.choices)>{text}</a> }
    });
    (!remedies.is_empty()).then(|| view! { <span class="do">{links.collect_view()}</span> })
}

const HEADINGS: [Word; 10] = [
    texts::ROW,
    texts::RESULT,
    common::TYPE,
    common::CITY,
    common::REGION,
    common::COUNTRY,
    common::PEOPLE,
    texts::EVENT_DATE,
    texts::REPORTED,
    texts::POSITION,
];

/// The first rows as they are understood.
#[component]
fn FirstRows(rows: Vec<Row>) -> impl IntoView {
    (!rows.is_empty()).then(|| {
        let headings = HEADINGS.map(|name| view! { <th scope="col">{t(name)}</th> });
        let rows = rows.into_iter().map(|row| {
            let rest = match row.state {
                RowState::Refused(reasons) => view! {
                    <td>{t(texts::REFUSED)}</td>
                    <td colspan=8>{marked(&reasons)}</td>
                }
                .into_html(),
                RowState::New(cells) => cells_of(texts::NEW, cells).into_html(),
                RowState::Existing(cells) => cells_of(texts::THERE_ALREADY, cells).into_html(),
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
                <h2>{t(texts::FIRST_ROWS_AS_UNDERSTOOD)}</h2>
                <div class="table" tabindex="0" role="region" aria-label=t(texts::FIRST_ROWS)>
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

fn cells_of(state: Word, cells: [String; 8]) -> impl IntoView {
    let cells = cells.map(|cell| view! { <td><bdi>{cell}</bdi></td> });
    view! {
        <td>{t(state)}</td>
        {cells}
    }
}
