use super::list::{List, QueueItem, RowState};
use crate::{
    map::Map,
    model::{Item, PossibleDuplicate, Verdict},
};
use leptos::{ev::MouseEvent, prelude::*};

/// One report of the queue.
#[component]
pub(super) fn Row(
    shown: QueueItem,
    list: List,
    /// The operator's label of the type.
    label: String,
    may_decide: bool,
    base: String,
) -> impl IntoView {
    let Item { id, kind, city, region, country, people, event_date, created_at, position, .. } =
        shown.item;
    let (own, named) = (id.clone(), id.clone());
    let mark = move || {
        let rows = list.shown.get();
        rows.into_iter().find(|row| row.item.id == own).map_or(RowState::Waiting, |row| row.mark)
    };
    let (state, note) = (mark.clone(), mark);
    let same = id.clone();
    let duplicates = move || {
        let rows = list.shown.get();
        let row = rows.into_iter().find(|row| row.item.id == same);
        row.map(|row| notice(&row.item.duplicates)).unwrap_or_default()
    };
    let glyph = kind.clone();
    let (current, selected, toggled, clicked) = (id.clone(), id.clone(), id.clone(), id.clone());
    let class = move || {
        let seen = match state() {
            RowState::Waiting => kind.clone(),
            RowState::Deciding(verdict) => format!("{kind} deciding {}", verdict.as_str()),
            RowState::Gone(_) => format!("{kind} gone"),
        };
        if list.current.get() == current { format!("{seen} current") } else { seen }
    };
    let note = move || match note() {
        RowState::Gone(reason) => reason,
        _ => String::new(),
    };
    let place = [region, country].into_iter().filter(|part| !part.is_empty());
    let place = place.collect::<Vec<_>>().join(", ");
    let persons = if people == 1 { "person" } else { "people" };
    let day = created_at.get(..16).unwrap_or_default().replace('T', " ");
    let button = |verdict: Verdict, name: &'static str, label: String| {
        let id = id.clone();
        view! {
            <button
                type="submit"
                name="one"
                value=format!("{}:{id}", verdict.as_str())
                class=verdict.as_str()
                aria-label=label
                on:click=move |event: MouseEvent| {
                    event.prevent_default();
                    list.decide(verdict, vec![id.clone()]);
                }
            >
                {name}
            </button>
        }
    };
    view! {
        <li
            class=class
            data-id=named.clone()
            tabindex="-1"
            on:click=move |_: MouseEvent| list.current.set(clicked.clone())
        >
            <input
                type="checkbox"
                name="ids[]"
                value=named.clone()
                hidden=!may_decide
                aria-label=format!("Select {named}")
                prop:checked=move || list.selected.get().contains(&selected)
                on:click=move |_: MouseEvent| list.toggle(&toggled)
            />
            <svg class="glyph" role="img" aria-label=label>
                <use href=["#", &glyph].concat() />
            </svg>
            <p class="place">
                <b>
                    <bdi>{city}</bdi>
                </b>
                " "
                <span>
                    <bdi>{place}</bdi>
                </span>
            </p>
            <p class="people">{people} " " {persons}</p>
            <p class="event">
                <time datetime=event_date.clone()>{event_date.clone()}</time>
            </p>
            <p class="came">
                "received " <time datetime=created_at>{day}</time> " UTC"
            </p>
            <a class="id" href=format!("{base}/desk/report?id={}", encoded(&named))>
                {named.clone()}
            </a>
            <p class="alike">{duplicates}</p>
            {position.map(|(lat, lng)| view! { <Map lat=lat lng=lng /> })}
            <p class="note">{note}</p>
            <div class="do" hidden=!may_decide>
                {button(Verdict::Approve, "Approve", format!("Approve {named}"))}
                {button(Verdict::Reject, "Reject", format!("Reject {named}"))}
            </div>
        </li>
    }
}

fn notice(duplicates: &[PossibleDuplicate]) -> String {
    let first = duplicates.first().map(|first| {
        let status = first.status.to_lowercase();
        format!("Perhaps the same as {} ({status})", first.id)
    });
    match duplicates.len() {
        0 => String::new(),
        1 => first.unwrap_or_default(),
        count => format!("{} and {} more", first.unwrap_or_default(), count - 1),
    }
}

/// Percent-encodes a value for a query.
pub(crate) fn encoded(value: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let digit = |half: u8| char::from(HEX[usize::from(half & 15)]);
            encoded.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
    encoded
}
