use super::{
    backend::{Import, Result, SharedWork},
    layout::{DeskQuery, Page},
    model::Verdict,
    preview::{Notes, Reasons},
    upload::{Target, UPLOAD, UploadForm},
};
use crate::queue_list::encoded;
use crate::words::minute;
use app::shell::{Assets, link};
use kit::{lang::Lang, number::neutral};
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
            Ok(imports) if imports.is_empty() => {
                view! {
                    <p class="empty">
                        "Nothing has been imported yet. "
                        {may_decide.then_some("Choose a file above; its reports then wait in the queue.")}
                    </p>
                }
                .into_any()
            }
            Ok(imports) => {
                let rows = imports.into_iter().map(row).collect_view();
                view! { <ol class="imports">{rows}</ol> }.into_any()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        provide_context(Target(link(UPLOAD)));
        view! {
            <Page title="Imports" script=script>
                <h1>"Imports"</h1>
                {may_decide
                    .then(|| {
                        view! {
                            <section class="upload">
                                <h2>"Import a file"</h2>
                                <UploadForm />
                                <p class="hint">
                                    "A workbook of Excel (.xlsx), CSV, or JSON with a report on each line. You see "
                                    "how it is understood before anything is imported. Existing reports are "
                                    "skipped, so a file can be imported again."
                                </p>
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
                <b>{import.file.unwrap_or_else(|| "Without a name".to_owned())}</b>
            </a>
            <time datetime=import.at.clone()>{minute(&import.at)}</time>
            <span class="counts">{counts}</span>
        </li>
    }
}

/// Number of reports per status.
fn counts(import: &Import) -> String {
    let counts = [
        (import.pending, "pending"),
        (import.approved, "approved"),
        (import.rejected, "rejected"),
        (import.withdrawn, "withdrawn"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> =
        counts.map(|(count, name)| format!("{} {name}", number(count))).collect();
    if counts.is_empty() { "no reports".to_owned() } else { counts.join(", ") }
}

fn number(count: i64) -> String {
    neutral(count.unsigned_abs(), Lang::En)
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
                view! { <Shown import=import result=result may_decide=may_decide /> }.into_any()
            }
            Ok(None) => {
                view! { <p class="trouble">"There is no import with this id."</p> }.into_any()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        view! { <Page title="Import">{content}</Page> }
    })
}

#[component]
fn Shown(import: Import, result: Option<Result>, may_decide: bool) -> impl IntoView {
    let id = import.id.clone();
    let back = encoded(&format!("/desk/import?id={id}"));
    let all = |verdict: Verdict, status: &str, count: i64, what: String| {
        let step = verdict.as_str();
        let query = format!("step={step}&import={id}&status={status}&back={back}");
        let href = link(format!("/desk/all?{query}"));
        (may_decide && count > 0).then(|| view! { <a class="button" href=href>{what}" …"</a> })
    };
    let see = |status: &str, count: i64, what: &'static str| {
        let href = link(format!("/desk?import={id}&status={status}"));
        (count > 0).then(|| view! { <li><a href=href>{number(count)} " " {what}</a></li> })
    };
    view! {
        <article class="import">
            <h1>{import.file.clone().unwrap_or_else(|| "Import without a name".to_owned())}</h1>
            <p class="waiting">{import.id.clone()} " · " {minute(&import.at)}</p>
            {result.map(|result| view! { <Rows id=id.clone() result=result /> })}
            <section>
                <h2>"Its reports now"</h2>
                <ul>
                    {see("PENDING", import.pending, "pending")}
                    {see("APPROVED", import.approved, "approved")}
                    {see("REJECTED", import.rejected, "rejected")}
                    {see("WITHDRAWN", import.withdrawn, "withdrawn")}
                </ul>
                <p class="do">
                    {all(Verdict::Approve, "PENDING", import.pending, counted("Approve the", import.pending, "pending"))}
                    {all(Verdict::Reject, "PENDING", import.pending, counted("Reject the", import.pending, "pending"))}
                    {all(
                        Verdict::Withdraw,
                        "APPROVED",
                        import.approved,
                        counted("Withdraw the", import.approved, "approved"),
                    )}
                    {all(
                        Verdict::Restore,
                        "WITHDRAWN",
                        import.withdrawn,
                        counted("Publish again the", import.withdrawn, "withdrawn"),
                    )}
                    {all(
                        Verdict::Reopen,
                        "REJECTED",
                        import.rejected,
                        counted("Return the", import.rejected, "rejected to pending"),
                    )}
                </p>
            </section>
            <p>
                <a href=link("/desk/imports")>"All imports"</a>
            </p>
        </article>
    }
}

/// Label of a decision on this many reports.
fn counted(action: &str, count: i64, which: &str) -> String {
    format!("{action} {} {which}", number(count))
}

/// Result of an import: numbers of rows, and the first refused rows.
#[component]
fn Rows(id: String, result: Result) -> impl IntoView {
    let Result { total, imported, skipped, refused, columns, rows, .. } = result;
    let Result { notes, reasons, failure, .. } = result;
    let columns = columns.into_iter().map(|name| view! { <th scope="col">{name}</th> });
    let columns = columns.collect_view();
    let shown = rows.len();
    let rows = rows.into_iter().map(|cells| {
        let cells = cells.into_iter().map(|cell| view! { <td>{cell}</td> }).collect_view();
        view! { <tr>{cells}</tr> }
    });
    let rows = rows.collect_view();
    let table = (refused > 0).then(|| {
        view! {
            <section>
                <h2>{refused} " refused rows"</h2>
                <p>
                    <a href=link(format!("/desk/refused.csv?id={id}")) download=format!("refused-{id}.csv")>
                        "Download them"
                    </a>
                    ", correct them, and import the file again. The first column has the reasons."
                </p>
                <div class="table" tabindex="0" role="region" aria-label="Refused rows">
                    <table>
                        <thead>
                            <tr>{columns}</tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
                {((shown as i64) < refused)
                    .then(|| view! { <p class="hint">"The first " {shown} " are shown."</p> })}
            </section>
        }
    });
    view! {
        {failure
            .map(|failure| {
                view! {
                    <p class="trouble" role="alert">
                        {failure}
                    </p>
                }
            })}
        <p>
            {total} " rows: " {imported} " imported, " {skipped} " there already, " {refused} " refused."
        </p>
        <Notes notes=notes />
        <Reasons reasons=reasons />
        {table}
    }
}
