use super::{
    audit::Line,
    backend::{Key, Overview, SharedWork, Subscription},
    layout::Page,
    over_time::OverTime,
};
use app::shell::link;
use kit::{lang::Lang, number::neutral, time::minute};
use leptos::prelude::*;

/// The page `/desk/overview`: status of the service.
#[component]
pub(super) fn OverviewPage() -> impl IntoView {
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let content = match work.overview().await {
            Ok(overview) => view! { <Shown overview=overview /> }.into_any(),
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        view! { <Page title="Overview">{content}</Page> }
    })
}

#[component]
fn Shown(overview: Overview) -> impl IntoView {
    let Overview {
        version,
        problems,
        approved,
        waiting,
        open_streams,
        mail,
        subscriptions,
        keys,
        deeds,
    } = overview;
    let numbers = [
        ("Approved", neutral(approved, Lang::En)),
        ("Pending", neutral(waiting, Lang::En)),
        ("Open streams", neutral(open_streams, Lang::En)),
        ("Version", version),
    ];
    let numbers =
        numbers.map(|(name, value)| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> });
    let state = match problems.is_empty() {
        true => view! { <p class="well">"Everything works."</p> }.into_any(),
        false => {
            let problems = problems.into_iter().map(|problem| view! { <li>{problem}</li> });
            view! { <ul class="trouble">{problems.collect_view()}</ul> }.into_any()
        }
    };
    view! {
        <h1>"Overview"</h1>
        {state}
        <dl class="numbers">{numbers}</dl>
        {mail.map(|mail| view! { <p class="hint">{mail}</p> })}
        <OverTime />
        <Table
            title="Webhook subscriptions"
            empty="No partner has subscribed."
            columns=["Partner", "State", "Pending", "Delivered", "Failed", "Endpoint"]
            rows=subscriptions.into_iter().map(subscription).collect()
        />
        <p>
            <a href=link("/desk/webhooks")>"Manage webhooks"</a>
        </p>
        <Table
            title="Keys"
            empty="There are no keys."
            columns=["Key", "Of", "Tier", "State", "Last used", ""]
            rows=keys.into_iter().map(key).collect()
        />
        <p>
            <a href=link("/desk/keys")>"Manage keys and sessions"</a>
        </p>
        <section>
            <h2>"Latest actions"</h2>
            {(deeds.is_empty())
                .then_some(
                    view! { <p class="hint">"Nobody has decided on, imported or changed anything yet."</p> },
                )}
            <ol class="history">
                {deeds.into_iter().map(|line| view! { <Line line=line /> }).collect_view()}
            </ol>
            <p>
                <a href=link("/desk/audit")>"Search the audit"</a>
            </p>
        </section>
        <p class="hint">
            "All of this is also available to programs: "
            <a href=link("/docs/operator")>"the operators\u{2019} API"</a>
        </p>
    }
}

fn subscription(one: Subscription) -> [String; 6] {
    let Subscription { partner, url, state, note, pending, delivered, failed, .. } = one;
    let state = if note.is_empty() { state } else { format!("{state}: {note}") };
    [partner, state, pending.to_string(), delivered.to_string(), failed.to_string(), url]
}

fn key(Key { prefix, holder, tier, state, last_used }: Key) -> [String; 6] {
    [prefix, holder, tier, state, minute(&last_used), String::new()]
}

/// A table. Columns without a name are left out.
#[component]
fn Table(
    title: &'static str,
    empty: &'static str,
    columns: [&'static str; 6],
    rows: Vec<[String; 6]>,
) -> impl IntoView {
    let is_named = move |place: &usize| columns.get(*place).is_some_and(|name| !name.is_empty());
    let head = columns.into_iter().filter(|name| !name.is_empty());
    let head = head.map(|name| view! { <th scope="col">{name}</th> }).collect_view();
    let content = match rows.is_empty() {
        true => view! { <p class="hint">{empty}</p> }.into_any(),
        false => {
            let rows = rows.into_iter().map(|cells| {
                let cells = cells.into_iter().enumerate().filter(|(place, _)| is_named(place));
                let cells = cells.map(|(_, cell)| view! { <td>{cell}</td> }).collect_view();
                view! { <tr>{cells}</tr> }
            });
            view! {
                <div class="table" tabindex="0" role="region" aria-label=title>
                    <table>
                        <thead>
                            <tr>{head}</tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            }
            .into_any()
        }
    };
    view! {
        <section>
            <h2>{title}</h2>
            {content}
        </section>
    }
}
