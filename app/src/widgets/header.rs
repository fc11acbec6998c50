//! Header of every widget: its title, its number, and the connection status.

use crate::{
    widgets::{connection_status::Status, live::Live},
    words::{Wording, common::REPORT},
};
use kit::signals::text;
use leptos::prelude::*;

/// The header. `number` follows the title, and `more` the connection status.
pub(crate) fn header(
    live: Live,
    wording: Wording,
    title: String,
    number: impl IntoView,
    more: impl IntoView,
) -> impl IntoView {
    view! {
        <header class="pulse" data-state=text(move || live.state.get().as_str().to_owned())>
            <h1>
                <bdi class="label">{title}</bdi>
            </h1>
            {number}
            <Status live=live wording=wording />
            {more}
        </header>
    }
}

/// A number of reports, and the noun after it, which narrow widgets leave out.
pub(crate) fn report_count(
    wording: Wording,
    count: impl Fn() -> u64 + Copy + Send + 'static,
) -> impl IntoView {
    view! {
        <b>{text(move || wording.number(count()))}</b>
        " "
        <span>{text(move || wording.noun(REPORT, count()))}</span>
    }
}
