use crate::{
    contract::messages::tell_selected,
    html::escaped,
    widgets::{feed::words::PERSON, live::Live},
    words::{Wording, common::COMMA, name_of},
};
use kit::{
    signals::{Var, flag, text},
    time,
};
use leptos::{ev::MouseEvent, prelude::*};
use model::Report;

/// One report.
pub(crate) fn row(
    report: &Report,
    place: usize,
    is_new: bool,
    // Places of the rows that are the first of their day.
    firsts: Var<Vec<usize>>,
    // Contains the day that the numbers are from.
    live: Live,
    // `None` until times are updated: see [`time::use_now`].
    now: Var<Option<f64>>,
    wording: Wording,
) -> impl IntoView + use<> {
    let kind = report.kind.as_str();
    let selected = report.clone();
    let class = [kind, if is_new { " new" } else { "" }].concat();
    let people = u64::from(report.people_count);
    let at = report.time().to_owned();
    let [datetime, day] = [at.clone(), at.clone()];
    let day = move || now.get().map_or_else(String::new, |now| time::day_name(&day, now));
    let is_same_day = move || !firsts.read().contains(&place);
    let age = move || {
        let relative = now.get().and_then(|now| time::relative(&at, now));
        relative.unwrap_or_else(|| time::standing(&at, live.metrics.read().day()))
    };
    let said = move || if now.get().is_some() { "said" } else { "" }.to_owned();
    view! {
        <li
            class=class
            data-id=report.id.clone()
            on:click:capture=move |_: MouseEvent| tell_selected(&selected)
        >
            <svg aria-hidden="true">
                <use href=["#", kind].concat() />
            </svg>
            <span class="kind unseen">{wording.text(name_of(report.kind))}</span>
            <p class="day" hidden=flag(is_same_day)>
                <span>{text(day)}</span>
            </p>
            <p class="place">
                // Reached by arrow keys from the list, see `frontend/rows.js`. A click on it is a
                // click on the row.
                <button type="button" tabindex="-1" inner_html=place_html(report, wording)></button>
            </p>
            <p class="people">
                {text(move || wording.counted(PERSON, people))}
            </p>
            <time datetime=datetime class=text(said)>
                {text(age)}
            </time>
        </li>
    }
}

/// HTML of a report's city and country. As elements of the view, they would stay for the next report
/// in the row, and the country would move, which is a layout shift.
fn place_html(report: &Report, wording: Wording) -> String {
    let [city, country] = [&report.city, &report.country].map(|name| escaped(name));
    let comma = wording.text(COMMA);
    // Without its own direction, the name of the city would move the country.
    ["<b dir=\"auto\">", &city, "</b>", &comma, "<span class=\"country\">", &country, "</span>"]
        .concat()
}
