use super::{
    functions::Decide,
    layout::{Asked, Page, action},
    map::{Land, Map},
    model::{Item, Verdict},
    work::{Deed, SharedWork},
};
use crate::board::encoded;
use app::shell::link;
use leptos::prelude::*;

/// The page of `/desk/report?id=…`: a report of any status with what was done to it.
#[component]
pub(super) fn ReportPage() -> impl IntoView {
    let asked = expect_context::<Asked>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let id = asked.id.unwrap_or_default();
        let may_decide = work.person().may_decide;
        let content = match work.report(&id).await {
            Ok(Some((item, deeds))) => {
                view! { <Shown item=item deeds=deeds may_decide=may_decide /> }.into_any()
            }
            Ok(None) => {
                view! { <p class="trouble">"There is no report with this id."</p> }.into_any()
            }
            Err(trouble) => view! { <p class="trouble" role="alert">{trouble.0}</p> }.into_any(),
        };
        view! { <Page title="Report">{content}</Page> }
    })
}

#[component]
fn Shown(item: Item, deeds: Vec<Deed>, may_decide: bool) -> impl IntoView {
    let place = [&item.city, &item.region, &item.country];
    let place: Vec<&str> =
        place.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let facts = [
        ("Place", place.join(", ")),
        ("Date", item.event_date.clone()),
        ("People", item.people.to_string()),
        ("Type", item.kind.clone()),
        ("Received", item.created_at.clone()),
        ("Status", item.status.to_lowercase()),
    ];
    let facts = facts.map(|(name, value)| view! { <dt>{name}</dt> <dd>{value}</dd> });
    let back = format!("/desk/report?id={}", encoded(&item.id));
    let button = |verdict: &Verdict| {
        view! {
            <button
                class=verdict.as_str()
                type="submit"
                name="one"
                value=format!("{}:{}", verdict.as_str(), item.id)
            >
                {verdict.word()}
            </button>
        }
    };
    let buttons = Verdict::possible(&item.status).iter().map(button).collect_view();
    let decide = may_decide.then(|| {
        view! {
            <form class="do" method="post" action={action::<Decide>()}>
                <input type="hidden" name="back" value=back />
                {buttons}
            </form>
        }
    });
    let alike = item.alike.iter().map(|one| {
        let href = link(format!("/desk/report?id={}", encoded(&one.id)));
        view! {
            <li>
                <a href=href>{one.id.clone()}</a>
                " "
                {one.status.to_lowercase()}
            </li>
        }
    });
    let alike = (!item.alike.is_empty()).then(|| {
        view! {
            <section>
                <h2>"Perhaps the same"</h2>
                <p>"Of the same place and day, with as many people:"</p>
                <ul>{alike.collect_view()}</ul>
            </section>
        }
    });
    let map = item.position.map(|(lat, lng)| {
        view! {
            <Land />
            <Map lat=lat lng=lng />
        }
    });
    let history = deeds.into_iter().map(|deed| {
        view! {
            <li>
                <time datetime=deed.at.clone()>{deed.at.clone()}</time>
                <b>{deed.who}</b>
                <span>{deed.what}</span>
                <span class="from">{deed.from}</span>
            </li>
        }
    });
    view! {
        <article class="report">
            <h1>{item.id.clone()}</h1>
            <dl>{facts}</dl>
            {map}
            {decide}
            {alike}
            <section>
                <h2>"What was done"</h2>
                <ol class="history">{history.collect_view()}</ol>
            </section>
            <p>
                <a href=link("/desk")>"To the queue"</a>
            </p>
        </article>
    }
}
