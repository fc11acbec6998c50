use crate::backend::{Moderated, UserError};
use crate::words::date;
use app::shell::link;
use kit::{lang::Lang, number::neutral};
use leptos::prelude::*;

/// Table of the reports that each person has decided on, by day.
#[component]
pub(super) fn Days(counts: Result<Vec<Moderated>, UserError>) -> impl IntoView {
    let counts = match counts {
        Ok(counts) => counts,
        Err(user_error) => {
            return view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any();
        }
    };
    if counts.is_empty() {
        return view! {
            <p class="empty">
                "Nobody has decided on a report in the last 14 days. Reports that wait for a decision are in the "
                <a href=link("/desk")>"queue"</a> "."
            </p>
        }
        .into_any();
    }
    let rows = counts.into_iter().map(row).collect_view();
    view! {
        <div class="table" tabindex="0" role="region" aria-label="Reports by person and day">
            <table class="counts">
                <thead>
                    <tr>
                        <th scope="col">"Day"</th>
                        <th scope="col">"Person"</th>
                        <th scope="col">"Approved"</th>
                        <th scope="col">"Rejected"</th>
                        <th scope="col">"Withdrawn"</th>
                        <th scope="col">"Corrected"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="hint">"Numbers of reports, in days of UTC. Undone decisions are counted, too."</p>
    }
    .into_any()
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
        true => ("sum", view! { "Last 14 days" }.into_any()),
        false => ("", view! { <time datetime=day.clone()>{date(&day)}</time> }.into_any()),
    };
    let numbers = [approved, rejected, withdrawn, corrected];
    let numbers = numbers.map(|number| view! { <td>{neutral(number, Lang::En)}</td> });
    view! {
        <tr class=class>
            <td>{day}</td>
            <th scope="row">
                <a href=href>{who}</a>
            </th>
            {numbers}
        </tr>
    }
}
