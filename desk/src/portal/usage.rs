//! Use of a key: the last minute, and charts of the last hours and days.

use crate::{
    moment::Moment,
    words::{
        audit::DAY,
        date, lang, minute,
        overview::NUMBERS,
        portal::{
            BUSIEST_HOUR, EXPIRES, HOUR, KEY, KEYS, LAST_DAY, LAST_MONTH, OF_LIMIT, REFUSED,
            REQUESTS, REQUESTS_USED, TIER, WITHOUT_LIMIT,
        },
        t, with,
    },
};
use app::{
    chart::{HEIGHT, VIEW_BOX, WIDTH, height, rectangles, round_up},
    shell::link,
};
use kit::{
    html::{Html, IntoHtml},
    number::neutral,
    words::Word,
};
use leptos::prelude::*;

/// Use of one of the partner's keys.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// First characters of all keys of the partner.
    pub keys: Vec<String>,
    /// First characters of the key.
    pub prefix: String,
    pub tier: String,
    /// End of validity as RFC 3339.
    pub expires_at: Option<String>,
    /// Requests used and allowed in the last 60 seconds; `None` without a limit.
    pub requests: Option<(u32, u32)>,
    /// Requests in the last hours, the oldest hour first.
    pub hours: Vec<Used>,
    /// Requests in the last days, the oldest day first.
    pub days: Vec<Used>,
}

/// Requests in an hour or a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// Start of the hour or day as RFC 3339.
    pub from: String,
    pub requests: u64,
    /// Number of those requests that a limit refused.
    pub refused: u64,
}

impl Used {
    /// Number of requests that no limit refused. A request is counted before its refusal, which may be saved only with
    /// the next hour.
    fn answered(&self) -> u64 {
        self.requests.saturating_sub(self.refused)
    }
}

/// A chart of hours or days.
struct Chart {
    id: &'static str,
    title: Word,
    /// Name of a bar: hour or day.
    bar: Word,
    /// Shows the start of a bar.
    shown: fn(&str) -> String,
    used: Vec<Used>,
    /// Number of requests that the limit allows in an hour, for a chart of hours.
    limit: Option<u64>,
}

/// The use of a key, and links to the other keys.
pub(super) fn used(usage: Usage) -> impl IntoView {
    let Usage { keys, prefix, tier, expires_at, requests, hours, days } = usage;
    let limit = requests.map(|(_, limit)| 60 * u64::from(limit));
    let hours =
        Chart { id: "hours", title: LAST_DAY, bar: HOUR, shown: minute, used: hours, limit };
    let days =
        Chart { id: "days", title: LAST_MONTH, bar: DAY, shown: date, used: days, limit: None };
    let expires_at =
        expires_at.map(|at| view! { <div><dt>{t(EXPIRES)}</dt> <dd><Moment at=at /></dd></div> });
    view! {
        {tabs(&keys, &prefix)}
        {in_the_last_minute(requests)}
        <dl class="facts">
            <div>
                <dt>{t(KEY)}</dt>
                <dd>
                    <code>{prefix}</code>
                </dd>
            </div>
            <div>
                <dt>{t(TIER)}</dt>
                <dd>
                    <code>{tier}</code>
                </dd>
            </div>
            {expires_at}
        </dl>
        <div class="charts">{hours.shown()} {days.shown()}</div>
    }
}

/// Links to the use of each key, if there are several.
fn tabs(keys: &[String], shown: &str) -> Option<impl IntoView + use<>> {
    let tab = |prefix: &String| {
        let current = (prefix == shown).then_some("page");
        view! {
            <li>
                <a href=link(format!("/partners?key={prefix}")) aria-current=current>
                    <code>{prefix.clone()}</code>
                </a>
            </li>
        }
    };
    let tabs = keys.iter().map(tab).collect_view();
    (keys.len() > 1).then(|| {
        view! {
            <nav aria-label=t(KEYS)>
                <ul class="tabs">{tabs}</ul>
            </nav>
        }
    })
}

fn in_the_last_minute(requests: Option<(u32, u32)>) -> Html {
    let Some((used, limit)) = requests else {
        return view! { <p>{t(WITHOUT_LIMIT)}</p> }.into_html();
    };
    let [shown, most] = [used, limit].map(|number| neutral(u64::from(number), lang()));
    let text = with(REQUESTS_USED, &[("used", &shown), ("limit", &most)]);
    view! {
        <p>
            <label for="requests">{text}</label>
            <meter id="requests" min="0" max=limit high={limit / 10 * 9} value=used></meter>
        </p>
    }
    .into_html()
}

impl Chart {
    fn shown(self) -> impl IntoView {
        let Self { id, title, bar, shown, used, limit } = self;
        let most = used.iter().map(|used| used.requests).max().unwrap_or_default();
        let scale = scale(most, limit);
        let [all, refused] = [|used: &Used| used.requests, |used: &Used| used.refused]
            .map(|number| neutral(used.iter().map(number).sum(), lang()));
        let answered = rectangles(used.iter().map(|used| (0, used.answered())), scale);
        let refusals = used.iter().map(|used| (used.answered(), used.requests));
        let refusals = rectangles(refusals, scale);
        let busiest = limit.map(|limit| {
            let [most, limit] = [most, limit].map(|number| neutral(number, lang()));
            let text = with(OF_LIMIT, &[("used", &most), ("limit", &limit)]);
            view! { <div><dt>{t(BUSIEST_HOUR)}</dt> <dd>{text}</dd></div> }
        });
        let line = limit.filter(|limit| *limit <= scale).map(|limit| {
            let y = HEIGHT - height(limit, scale);
            view! { <path class="limit" d=format!("M0 {y}h{WIDTH}")></path> }
        });
        let ends = [used.first(), used.last()].map(|used| used.map(|used| shown(&used.from)));
        let row = |used: &Used| {
            let numbers = [used.requests, used.refused];
            view! {
                <tr>
                    <th scope="row">{shown(&used.from)}</th>
                    {numbers.map(|number| view! { <td>{neutral(number, lang())}</td> })}
                </tr>
            }
        };
        // Newest first, as in the lists below.
        let rows = used.iter().rev().map(row).collect_view();
        view! {
            <section class="over-time">
                <h3 id=id>{t(title)}</h3>
                <dl class="facts">
                    <div>
                        <dt class="answered">{t(REQUESTS)}</dt>
                        <dd>{all}</dd>
                    </div>
                    <div>
                        <dt class="refused">{t(REFUSED)}</dt>
                        <dd>{refused}</dd>
                    </div>
                    {busiest}
                </dl>
                <p class="scale" aria-hidden="true">
                    {neutral(scale, lang())}
                </p>
                <svg
                    class="bars"
                    viewBox=VIEW_BOX
                    preserveAspectRatio="none"
                    role="img"
                    aria-labelledby=id
                >
                    <path class="answered" d=answered></path>
                    <path class="refused" d=refusals></path>
                    {line}
                </svg>
                <p class="ends" aria-hidden="true">
                    {ends.map(|end| view! { <span>{end}</span> })}
                </p>
                <details id=format!("{id}-numbers")>
                    <summary>{t(NUMBERS)}</summary>
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">{t(bar)}</th>
                                <th scope="col">{t(REQUESTS)}</th>
                                <th scope="col">{t(REFUSED)}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </details>
            </section>
        }
    }
}

/// Upper end of the scale: the limit is in the chart if the use comes near to it, and does not flatten the bars otherwise.
fn scale(most: u64, limit: Option<u64>) -> u64 {
    let near = limit.filter(|limit| *limit / 5 <= most);
    round_up(most.max(near.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_that_was_saved_later_than_its_request_is_no_negative_number() {
        let used = Used { from: String::new(), requests: 0, refused: 1 };
        assert_eq!(used.answered(), 0);
    }

    #[test]
    fn the_limit_is_in_the_chart_if_a_fifth_of_it_was_used() {
        assert_eq!(scale(999, Some(5_000)), 1_000);
        assert_eq!(scale(1_000, Some(5_000)), 5_000);
        assert_eq!(scale(7_000, Some(5_000)), 8_000);
        assert_eq!(scale(7_000, None), 8_000);
        assert_eq!(scale(0, Some(60_000)), 2);
    }
}
