use super::{
    audit::Line,
    backend::{Key, Overview, SharedWork, Subscription, UserError},
    keys,
    layout::Page,
    over_time::{OverTime, series},
    webhooks,
    words::{
        audit::COLUMN_APPROVED,
        data,
        keys::{KEYS, NEVER},
        lang,
        layout::OVERVIEW,
        minute,
        overview::{
            ALSO_AVAILABLE_TO_PROGRAMS, DELIVERED, ENDPOINT, EVENTS_PENDING, EVERYTHING_WORKS,
            FAILED, KEY, LAST_USED, LATEST_ACTIONS, MANAGE_KEYS_AND_SESSIONS, MANAGE_WEBHOOKS,
            NO_PARTNER_HAS_SUBSCRIBED, NOBODY_HAS_DONE_ANYTHING, OF, OPEN_STREAMS, PARTNER,
            SEARCH_THE_AUDIT, STATE, THERE_ARE_NO_KEYS, TIER, VERSION, WEBHOOK_SUBSCRIPTIONS,
        },
        queue::PENDING_TAB,
        t,
        webhooks::OPERATORS_API,
    },
};
use app::shell::link;
use kit::{
    html::{Html, IntoHtml},
    number::neutral,
    words::Word,
};
use leptos::prelude::*;
use model::Series;

/// The page `/desk/overview`: status of the service.
#[component]
pub(super) fn OverviewPage() -> impl IntoView {
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let content = match work.overview().await {
            Ok(overview) => {
                let series = series(&work).await;
                view! { <Shown overview=overview series=series /> }.into_html()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_html()
            }
        };
        view! { <Page title=t(OVERVIEW)>{content}</Page> }
    })
}

#[component]
fn Shown(overview: Overview, series: Result<Series, UserError>) -> impl IntoView {
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
        (COLUMN_APPROVED, neutral(approved, lang()).into_html()),
        (PENDING_TAB, neutral(waiting, lang()).into_html()),
        (OPEN_STREAMS, neutral(open_streams, lang()).into_html()),
        (VERSION, data(version)),
    ];
    let numbers =
        numbers.map(|(name, value)| view! { <div><dt>{t(name)}</dt> <dd>{value}</dd></div> });
    let state = match problems.is_empty() {
        true => view! { <p class="well">{t(EVERYTHING_WORKS)}</p> }.into_html(),
        false => {
            let problems = problems.into_iter().map(|problem| view! { <li>{problem}</li> });
            view! { <ul class="trouble">{problems.collect_view()}</ul> }.into_html()
        }
    };
    view! {
        <h1>{t(OVERVIEW)}</h1>
        {state}
        <dl class="numbers">{numbers}</dl>
        {mail.map(|mail| view! { <p class="hint">{mail}</p> })}
        <OverTime series=series />
        <Table
            title=WEBHOOK_SUBSCRIPTIONS
            empty=NO_PARTNER_HAS_SUBSCRIBED
            columns=vec![PARTNER, STATE, EVENTS_PENDING, DELIVERED, FAILED, ENDPOINT]
            rows=subscriptions.into_iter().map(subscription).collect()
        />
        <p>
            <a href=link("/desk/webhooks")>{t(MANAGE_WEBHOOKS)}</a>
        </p>
        <Table
            title=KEYS
            empty=THERE_ARE_NO_KEYS
            columns=vec![KEY, OF, TIER, STATE, LAST_USED]
            rows=keys.into_iter().map(key).collect()
        />
        <p>
            <a href=link("/desk/keys")>{t(MANAGE_KEYS_AND_SESSIONS)}</a>
        </p>
        <section>
            <h2>{t(LATEST_ACTIONS)}</h2>
            {(deeds.is_empty())
                .then(|| view! { <p class="hint">{t(NOBODY_HAS_DONE_ANYTHING)}</p> })}
            <ol class="history">
                {deeds.into_iter().map(|line| view! { <Line line=line /> }).collect_view()}
            </ol>
            <p>
                <a href=link("/desk/audit")>{t(SEARCH_THE_AUDIT)}</a>
            </p>
        </section>
        <p class="hint">
            {t(ALSO_AVAILABLE_TO_PROGRAMS)} " "
            <a href=link("/docs/operator")>{t(OPERATORS_API)}</a>
        </p>
    }
}

fn subscription(one: Subscription) -> Vec<Html> {
    let Subscription { partner, url, state, pending, delivered, failed, .. } = one;
    let number = |number: i64| neutral(number.unsigned_abs(), lang()).into_html();
    vec![
        data(partner),
        webhooks::state_in_words(state),
        number(pending),
        number(delivered),
        number(failed),
        data(url),
    ]
}

fn key(Key { prefix, holder, purpose, state, last_used, .. }: Key) -> Vec<Html> {
    let last_used = last_used.map_or_else(|| t(NEVER), |at| minute(&at));
    vec![
        data(prefix),
        data(holder),
        keys::purpose_in_words(purpose),
        t(keys::state_in_words(state)).into_html(),
        last_used.into_html(),
    ]
}

/// A table.
#[component]
fn Table(title: Word, empty: Word, columns: Vec<Word>, rows: Vec<Vec<Html>>) -> impl IntoView {
    let head = columns.into_iter().map(|name| view! { <th scope="col">{t(name)}</th> });
    let head = head.collect_view();
    let content = match rows.is_empty() {
        true => view! { <p class="hint">{t(empty)}</p> }.into_html(),
        false => {
            let rows = rows.into_iter().map(|cells| {
                let cells = cells.into_iter().map(|cell| view! { <td>{cell}</td> });
                view! { <tr>{cells.collect_view()}</tr> }
            });
            view! {
                <div class="table" tabindex="0" role="region" aria-label=t(title)>
                    <table>
                        <thead>
                            <tr>{head}</tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            }
            .into_html()
        }
    };
    view! {
        <section>
            <h2>{t(title)}</h2>
            {content}
        </section>
    }
}
