use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::{lead_back, work};
use crate::model::PlaceNames;

/// Page of the pairs of places.
#[cfg(feature = "ssr")]
const PAGE: &str = "/desk/places";

/// Keeps two places apart that look like two spellings of one.
#[server(prefix = "/desk/do", endpoint = "keep-apart")]
pub async fn keep_apart(one: PlaceNames, other: PlaceNames) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, PAGE, work.keep_apart(&[one, other]).await)
}

/// Pairs two places again that people kept apart.
#[server(prefix = "/desk/do", endpoint = "pair-again")]
pub async fn pair_again(id: i64) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, PAGE, work.pair_again(id).await)
}
