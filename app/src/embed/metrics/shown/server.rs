use super::{First, Shown};
use crate::{
    embed::{Types, metrics::counts::Counts},
    model::{Metrics, ReportType},
};
use leptos::prelude::use_context;

/// Nothing: a rendered page stands still.
pub(super) struct Source;

/// The values that the page is being rendered for.
pub(super) fn first() -> First {
    let metrics = use_context::<Metrics>().unwrap_or_default();
    let types = use_context::<Types>().unwrap_or_default();
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
        ])
        .of(ReportType::ALL.map(|kind| types.has(kind))),
        words: use_context().unwrap_or_default(),
        time: metrics.updated_at.get(11..16).unwrap_or_default().to_owned(),
        source: Source,
    }
}

pub(super) fn follow(_: Shown, _: Source) {}
