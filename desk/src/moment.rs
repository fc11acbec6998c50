use crate::words::{minute, second};
use leptos::prelude::*;

/// An instant to the minute, in UTC.
#[component]
pub(super) fn Moment(
    /// The instant as RFC 3339.
    at: String,
) -> impl IntoView {
    let shown = minute(&at);
    view! { <time datetime=at>{shown}</time> }
}

/// An instant to the second, in UTC.
#[component]
pub(super) fn ExactMoment(
    /// The instant as RFC 3339.
    at: String,
) -> impl IntoView {
    let shown = second(&at);
    view! { <time datetime=at>{shown}</time> }
}
