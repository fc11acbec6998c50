use super::{
    editor::Editor,
    list::List,
    reducer::Event,
    state::{Row, RowStatus},
};
use crate::words::{
    date,
    list::{
        ACTION_ON_ID, ALREADY_PUBLISHED, AND_MORE_DUPLICATES, CORRECT_ID, CORRECT_IT, OPEN,
        OPEN_ID, PEOPLE_COUNT, PERHAPS_THE_SAME_AS, RECEIVED_AT, SELECT_ID,
    },
    minute, sentence, status, t, with,
};
use crate::{
    correction::CORRECT,
    map::Map,
    model::{Item, Verdict},
};
use kit::signals::{Var, effect, flag, text};
use leptos::{ev::MouseEvent, prelude::*};

/// One report of the queue. Its elements stay while its values change, so that it keeps the focus.
#[component]
pub(super) fn ListRow(row: Row, list: List) -> impl IntoView {
    let id = row.item.id.clone();
    let item = Var::new(row.item);
    let is_edited = Var::new(false);
    let (own, current, clicked) = (id.clone(), id.clone(), id.clone());
    effect(move |_| {
        let state = list.state();
        is_edited.set(state.is_edited(&own));
        // The row may be gone for a moment before its element is.
        if let Some(row) = state.row(&own) {
            item.set(row.item.clone());
        }
    });
    let class = move || {
        let state = list.state();
        let is_current = if state.current == current { " current" } else { "" };
        let status = state.row(&current).map(status_class).unwrap_or_default();
        [&*item.read().kind, &*status, is_current].concat()
    };
    view! {
        <li
            class=text(class)
            id=anchor(&id)
            data-id=id
            tabindex="-1"
            on:click=move |_: MouseEvent| list.on(Event::PointAt(clicked.clone()))
        >
            {move || contents(item.get(), is_edited, list)}
        </li>
    }
}

/// Contents of a row. The values of `item` are current; everything else is read from the list.
fn contents(item: Item, is_edited: Var<bool>, list: List) -> impl IntoView {
    let alike = notice(&item);
    let edited = item.clone();
    let Item {
        id,
        kind,
        city,
        region,
        country,
        people,
        event_date,
        created_at,
        source,
        position,
        ..
    } = item;
    let start = list.start();
    let (label, may_decide) = (start.label(&kind), start.may_decide);
    let list_query = encoded(&start.query);
    let href =
        [&*start.base_path, "/desk/report?id=", &*encoded(&id), "&list=", &*list_query].concat();
    let duplicates = [&*href, "#duplicates"].concat();
    let form = [&*href, "&", CORRECT, "=1#", CORRECT].concat();
    let glyph = ["#", &*kind].concat();
    let (selected, toggled, corrected) = (id.clone(), id.clone(), id.clone());
    let is_selected = move || list.state().row(&selected).is_some_and(|row| row.is_selected);
    let place = match (&*region, &*country) {
        ("", place) | (place, "") => place.to_owned(),
        (region, country) => [region, ", ", country].concat(),
    };
    let looked_at = id.clone();
    let note = move || {
        let state = list.state();
        match state.row(&looked_at).map(|row| &row.status) {
            Some(RowStatus::Gone(reason)) => reason.clone(),
            _ => state.others_in_words(&looked_at),
        }
    };
    let button = |verdict: Verdict| {
        let own = id.clone();
        view! {
            <button
                type="submit"
                name="one"
                value=[verdict.as_str(), ":", &*id].concat()
                class=verdict.as_str()
                aria-label=with(ACTION_ON_ID, &[("action", &t(verdict.word())), ("id", &id)])
                on:click=move |event: MouseEvent| {
                    event.prevent_default();
                    list.on(Event::Decide(verdict, own.clone()));
                }
            >
                {t(verdict.word())}
            </button>
        }
    };
    view! {
        <input
            type="checkbox"
            name="ids[]"
            value=id.clone()
            hidden=!may_decide
            aria-label=with(SELECT_ID, &[("id", &id)])
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
        <p class="people">{sentence(PEOPLE_COUNT, people.into())}</p>
        <p class="event">
            <time datetime=event_date.clone()>{date(&event_date)}</time>
        </p>
        <p class="came">
            {t(RECEIVED_AT)} " " <time datetime=created_at.clone()>{minute(&created_at)}</time>
            <bdi class="source" hidden=source.is_empty()>
                {source.clone()}
            </bdi>
        </p>
        <p class="links">
            <a class="open" href=href aria-label=with(OPEN_ID, &[("id", &id)])>
                {t(OPEN)}
            </a>
            <a
                class="correct"
                href=form
                hidden=!may_decide
                aria-label=with(CORRECT_ID, &[("id", &id)])
                on:click=move |event: MouseEvent| {
                    if !event.ctrl_key() && !event.meta_key() && !event.shift_key() {
                        event.prevent_default();
                        list.on(Event::Edit(corrected.clone()));
                    }
                }
            >
                {t(CORRECT_IT)}
            </a>
        </p>
        <a class="alike" href=duplicates hidden=alike.is_empty()>
            {alike.clone()}
        </a>
        {position.map(|position| view! { <Map position=position /> })}
        <p class="note">{text(note)}</p>
        {move || {
            let item = edited.clone();
            is_edited.get().then(|| view! { <Editor item=item list=list /> })
        }}
        <div class="do" hidden=flag(move || !may_decide || is_edited.get())>
            {Verdict::possible(&start.status).iter().map(|verdict| button(*verdict)).collect::<Vec<_>>()}
        </div>
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
        "APPROVED" => t(ALREADY_PUBLISHED),
        other => status(other),
    };
    let others = item.duplicates.len() as u64 - 1 + u64::from(item.more_duplicates);
    let more = match others {
        0 => String::new(),
        count => sentence(AND_MORE_DUPLICATES, count),
    };
    let values = [("id", &*first.id), ("status", &*status), ("comparison", &*first.comparison)];
    [with(PERHAPS_THE_SAME_AS, &values), more].concat()
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
