use super::{live::live, log::Text, subscription::page_of};
use crate::{
    moment::{ExactMoment, Moment},
    words::{
        data, lang,
        portal::{
            ANY_STATUS, ATTEMPT, BODY, DELIVERED, DELIVERIES, DURATION, FAILED, MILLISECONDS,
            NO_DELIVERIES, NOT_ATTEMPTED_YET, OLDER, PENDING, RESPONSE, RESULT, SEND_AGAIN,
            SEND_AGAIN_FROM, SEND_FAILED_AGAIN, TO_THE_NEWEST,
        },
        t, with,
    },
};
use app::shell::link;
use kit::{
    html::{Html, IntoHtml},
    number::neutral,
    words::Word,
};
use leptos::prelude::*;

/// A page of the deliveries of a subscription.
#[derive(Clone, Debug, Default)]
pub struct Deliveries {
    pub deliveries: Vec<Delivery>,
    /// Status of the listed deliveries, such as `FAILED`; empty for all.
    pub status: String,
    /// Cursor of the next page, if there is one.
    pub next: Option<String>,
    /// Whether this is the first page.
    pub is_first: bool,
    /// Whether events of the log can be sent again: not in a sandbox.
    pub may_replay: bool,
}

/// A delivery with its attempts.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    pub event: String,
    /// `PENDING`, `DELIVERED` or `FAILED`.
    pub status: &'static str,
    /// Time of the event as RFC 3339.
    pub at: String,
    pub attempts: Vec<Attempt>,
    /// JSON that was sent.
    pub body: String,
    pub may_resend: bool,
}

/// An attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Start of the request as RFC 3339.
    pub at: String,
    pub duration_ms: u64,
    /// Status of the response, or the reason in English why there was none.
    pub result: Result<i64, String>,
    /// Beginning of the response, if it did not accept the event.
    pub response: Option<String>,
}

const STATUSES: [(&str, Word); 4] =
    [("", ANY_STATUS), ("PENDING", PENDING), ("DELIVERED", DELIVERED), ("FAILED", FAILED)];

/// The deliveries of a subscription, and forms that send events again.
#[component]
pub(super) fn DeliveryHistory(
    /// Id of the subscription.
    id: String,
    deliveries: Deliveries,
) -> impl IntoView {
    let Deliveries { deliveries, status, next, is_first, may_replay } = deliveries;
    let page = page_of(&id);
    let of_status = |status: &str| match status {
        "" => page.clone(),
        status => format!("{page}&status={status}"),
    };
    let tab = |(name, word): (&str, Word)| {
        let current = (name == status).then_some("page");
        view! {
            <li>
                <a href=link(of_status(name)) aria-current=current>
                    {t(word)}
                </a>
            </li>
        }
    };
    let tabs = STATUSES.map(tab);
    let content = match deliveries.is_empty() {
        true => view! { <p class="hint">{t(NO_DELIVERIES)}</p> }.into_html(),
        false => {
            let rows = deliveries.into_iter().map(|delivery| shown(&id, delivery)).collect_view();
            view! { <ol class="entries">{rows}</ol> }.into_html()
        }
    };
    let newest = (!is_first).then(|| {
        view! { <a href=link(of_status(&status))>{t(TO_THE_NEWEST)}</a> " " }
    });
    let older = next.map(|next| {
        view! { <a href=link(format!("{}&after={next}", of_status(&status)))>{t(OLDER)}</a> }
    });
    let replay = may_replay.then(|| {
        view! {
            <form method="post" action=link("/partners/do/replay")>
                <input type="hidden" name="id" value=id.clone() />
                <label>
                    {t(SEND_AGAIN_FROM)} <input type="datetime-local" name="from" required />
                </label>
                <button type="submit">{t(SEND_AGAIN)}</button>
            </form>
        }
    });
    view! {
        <section>
            <h2>{t(DELIVERIES)}</h2>
            <ul class="tabs">{tabs}</ul>
            {live("deliveries", content)}
            <p>{newest} {older}</p>
            <div class="again">
                <form method="post" action=link("/partners/do/resend")>
                    <input type="hidden" name="id" value=id.clone() />
                    <button type="submit">{t(SEND_FAILED_AGAIN)}</button>
                </form>
                {replay}
            </div>
        </section>
    }
}

fn shown(subscription: &str, delivery: Delivery) -> impl IntoView {
    let Delivery { id, event, status, at, attempts, body, may_resend } = delivery;
    let word =
        STATUSES.iter().find(|(name, _)| *name == status).map_or(ANY_STATUS, |(_, word)| *word);
    let class = match status {
        "DELIVERED" => "state well",
        "FAILED" => "state bad",
        _ => "state",
    };
    let again = may_resend.then(|| {
        view! {
            <form method="post" action=link("/partners/do/redeliver")>
                <input type="hidden" name="id" value=subscription.to_owned() />
                <input type="hidden" name="delivery" value=id.clone() />
                <button type="submit">{t(SEND_AGAIN)}</button>
            </form>
        }
    });
    view! {
        <li id=id.clone()>
            <code>{event}</code>
            <span>
                <Moment at=at />
            </span>
            <span class=class>{t(word)}</span>
            <div class="ways">
                <Text id=format!("{id}-body") title=BODY text=body />
                {again}
            </div>
            {tried(&id, attempts)}
        </li>
    }
}

fn tried(delivery: &str, attempts: Vec<Attempt>) -> Html {
    if attempts.is_empty() {
        return view! { <p class="hint">{t(NOT_ATTEMPTED_YET)}</p> }.into_html();
    }
    let row = |(number, attempt): (usize, Attempt)| {
        let Attempt { at, duration_ms, result, response } = attempt;
        let duration = with(MILLISECONDS, &[("n", &neutral(duration_ms, lang()))]);
        let result = match result {
            Ok(status) => data(status.to_string()),
            Err(error) => view! { <bdi lang="en">{error}</bdi> }.into_html(),
        };
        let response = response.map(|response| {
            view! {
                <tr>
                    <td class="response" colspan="3">
                        <Text id=format!("{delivery}-{number}") title=RESPONSE text=response />
                    </td>
                </tr>
            }
        });
        view! {
            <tr>
                <td>
                    <ExactMoment at=at />
                </td>
                <td>{duration}</td>
                <td>{result}</td>
            </tr>
            {response}
        }
    };
    view! {
        <table class="attempts">
            <thead>
                <tr>
                    <th scope="col">{t(ATTEMPT)}</th>
                    <th scope="col">{t(DURATION)}</th>
                    <th scope="col">{t(RESULT)}</th>
                </tr>
            </thead>
            <tbody>{attempts.into_iter().enumerate().map(row).collect_view()}</tbody>
        </table>
    }
    .into_html()
}
