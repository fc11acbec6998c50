use crate::{brand::Brand, shell::link};
use leptos::{either::Either, prelude::*};
use std::sync::Arc;

/// The operator's logo, or flame and drop, at the top of a page.
#[component]
pub fn Mark() -> impl IntoView {
    match &expect_context::<Arc<Brand>>().logo {
        Some(logo) => Either::Left(view! { <img class="mark logo" src=link(&logo.path) alt="" /> }),
        None => Either::Right(view! {
            <svg class="mark spirit" aria-hidden="true">
                <use href="#spirit" />
            </svg>
            <svg class="mark water" aria-hidden="true">
                <use href="#water" />
            </svg>
        }),
    }
}
