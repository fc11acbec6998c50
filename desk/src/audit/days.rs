use crate::backend::{Moderated, UserError};
use crate::words::{
    audit::{
        COLUMN_APPROVED, COLUMN_CORRECTED, COLUMN_REJECTED, COLUMN_WITHDRAWN, DAY, LAST_14_DAYS,
        NOBODY_HAS_DECIDED, NUMBERS_OF_REPORTS, PERSON, REPORTS_BY_PERSON_AND_DAY,
    },
    data, date, lang,
    layout::TO_THE_QUEUE,
    t,
};
use app::shell::link;
use kit::{html::IntoHtml, number::neutral};
use leptos::prelude::*;

/// Table of the reports that each person has decided on, by day.
#[component]
pub(super) fn Days(counts: Result<Vec<Moderated>, UserError>) -> impl IntoView {
    let counts = match counts {
        Ok(counts) => counts,
        Err(user_error) => {
            return view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_html();
        }
    };
    if counts.is_empty() {
        return view! {
            <p class="empty">
                {t(NOBODY_HAS_DECIDED)} " " <a href=link("/desk")>{t(TO_THE_QUEUE)}</a>
            </p>
        }
        .into_html();
    }
    let rows = counts.into_iter().map(row).collect_view();
    view! {
        <div class="table" tabindex="0" role="region" aria-label=t(REPORTS_BY_PERSON_AND_DAY)>
            <table class="counts">
                <thead>
                    <tr>
                        <th scope="col">{t(DAY)}</th>
                        <th scope="col">{t(PERSON)}</th>
                        <th scope="col">{t(COLUMN_APPROVED)}</th>
                        <th scope="col">{t(COLUMN_REJECTED)}</th>
                        <th scope="col">{t(COLUMN_WITHDRAWN)}</th>
                        <th scope="col">{t(COLUMN_CORRECTED)}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="hint">{t(NUMBERS_OF_REPORTS)}</p>
    }
    .into_html()
}

fn row(count: Moderated) -> impl IntoView {
    let Moderated { day, who, approved, rejected, withdrawn, corrected } = count;
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("actor", &who);
    if !day.is_empty() {
        query.append_pair("from", &day).append_pair("to", &day);
    }
    let href = link(format!("/desk/audit?{}", query.finish()));
    let (class, day) = match day.is_empty() {
        true => ("sum", t(LAST_14_DAYS).into_html()),
        false => ("", view! { <time datetime=day.clone()>{date(&day)}</time> }.into_html()),
    };
    let numbers = [approved, rejected, withdrawn, corrected];
    let numbers = numbers.map(|number| view! { <td>{neutral(number, lang())}</td> });
    view! {
        <tr class=class>
            <td>{day}</td>
            <th scope="row">
                <a href=href>{data(who)}</a>
            </th>
            {numbers}
        </tr>
    }
}
