use super::{
    backend::SharedWork,
    confirm_bulk::shown,
    functions::Decide,
    layout::action,
    model::{Item, PossibleDuplicate},
};
use crate::report::path_of;
use crate::words::{
    common::{CITY, COUNTRY, DATE_LABEL, PEOPLE, RECEIVED, REGION, STATUS, TYPE},
    date,
    deciding::AND_MORE,
    duplicates::{DUPLICATE_OF, PERHAPS_THE_SAME, POSSIBLE_DUPLICATES, REJECT_AS_DUPLICATE},
    list::ALREADY_PUBLISHED,
    minute, sentence, status, t, with,
};
use app::shell::link;
use kit::{html::IntoHtml, words::Word};
use leptos::prelude::*;

/// Reads the possible duplicates of a report.
pub(super) async fn duplicates(work: &SharedWork, item: &Item) -> Vec<(PossibleDuplicate, Item)> {
    let mut others = Vec::new();
    for one in &item.duplicates {
        if let Ok(Some((other, _))) = work.report(&one.id).await {
            others.push((one.clone(), other));
        }
    }
    others
}

/// Section of a report's page: the report and its possible duplicates side by side.
#[component]
pub(super) fn Duplicates(
    item: Item,
    others: Vec<(PossibleDuplicate, Item)>,
    /// Query of the list that the page was opened from.
    list: Option<String>,
    /// Page to open after a decision on the report.
    after: String,
    may_decide: bool,
) -> impl IntoView {
    let more = item.more_duplicates;
    let page = |id: &str| link(path_of(id, list.as_deref()));
    let heads = others.iter().map(|(_, other)| {
        view! {
            <th scope="col">
                <a href=page(&other.id)>
                    <bdi>{other.id.clone()}</bdi>
                </a>
            </th>
        }
    });
    let heads = heads.collect_view();
    let rows = FACTS.map(|(name, fact)| {
        let own = fact(&item);
        let cells = others.iter().map(|(_, other)| {
            let value = fact(other);
            match value == own {
                true => view! { <td><bdi>{value}</bdi></td> }.into_html(),
                false => view! { <td><mark><bdi>{value}</bdi></mark></td> }.into_html(),
            }
        });
        let cells = cells.collect_view();
        view! {
            <tr>
                <th scope="row">{t(name)}</th>
                <td><bdi>{own}</bdi></td>
                {cells}
            </tr>
        }
    });
    let compared = others.iter().map(|(one, _)| {
        let status = match &*one.status {
            "APPROVED" => t(ALREADY_PUBLISHED),
            other => status(other),
        };
        view! {
            <li>
                <a href=page(&one.id)>
                    <bdi>{one.id.clone()}</bdi>
                </a>
                {format!(" ({status}): {}", one.comparison)}
            </li>
        }
    });
    let compared = compared.collect_view();
    let buttons = may_decide.then(|| {
        others
            .iter()
            .filter_map(|(_, other)| rejected_and_kept(&item, other))
            .map(|(rejected, kept)| {
                let own = path_of(&item.id, list.as_deref());
                let back = if rejected == item.id { after.clone() } else { own.clone() };
                reject(rejected, kept, back, own)
            })
            .collect_view()
    });
    view! {
        <section id="duplicates" class="duplicates">
            <h2>{t(PERHAPS_THE_SAME)}</h2>
            <ul>{compared}</ul>
            {(more > 0).then(|| view! { <p class="hint">{sentence(AND_MORE, more.into())}</p> })}
            <div class="table" tabindex="0" role="region" aria-label=t(POSSIBLE_DUPLICATES)>
                <table>
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col"><bdi>{item.id.clone()}</bdi></th>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {buttons}
        </section>
    }
}

/// Compared values of a report.
type Fact = (Word, fn(&Item) -> String);

const FACTS: [Fact; 8] = [
    (STATUS, |item| status(&item.status)),
    (CITY, |item| item.city.clone()),
    (REGION, |item| item.region.clone()),
    (COUNTRY, |item| item.country.clone()),
    (DATE_LABEL, |item| date(&item.event_date)),
    (PEOPLE, |item| item.people.to_string()),
    (TYPE, |item| shown("type", &item.kind)),
    (RECEIVED, |item| minute(&item.created_at)),
];

/// Returns the report that can be rejected as a duplicate, and the other one.
fn rejected_and_kept(item: &Item, other: &Item) -> Option<(String, String)> {
    match (&*item.status, &*other.status) {
        ("PENDING", _) => Some((item.id.clone(), other.id.clone())),
        (_, "PENDING") => Some((other.id.clone(), item.id.clone())),
        _ => None,
    }
}

/// Form that rejects a report as a duplicate, and leads to `back`; to `page` if it is not rejected.
fn reject(rejected: String, kept: String, back: String, page: String) -> impl IntoView {
    view! {
        <form class="do" method="post" action={action::<Decide>()}>
            <input type="hidden" name="back" value=back />
            <input type="hidden" name="page" value=page />
            <input type="hidden" name="reason" value=with(DUPLICATE_OF, &[("kept", &kept)]) />
            <button class="reject" type="submit" name="one" value=format!("reject:{rejected}")>
                {with(REJECT_AS_DUPLICATE, &[("rejected", &rejected), ("kept", &kept)])}
            </button>
        </form>
    }
}
