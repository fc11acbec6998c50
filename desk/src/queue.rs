//! The page `/desk`: a list of reports of one status. Pending reports are the queue.

mod filters;
mod views;

use self::{filters::Filters, views::Views};
use super::{
    backend::{Choice, List, SharedWork},
    layout::{DeskQuery, Page, list_path},
    map::Land,
    model::{Label, STATE, Start, Verdict},
    queue_list::QueueBoard,
};
use crate::words::{
    self, common,
    correct::CORRECT_A_VALUE,
    for_island, lang,
    layout::QUEUE,
    queue::{
        ALL_OF_THIS_LIST, APPROVED_REPORTS, APPROVED_TAB, DOWNLOAD_AS_CSV, LISTS, PENDING_TAB,
        REJECTED_REPORTS, REJECTED_TAB, WITHDRAWN_REPORTS, WITHDRAWN_TAB,
    },
    sentence, t,
};
use app::{
    request::PageRequest,
    shell::{Assets, json, link},
};
use kit::{html::IntoHtml, number::neutral, words::Word};
use leptos::prelude::*;
use std::sync::Arc;

/// Path of the list as CSV, which takes the same query as the page.
pub const REPORTS_CSV: &str = "/desk/reports.csv";

/// Statuses with the titles of their lists.
const STATUSES: [(&str, Word, Word); 4] = [
    ("PENDING", PENDING_TAB, QUEUE),
    ("APPROVED", APPROVED_TAB, APPROVED_REPORTS),
    ("REJECTED", REJECTED_TAB, REJECTED_REPORTS),
    ("WITHDRAWN", WITHDRAWN_TAB, WITHDRAWN_REPORTS),
];

/// The page `/desk`.
#[component]
pub(super) fn QueuePage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    let assets = expect_context::<Arc<Assets>>();
    let base_path = expect_context::<PageRequest>().base_url.path().to_owned();
    let labels = Label::all();
    Suspend::new(async move {
        let (list, user_error) = match work.list(&asked.query).await {
            Ok(list) => (list, None),
            Err(user_error) => (List::default(), Some(user_error.0)),
        };
        let views = work.views().await.unwrap_or_default();
        let asked_status = asked.value("status");
        let status = STATUSES.into_iter().find(|(status, ..)| *status == asked_status);
        let (status, _, title) = status.unwrap_or(STATUSES[0]);
        let title = t(title);
        let whole = asked.with("after", "");
        let may_decide = work.person().may_decide;
        let page = |query: String| link(list_path(&query));
        let is_first_page = asked.value("after").is_empty();
        let List { queue, statuses, .. } = list.clone();
        let total = queue.total;
        let is_any = !queue.items.is_empty();
        let start = Start {
            labels: labels.clone(),
            queue,
            query: asked.query.clone(),
            base_path,
            first_page: if is_first_page { String::new() } else { page(whole.clone()) },
            next_page: page(asked.with("after", "next")).trim_end_matches("next").to_owned(),
            may_decide,
            status: status.to_owned(),
            is_narrowed: filters::is_narrowed(&asked),
            reasons: if may_decide { work.reasons() } else { Vec::new() },
        };
        let state = json(&start);
        provide_context(Arc::new(start));
        let board = match user_error {
            Some(user_error) => {
                view! { <p class="trouble" role="alert">{user_error}</p> }.into_html()
            }
            None => view! {
                <QueueBoard />
                {is_any.then(|| view! { <WholeList whole=whole status=status total=total may_decide=may_decide /> })}
                <Land />
                {for_island(&[common::ALL, words::list::ALL].concat())}
                <script id=STATE type="application/json" inner_html=state></script>
            }
            .into_html(),
        };
        view! {
            <Page title=title.clone() script=assets.desk.clone()>
                <h1>{title}</h1>
                <Statuses asked=asked.clone() current=status statuses=statuses />
                <Views asked=asked.clone() views=views />
                <Filters asked=asked.clone() list=list />
                {board}
            </Page>
        }
    })
}

/// Links to the lists of all statuses, with the same filters.
#[component]
fn Statuses(
    asked: DeskQuery,
    current: &'static str,
    /// Number of all reports of each status.
    statuses: Vec<Choice>,
) -> impl IntoView {
    let list = DeskQuery { query: asked.with("after", ""), ..DeskQuery::default() };
    let link = |(status, name, _): (&'static str, Word, Word)| {
        let count = statuses.iter().find(|one| one.name == status).map(|one| one.reports);
        let query = list.with("status", if status == "PENDING" { "" } else { status });
        view! {
            <li>
                <a href=link(list_path(&query)) aria-current=(status == current).then_some("page")>
                    {t(name)}
                    " "
                    <span class="count">{count.map(|count| neutral(count, lang()))}</span>
                </a>
            </li>
        }
    };
    view! {
        <nav aria-label=t(LISTS)>
            <ul class="tabs">{STATUSES.map(link)}</ul>
        </nav>
    }
}

/// Decisions on all reports of the list, and its download.
#[component]
fn WholeList(
    /// Query of the list.
    whole: String,
    status: &'static str,
    /// Number of its reports.
    total: Option<u64>,
    may_decide: bool,
) -> impl IntoView {
    let correct = link(format!("/desk/correct?{whole}"));
    let csv = link(format!("{REPORTS_CSV}?{whole}"));
    let decision = |verdict: &Verdict| {
        let href = link(format!("/desk/all?step={}&{whole}", verdict.as_str()));
        let text = match total {
            Some(total) => sentence(verdict.on_reports(), total),
            None => t(verdict.word()),
        };
        view! {
            <a href=href>{text} " …"</a>
            " · "
        }
    };
    let decisions = Verdict::possible(status).iter().map(decision).collect_view();
    view! {
        <p class="all">
            {t(ALL_OF_THIS_LIST)} " "
            {may_decide
                .then(|| {
                    view! {
                        {decisions}
                        <a href=correct>{t(CORRECT_A_VALUE)} " …"</a>
                        " · "
                    }
                })}
            <a href=csv download="reports.csv">
                {t(DOWNLOAD_AS_CSV)}
            </a>
        </p>
    }
}
