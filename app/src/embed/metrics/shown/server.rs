use super::{First, Shown};
use crate::{embed::metrics::counts::Counts, model::Metrics};
use leptos::prelude::use_context;

/// The values that the page is being rendered for.
pub(super) fn first() -> First {
    let metrics = use_context::<Metrics>().unwrap_or_default();
    First {
        counts: Counts([
            metrics.total,
            metrics.spirit,
            metrics.water,
            metrics.both,
            metrics.total_today,
            metrics.spirit_today,
            metrics.water_today,
            metrics.both_today,
            metrics.countries,
            metrics.cities,
        ]),
        time: metrics.updated_at.get(11..16).unwrap_or_default().to_owned(),
    }
}

/// A rendered page stands still.
pub(super) fn follow(_: Shown) {}
