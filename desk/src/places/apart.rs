use super::full_name;
use crate::{
    backend::{Apart, Similar},
    functions::{KeepApart, PairAgain},
    layout::action,
    model::PlaceNames,
    moment::Moment,
    words::{
        common::COMMA,
        correct::{PAIR_AGAIN, PAIR_AGAIN_NAMED, PAIRS_APART, TWO_PLACES, TWO_PLACES_NAMED},
        data, sentence, t, with,
    },
};
use kit::words::Word;

use leptos::prelude::*;

/// A button that keeps the places of a pair apart.
#[component]
pub(super) fn KeepApartButton(pair: Similar) -> impl IntoView {
    let names = pair.places.map(|one| PlaceNames {
        country: one.country,
        region: one.region,
        city: one.city,
    });
    let label = named(TWO_PLACES_NAMED, &names);
    let hidden = |field: &str, value: String| view! { <input type="hidden" name=field.to_owned() value=value /> };
    let fields = ["one", "other"].into_iter().zip(names).map(|(place, names)| {
        let PlaceNames { country, region, city } = names;
        view! {
            {hidden(&format!("{place}[country]"), country)}
            {hidden(&format!("{place}[region]"), region)}
            {hidden(&format!("{place}[city]"), city)}
        }
    });
    view! {
        <form method="post" action={action::<KeepApart>()}>
            {fields.collect_view()}
            <button type="submit" aria-label=label>
                {t(TWO_PLACES)}
            </button>
        </form>
    }
}

/// The pairs that people keep apart.
#[component]
pub(super) fn PairsApart(pairs: Vec<Apart>, may_decide: bool) -> impl IntoView {
    let count = pairs.len() as u64;
    let pairs = pairs.into_iter().map(|Apart { id, places, who, at }| {
        let again = may_decide.then(|| {
            view! {
                <form class="ways" method="post" action={action::<PairAgain>()}>
                    <input type="hidden" name="id" value=id.to_string() />
                    <button type="submit" aria-label=named(PAIR_AGAIN_NAMED, &places)>
                        {t(PAIR_AGAIN)}
                    </button>
                </form>
            }
        });
        let [one, other] = places.map(|one| data(full_name(&one)));
        view! {
            <li>
                <b>{one}</b>
                <b>{other}</b>
                <span>{data(who)} {t(COMMA)} <Moment at=at /></span>
                {again}
            </li>
        }
    });
    let pairs: Vec<_> = pairs.collect();
    (count > 0).then(|| {
        view! {
            <details class="apart">
                <summary>{sentence(PAIRS_APART, count)}</summary>
                <ol class="entries">{pairs}</ol>
            </details>
        }
    })
}

/// A text with the names of two places.
fn named(word: Word, places: &[PlaceNames; 2]) -> String {
    let [one, other] = places.each_ref().map(full_name);
    with(word, &[("one", &one), ("other", &other)])
}
