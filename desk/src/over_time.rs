use model::{Interval, ReportType, Series, SeriesPoint, Types};

use super::{
    backend::{SharedWork, UserError},
    layout::DeskQuery,
    words::{
        audit::DAY,
        date, lang,
        overview::{
            DAYS, MONTH, MONTHS, NUMBERS, NUMBERS_OF_THE_CHART, PUBLISHED_REPORTS_BY_EVENT_DATE,
            SUMMARY, TOTAL, WEEK, WEEKS, YEAR,
        },
        t, words,
    },
};
use app::{
    brand::Brand,
    chart::{VIEW_BOX, bars, scale},
    shell::link,
};
use kit::{
    html::IntoHtml,
    number::neutral,
    words::{Word, filled},
};
use leptos::prelude::*;
use std::sync::Arc;

/// Intervals of the chart, with the texts of their links.
const INTERVALS: [(Interval, Word); 3] =
    [(Interval::Day, DAYS), (Interval::Week, WEEKS), (Interval::Month, MONTHS)];

/// Interval in `interval=`; days by default.
fn interval() -> Interval {
    let asked = expect_context::<DeskQuery>().value("interval");
    let known = INTERVALS.into_iter().find(|(interval, _)| interval.as_str() == asked);
    known.map_or(Interval::Day, |(interval, _)| interval)
}

/// Reads the counts of the chart.
pub(super) async fn series(work: &SharedWork) -> Result<Series, UserError> {
    work.over_time(interval()).await
}

/// Number of published reports in the last days, weeks or months, as a chart and as a table.
#[component]
pub(super) fn OverTime(series: Result<Series, UserError>) -> impl IntoView {
    let interval = interval();
    let ways = INTERVALS.map(|(one, name)| {
        let current = (one == interval).then_some("page");
        let address = link(format!("/desk/overview?interval={}#over-time", one.as_str()));
        view! {
            <li>
                <a href=address aria-current=current>
                    {t(name)}
                </a>
            </li>
        }
    });
    let content = match series {
        Ok(series) => view! { <Chart series=series /> }.into_html(),
        Err(UserError(user_error)) => {
            view! { <p class="trouble" role="alert">{user_error}</p> }.into_html()
        }
    };
    view! {
        <section class="over-time">
            <h2 id="over-time">{t(PUBLISHED_REPORTS_BY_EVENT_DATE)}</h2>
            <ul>{ways}</ul>
            {content}
        </section>
    }
}

#[component]
fn Chart(series: Series) -> impl IntoView {
    let Series { interval, from, to, points, .. } = series;
    let brand = expect_context::<Arc<Brand>>();
    let name = |kind| brand.label(kind, lang());
    let types = Types::default();
    let scale = scale(&points, types);
    let total: u64 = points.iter().map(|point| point.total).sum();
    let [from, to] = [from, to].map(|day| date(&day));
    let number = neutral(total, lang());
    let values = [("from", &*from), ("to", &to), ("n", &number)];
    let summary = filled(words().form(SUMMARY, total), &values);
    let paths = ReportType::ALL.map(|kind| {
        view! { <path class=kind.as_str() d=bars(&points, types, kind, scale)></path> }
    });
    let legend = ReportType::ALL.map(|kind| {
        let count = points.iter().map(|point| point.of(kind)).sum();
        view! {
            <li>
                <svg aria-hidden="true" class=kind.as_str()>
                    <use href=format!("#{}", kind.as_str()) />
                </svg>
                {name(kind)}
                " "
                <b>{neutral(count, lang())}</b>
            </li>
        }
    });
    // Newest first, as in the tables below.
    let rows = points.iter().rev().map(|point| row(point, interval)).collect_view();
    view! {
        <p class="scale" aria-hidden="true">
            {neutral(scale, lang())}
        </p>
        <svg
            class="bars"
            viewBox=VIEW_BOX
            preserveAspectRatio="none"
            role="img"
            aria-label=summary
        >
            {paths}
        </svg>
        <p class="ends" aria-hidden="true">
            <span>{from}</span>
            <span>{to}</span>
        </p>
        <ul class="legend">{legend}</ul>
        <details>
            <summary>{t(NUMBERS)}</summary>
            <div class="table" tabindex="0" role="region" aria-label=t(NUMBERS_OF_THE_CHART)>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{t(heading(interval))}</th>
                            {ReportType::ALL.map(|kind| view! { <th scope="col">{name(kind)}</th> })}
                            <th scope="col">{t(TOTAL)}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

fn row(point: &SeriesPoint, interval: Interval) -> impl IntoView + use<> {
    let days = match interval {
        Interval::Day => date(&point.from),
        _ => format!("{} – {}", date(&point.from), date(&point.to)),
    };
    let counts = [point.spirit, point.water, point.both, point.total];
    let counts = counts.map(|count| view! { <td>{neutral(count, lang())}</td> });
    view! {
        <tr>
            <th scope="row">{days}</th>
            {counts}
        </tr>
    }
}

fn heading(interval: Interval) -> Word {
    match interval {
        Interval::Day => DAY,
        Interval::Week => WEEK,
        Interval::Month => MONTH,
        Interval::Year => YEAR,
    }
}
