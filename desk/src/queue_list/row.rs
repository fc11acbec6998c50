use super::{
    editor::Editor,
    list::List,
    reducer::Event,
    state::{Row, RowStatus},
};
use crate::words::{date, minute};
use crate::{
    map::Map,
    model::{Item, Verdict},
};
use kit::{
    number::plain,
    signals::{Var, effect, flag, text},
};
use leptos::{ev::MouseEvent, prelude::*};

/// One report of the queue.
#[component]
pub(super) fn ListRow(row: Row, list: List) -> impl IntoView {
    let item = row.item.clone();
    let Item { id, kind, city, region, country, people, event_date, created_at, position, .. } =
        row.item;
    let start = list.start();
    let (label, may_decide) = (start.label(&kind), start.may_decide);
    let list_query = encoded(&start.query);
    let href =
        [&*start.base_path, "/desk/report?id=", &*encoded(&id), "&list=", &*list_query].concat();
    let duplicates = [&*href, "#duplicates"].concat();
    let glyph = ["#", &*kind].concat();
    // Reads the row, which may be gone for a moment before its element is.
    let own = id.clone();
    let read = move |read: fn(&Row) -> String| list.state().row(&own).map(read).unwrap_or_default();
    let status = read.clone();
    let current = id.clone();
    let class = move || {
        let is_current = list.state().current == current;
        [&*kind, &*status(status_class), if is_current { " current" } else { "" }].concat()
    };
    let (has_alike, alike, note) = (read.clone(), read.clone(), read);
    let (selected, toggled, clicked) = (id.clone(), id.clone(), id.clone());
    let looked_at = id.clone();
    let is_selected = move || list.state().row(&selected).is_some_and(|row| row.is_selected);
    let place = match (&*region, &*country) {
        ("", place) | (place, "") => place.to_owned(),
        (region, country) => [region, ", ", country].concat(),
    };
    let is_edited = Var::new(false);
    let edited = id.clone();
    effect(move |_| is_edited.set(list.state().is_edited(&edited)));
    let persons = if people == 1 { " person" } else { " people" };
    let button = |verdict: Verdict| {
        let own = id.clone();
        view! {
            <button
                type="submit"
                name="one"
                value=[verdict.as_str(), ":", &*id].concat()
                class=verdict.as_str()
                aria-label=[verdict.word(), " ", &*id].concat()
                on:click=move |event: MouseEvent| {
                    event.prevent_default();
                    list.on(Event::Decide(verdict, own.clone()));
                }
            >
                {verdict.word()}
            </button>
        }
    };
    view! {
        <li
            class=text(class)
            id=anchor(&id)
            data-id=id.clone()
            tabindex="-1"
            on:click=move |_: MouseEvent| list.on(Event::PointAt(clicked.clone()))
        >
            <input
                type="checkbox"
                name="ids[]"
                value=id.clone()
                hidden=!may_decide
                aria-label=["Select ", &*id].concat()
                prop:checked=flag(is_selected)
                on:click=move |event: MouseEvent| {
                    let id = toggled.clone();
                    list.on(if event.shift_key() { Event::SelectTo(id) } else { Event::Toggle(id) });
                }
            />
            <svg class="glyph" role="img" aria-label=label>
                <use href=glyph />
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
            <p class="people">{[&*plain(people.into()), persons].concat()}</p>
            <p class="event">
                <time datetime=event_date.clone()>{date(&event_date)}</time>
            </p>
            <p class="came">
                "received " <time datetime=created_at.clone()>{minute(&created_at)}</time>
            </p>
            <a class="open" href=href aria-label=["Open ", &*id].concat()>
                "Open"
            </a>
            <a
                class="alike"
                href=duplicates
                hidden=flag(move || has_alike(|row| notice(&row.item)).is_empty())
            >
                {text(move || alike(|row| notice(&row.item)))}
            </a>
            {position.map(|position| view! { <Map position=position /> })}
            <p class="note">
                {text(move || {
                    let reason = note(|row| match &row.status {
                        RowStatus::Gone(reason) => reason.clone(),
                        _ => String::new(),
                    });
                    if reason.is_empty() { list.state().others_in_words(&looked_at) } else { reason }
                })}
            </p>
            {move || {
                let item = item.clone();
                is_edited.get().then(|| view! { <Editor item=item list=list /> })
            }}
            <div class="do" hidden=flag(move || !may_decide || is_edited.get())>
                {Verdict::possible(&start.status).iter().map(|verdict| button(*verdict)).collect::<Vec<_>>()}
            </div>
        </li>
    }
}

/// Id of a report's element, for links to it.
pub(crate) fn anchor(id: &str) -> String {
    ["report-", &*encoded(id)].concat()
}

fn status_class(row: &Row) -> String {
    match row.status {
        RowStatus::Waiting => String::new(),
        RowStatus::Deciding(verdict) => [" deciding ", verdict.as_str()].concat(),
        RowStatus::Gone(_) => " gone".to_owned(),
    }
}

fn notice(item: &Item) -> String {
    let Some(first) = item.duplicates.first() else { return String::new() };
    let status = match &*first.status {
        "APPROVED" => "already published".to_owned(),
        status => status.to_ascii_lowercase(),
    };
    let others = item.duplicates.len() as u64 - 1 + u64::from(item.more_duplicates);
    let more = match others {
        0 => String::new(),
        count => [" and ", &*plain(count), " more"].concat(),
    };
    let comparison = &*first.comparison;
    ["Perhaps the same as ", &*first.id, " (", &*status, "): ", comparison, &*more].concat()
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
