use super::{
    backend::{Import, Result, SharedWork},
    isolates::{code, marked},
    layout::{DeskQuery, Page},
    model::Verdict,
    preview::{Notes, Reasons},
    upload::{Target, UPLOAD, UploadForm},
    words::{self, for_island, lang, t, upload as island},
};
use crate::queue_list::encoded;
use crate::words::{common::COMMA, imports as texts, layout::IMPORTS, minute};
use app::shell::{Assets, link};
use kit::{html::IntoHtml, number::neutral, words::Word};
use leptos::prelude::*;
use std::sync::Arc;

/// The page `/desk/imports`: the newest imports, and a form for another one.
#[component]
pub(super) fn ImportsPage() -> impl IntoView {
    let work = expect_context::<SharedWork>();
    let script = expect_context::<Arc<Assets>>().desk.clone();
    Suspend::new(async move {
        let may_decide = work.person().may_decide;
        let listed = match work.imports().await {
            Ok(imports) if imports.is_empty() => view! {
                <p class="empty">
                    {t(texts::NONE_YET)} " " {may_decide.then(|| t(texts::CHOOSE_A_FILE))}
                </p>
            }
            .into_html(),
            Ok(imports) => {
                let rows = imports.into_iter().map(row).collect_view();
                view! { <ol class="imports">{rows}</ol> }.into_html()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{marked(&user_error.0)}</p> }.into_html()
            }
        };
        provide_context(Target(link(UPLOAD)));
        let about = words::words().with(texts::ABOUT_FILES, &[("format", &code(".xlsx"))]);
        view! {
            <Page title=t(IMPORTS) script=script>
                <h1>{t(IMPORTS)}</h1>
                {may_decide
                    .then(|| {
                        view! {
                            <section class="upload">
                                <h2>{t(texts::IMPORT_A_FILE)}</h2>
                                {for_island(&island::OF_ISLAND)}
                                <UploadForm />
                                <p class="hint">{marked(&about)}</p>
                            </section>
                        }
                    })}
                {listed}
            </Page>
        }
    })
}

fn row(import: Import) -> impl IntoView {
    let href = link(format!("/desk/import?id={}", import.id));
    let counts = counts(&import);
    view! {
        <li>
            <a href=href>
                <b>{named(import.file, texts::WITHOUT_A_NAME)}</b>
            </a>
            <time datetime=import.at.clone()>{minute(&import.at)}</time>
            <span class="counts">{counts}</span>
        </li>
    }
}

/// Name of a file, or a text for a file without one.
pub(super) fn named(file: Option<String>, unnamed: Word) -> impl IntoView {
    match file {
        Some(name) => view! { <bdi>{name}</bdi> }.into_html(),
        None => t(unnamed).into_html(),
    }
}

/// Number of reports per status.
fn counts(import: &Import) -> String {
    let counts = [
        (import.pending, texts::N_PENDING),
        (import.approved, texts::N_APPROVED),
        (import.rejected, texts::N_REJECTED),
        (import.withdrawn, texts::N_WITHDRAWN),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| counted(word, count)).collect();
    if counts.is_empty() { t(texts::NO_REPORTS) } else { counts.join(&t(COMMA)) }
}

/// Text with a number of reports or rows.
fn counted(word: Word, count: i64) -> String {
    words::words().sentence(word, count.unsigned_abs())
}

/// The page `/desk/import?id=…`.
#[component]
pub(super) fn ImportPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let id = asked.id.unwrap_or_default();
        let may_decide = work.person().may_decide;
        let content = match work.import(&id).await {
            Ok(Some((import, result))) => {
                view! { <Shown import=import result=result may_decide=may_decide /> }.into_html()
            }
            Ok(None) => view! {
                <h1>{t(texts::IMPORT)}</h1>
                <p class="trouble">{t(texts::NO_SUCH_IMPORT)}</p>
            }
            .into_html(),
            Err(user_error) => view! {
                <h1>{t(texts::IMPORT)}</h1>
                <p class="trouble" role="alert">{marked(&user_error.0)}</p>
            }
            .into_html(),
        };
        view! { <Page title=t(texts::IMPORT)>{content}</Page> }
    })
}

#[component]
fn Shown(import: Import, result: Option<Result>, may_decide: bool) -> impl IntoView {
    let id = import.id.clone();
    let back = encoded(&format!("/desk/import?id={id}"));
    let all = |verdict: Verdict, status: &str, count: i64, word: Word| {
        let step = verdict.as_str();
        let query = format!("step={step}&import={id}&status={status}&back={back}");
        let href = link(format!("/desk/all?{query}"));
        let text = counted(word, count);
        (may_decide && count > 0).then(|| view! { <a class="button" href=href>{text}</a> })
    };
    let see = |status: &str, count: i64, word: Word| {
        let href = link(format!("/desk?import={id}&status={status}"));
        (count > 0).then(|| view! { <li><a href=href>{counted(word, count)}</a></li> })
    };
    view! {
        <article class="import">
            <h1>{named(import.file.clone(), texts::IMPORT_WITHOUT_A_NAME)}</h1>
            <p class="waiting"><code>{import.id.clone()}</code> " · " {minute(&import.at)}</p>
            {result.map(|result| view! { <Rows id=id.clone() result=result /> })}
            <section>
                <h2>{t(texts::REPORTS_NOW)}</h2>
                <ul>
                    {see("PENDING", import.pending, texts::N_PENDING)}
                    {see("APPROVED", import.approved, texts::N_APPROVED)}
                    {see("REJECTED", import.rejected, texts::N_REJECTED)}
                    {see("WITHDRAWN", import.withdrawn, texts::N_WITHDRAWN)}
                </ul>
                <p class="do">
                    {all(Verdict::Approve, "PENDING", import.pending, texts::APPROVE_PENDING)}
                    {all(Verdict::Reject, "PENDING", import.pending, texts::REJECT_PENDING)}
                    {all(Verdict::Withdraw, "APPROVED", import.approved, texts::WITHDRAW_APPROVED)}
                    {all(Verdict::Restore, "WITHDRAWN", import.withdrawn, texts::RESTORE_WITHDRAWN)}
                    {all(Verdict::Reopen, "REJECTED", import.rejected, texts::REOPEN_REJECTED)}
                </p>
            </section>
            <p>
                <a href=link("/desk/imports")>{t(texts::ALL_IMPORTS)}</a>
            </p>
        </article>
    }
}

/// Result of an import: numbers of rows, and the first refused rows.
#[component]
fn Rows(id: String, result: Result) -> impl IntoView {
    let Result { total, imported, skipped, refused, columns, rows, .. } = result;
    let Result { notes, reasons, failure, .. } = result;
    let columns = columns.into_iter().map(|name| view! { <th scope="col"><bdi>{name}</bdi></th> });
    let columns = columns.collect_view();
    let words = words::words();
    let shown = rows.len();
    let first = words.with(texts::FIRST_ARE_SHOWN, &[("n", &neutral(shown as u64, lang()))]);
    let [all, new, old, not] =
        [total, imported, skipped, refused].map(|count| neutral(count.unsigned_abs(), lang()));
    let values = [("total", &*all), ("imported", &*new), ("skipped", &*old), ("refused", &*not)];
    let counts = words.with(texts::ROWS_IMPORTED, &values);
    let rows = rows.into_iter().map(|cells| {
        let cells = cells.into_iter().map(|cell| view! { <td><bdi>{cell}</bdi></td> });
        let cells = cells.collect_view();
        view! { <tr>{cells}</tr> }
    });
    let rows = rows.collect_view();
    let table = (refused > 0).then(|| {
        view! {
            <section>
                <h2>{counted(texts::N_REFUSED_ROWS, refused)}</h2>
                <p>
                    <a href=link(format!("/desk/refused.csv?id={id}")) download=format!("refused-{id}.csv")>
                        {t(texts::DOWNLOAD_THEM)}
                    </a>
                    " "
                    {t(texts::CORRECT_THEM)}
                </p>
                <div class="table" tabindex="0" role="region" aria-label=t(texts::REFUSED_ROWS)>
                    <table>
                        <thead>
                            <tr>{columns}</tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
                {((shown as i64) < refused)
                    .then(|| view! { <p class="hint">{first}</p> })}
            </section>
        }
    });
    view! {
        {failure
            .map(|failure| {
                view! {
                    <p class="trouble" role="alert">
                        {marked(&failure)}
                    </p>
                }
            })}
        <p>{counts}</p>
        <Notes notes=notes />
        <Reasons reasons=reasons />
        {table}
    }
}
