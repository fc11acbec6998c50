//! The audit log: a page to search it, a page for each entry about several reports, and counts.

mod days;
mod entry;
mod line;

pub(super) use self::{
    entry::EntryPage,
    line::{Line, in_words},
};

use self::days::Days;
use super::{
    backend::{Audit, SharedWork},
    layout::{DeskQuery, Page},
    words::{
        audit::{
            ACTION, ALL_ACTIONS, BY_PERSON_AND_DAY, ENTRIES, NO_ENTRY_MATCHES,
            NOBODY_HAS_DONE_ANYTHING, PERSON, SEARCH, SHOW_EVERYTHING, SUBJECT, TO_THE_START,
        },
        common::MORE,
        layout::AUDIT,
        list::PAGES,
        queue::{DOWNLOAD_AS_CSV, FROM, TO},
        t,
    },
};
use app::shell::link;
use kit::html::IntoHtml;
use leptos::prelude::*;

/// Path of the download, which takes the same query as the page.
pub const AUDIT_CSV: &str = "/desk/audit.csv";

/// The page `/desk/audit`: who did what.
#[component]
pub(super) fn AuditPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    let by_day = asked.value("by") == "day";
    Suspend::new(async move {
        let content = match by_day {
            true => view! { <Days counts=work.moderated().await /> }.into_html(),
            false => {
                let audit = work.audit(&asked.query).await;
                view! { <Search audit=audit asked=asked /> }.into_html()
            }
        };
        view! {
            <Page title=t(AUDIT)>
                <h1>{t(AUDIT)}</h1>
                <ul class="tabs">
                    <li>
                        <a href=link("/desk/audit") aria-current=(!by_day).then_some("page")>
                            {t(ENTRIES)}
                        </a>
                    </li>
                    <li>
                        <a
                            href=link("/desk/audit?by=day")
                            aria-current=by_day.then_some("page")
                        >
                            {t(BY_PERSON_AND_DAY)}
                        </a>
                    </li>
                </ul>
                {content}
            </Page>
        }
    })
}

#[component]
fn Search(audit: Result<Audit, super::backend::UserError>, asked: DeskQuery) -> impl IntoView {
    let (audit, user_error) = match audit {
        Ok(audit) => (audit, None),
        Err(user_error) => (Audit::default(), Some(user_error.0)),
    };
    let Audit { lines, next, people, actions } = audit;
    let is_narrowed = !asked.with("after", "").is_empty();
    let is_first = asked.value("after").is_empty();
    let page = |after: &str| link(format!("/desk/audit?{}", asked.with("after", after)));
    let empty = (lines.is_empty() && user_error.is_none()).then(|| match is_narrowed {
        true => view! {
            <p class="empty">
                {t(NO_ENTRY_MATCHES)} " " <a href=link("/desk/audit")>{t(SHOW_EVERYTHING)}</a>
            </p>
        }
        .into_html(),
        false => view! {
            <p class="empty">{t(NOBODY_HAS_DONE_ANYTHING)}</p>
        }
        .into_html(),
    });
    let download = (!lines.is_empty()).then(|| {
        let href = link(format!("{AUDIT_CSV}?{}", asked.with("after", "")));
        view! {
            <p>
                <a href=href download="audit.csv">
                    {t(DOWNLOAD_AS_CSV)}
                </a>
            </p>
        }
    });
    let more = next.map(|next| view! { <a href=page(&next)>{t(MORE)}</a> });
    let first = (!is_first).then(|| view! { <a href=page("")>{t(TO_THE_START)}</a> });
    let pages = (more.is_some() || first.is_some()).then(|| {
        view! {
            <nav class="on" aria-label=t(PAGES)>
                {first}
                {more}
            </nav>
        }
    });
    let lines = lines.into_iter().map(|line| view! { <Line line=line /> }).collect_view();
    view! {
        {user_error.map(|user_error| view! { <p class="trouble" role="alert">{user_error}</p> })}
        <Filters asked=asked people=people actions=actions />
        <ol class="history">{lines}</ol>
        {empty}
        {pages}
        {download}
    }
}

#[component]
fn Filters(
    asked: DeskQuery,
    people: Vec<String>,
    actions: Vec<(&'static str, String)>,
) -> impl IntoView {
    let chosen = asked.value("action");
    let actions = actions.into_iter().map(|(name, words)| {
        view! {
            <option value=name selected=name == chosen>
                {words}
            </option>
        }
    });
    let people = people.into_iter().map(|name| view! { <option value=name></option> });
    let is_narrowed = !asked.query.is_empty();
    view! {
        <search class="filters audit">
            <form method="get" action=link("/desk/audit")>
                <label>
                    <span>{t(SUBJECT)}</span>
                    <input name="subject" type="search" value=asked.value("subject") />
                </label>
                <label>
                    <span>{t(PERSON)}</span>
                    <input name="actor" list="people" autocomplete="off" value=asked.value("actor") />
                </label>
                <datalist id="people">{people.collect_view()}</datalist>
                <label>
                    <span>{t(ACTION)}</span>
                    <select name="action">
                        <option value="">{t(ALL_ACTIONS)}</option>
                        {actions.collect_view()}
                    </select>
                </label>
                <label>
                    <span>{t(FROM)}</span>
                    <input name="from" type="date" value=asked.value("from") />
                </label>
                <label>
                    <span>{t(TO)}</span>
                    <input name="to" type="date" value=asked.value("to") />
                </label>
                <div class="do">
                    <button class="main" type="submit">
                        {t(SEARCH)}
                    </button>
                    {is_narrowed
                        .then(|| view! { <a href=link("/desk/audit")>{t(SHOW_EVERYTHING)}</a> })}
                </div>
            </form>
        </search>
    }
}
