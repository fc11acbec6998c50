use model::ReportType;

use super::{
    backend::SharedWork,
    layout::{DeskQuery, Page},
    map::Land,
    model::{Label, Queue, STATE, Start, Verdict},
    queue_list::QueueBoard,
};
use app::{
    brand::Brand,
    request::PageRequest,
    shell::{Assets, json, link},
};
use kit::lang::Lang;
use leptos::prelude::*;
use std::sync::Arc;

/// Filters of the list: parameter, label, and type of the field.
const FIELDS: [(&str, &str, &str); 7] = [
    ("q", "Text", "search"),
    ("country", "Country", "text"),
    ("region", "Region", "text"),
    ("city", "City", "text"),
    ("from", "From", "date"),
    ("to", "To", "date"),
    ("import", "Import", "text"),
];

const ORDERS: [(&str, &str); 2] = [("", "Newest first"), ("oldest", "Oldest first")];

/// The page `/desk`: reports waiting for a decision.
#[component]
pub(super) fn QueuePage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    let assets = expect_context::<Arc<Assets>>();
    let base_path = expect_context::<PageRequest>().base_url.path().to_owned();
    let brand = expect_context::<Arc<Brand>>();
    let label = |kind: ReportType| Label {
        kind: kind.as_str().to_owned(),
        text: brand.label(kind, Lang::En).to_string(),
    };
    let labels = ReportType::ALL.map(label).to_vec();
    Suspend::new(async move {
        let (queue, user_error) = match work.queue(&asked.query).await {
            Ok(queue) => (queue, None),
            Err(user_error) => (Queue::default(), Some(user_error.0)),
        };
        let whole = asked.with("after", "");
        let may_decide = work.person().may_decide;
        let page = |query: String| link(format!("/desk?{query}"));
        let is_first_page = asked.value("after").is_empty();
        let start = Start {
            labels: labels.clone(),
            queue,
            query: asked.query.clone(),
            base_path,
            first_page: if is_first_page { String::new() } else { page(whole.clone()) },
            next_page: page(asked.with("after", "next")).trim_end_matches("next").to_owned(),
            may_decide,
            reasons: if may_decide { work.reasons() } else { Vec::new() },
        };
        let may_decide_on_all = may_decide && !start.queue.items.is_empty();
        let state = json(&start);
        provide_context(Arc::new(start));
        let all = move |verdict: Verdict| {
            let href = link(format!("/desk/all?step={}&{whole}", verdict.as_str()));
            view! { <a href=href>{verdict.as_str()}</a> }
        };
        let all = match &*asked.value("status") {
            "" | "PENDING" => {
                view! { {all(Verdict::Approve)} " or " {all(Verdict::Reject)} }.into_any()
            }
            "APPROVED" => all(Verdict::Withdraw).into_any(),
            _ => all(Verdict::Reopen).into_any(),
        };
        view! {
            <Page title="Queue" script=assets.desk.clone()>
                <h1>"Queue"</h1>
                {user_error.map(|user_error| view! { <p class="trouble" role="alert">{user_error}</p> })}
                <Filters asked=asked.clone() />
                <QueueBoard />
                {may_decide_on_all
                    .then(|| {
                        view! { <p class="all">"All of this list: " {all} " …"</p> }
                    })}
                <Land />
                <script id=STATE type="application/json" inner_html=state></script>
            </Page>
        }
    })
}

/// The filters of the list.
#[component]
fn Filters(asked: DeskQuery) -> impl IntoView {
    let fields = FIELDS.map(|(name, label, kind)| {
        view! {
            <label>
                <span>{label}</span>
                <input name=name type=kind value=asked.value(name) />
            </label>
        }
    });
    let select = |name: &'static str, label: &'static str, choices: Vec<(&'static str, String)>| {
        let chosen = asked.value(name);
        let choices = choices.into_iter().map(|(value, text)| {
            view! {
                <option value=value selected=value == chosen>
                    {text}
                </option>
            }
        });
        view! {
            <label>
                <span>{label}</span>
                <select name=name>{choices.collect_view()}</select>
            </label>
        }
    };
    let orders = ORDERS.map(|(value, text)| (value, text.to_owned())).to_vec();
    let brand = expect_context::<Arc<Brand>>();
    let types = ReportType::ALL.map(|kind| (kind.as_str(), brand.label(kind, Lang::En)));
    let types = [("", "All types".to_owned())].into_iter().chain(types).collect();
    let is_open = !asked.query.is_empty();
    view! {
        <details class="filters" open=is_open>
            <summary>"Filter"</summary>
            <form method="get" action=link("/desk")>
                {select("order", "Order", orders)} {select("type", "Type", types)} {fields}
                <div class="do">
                    <button class="main" type="submit">
                        "Show"
                    </button>
                    <a href=link("/desk")>"Show everything"</a>
                </div>
            </form>
        </details>
    }
}
