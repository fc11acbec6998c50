//! New reports: each time, the globe turns to the newest one.

use super::{engine::EngineHandle, markers::Markers, state::GlobeSignals};
use crate::{
    embed::{announcer::Announcer, news::new_reports},
    live::Live,
    model::{Report, Types},
};
use leptos::prelude::*;

/// How often markers may arrive without the position of a new report. The first may have been read
/// before the report was there; what is missing again is nowhere on the map.
const MISSES: u32 = 2;

/// A new report whose position is not known yet.
#[derive(Clone)]
struct Expected {
    report: Report,
    misses: u32,
}

/// Announces new reports, and shows where the newest one is. `known` are the ids of the newest
/// reports that the page was rendered with.
pub(super) fn use_arrivals(
    live: Live,
    types: Types,
    signals: GlobeSignals,
    engine: EngineHandle,
    announcer: Announcer,
    markers: Markers,
    known: Vec<String>,
) {
    let known = StoredValue::new(known);
    let expected = StoredValue::new(None::<Expected>);
    Effect::new(move |begun: Option<()>| {
        let latest: Vec<Report> = live.reports.with(|reports| {
            reports.iter().filter(|report| types.has(report.kind)).cloned().collect()
        });
        // The stream has not told of any yet.
        if begun.is_none() {
            return;
        }
        let new = known
            .with_value(|known| new_reports(&latest, |report| known.contains(&report.id)).to_vec());
        if let Some(newest) = new.first() {
            announcer.announce(new.len() as u64);
            expected.set_value(Some(Expected { report: newest.clone(), misses: 0 }));
            markers.request();
        }
        known.set_value(latest.into_iter().map(|report| report.id).collect());
    });
    Effect::new(move || {
        markers.reads.track();
        let Some(Expected { report, misses }) = expected.get_value() else { return };
        expected.set_value(None);
        match markers.newest(&report.id) {
            Some(position) => {
                let name = [&report.city, ", ", &report.country].concat();
                engine.with_value(|engine| {
                    if let Some(engine) = engine
                        && signals.is_drawn.get_untracked()
                    {
                        engine.show_arrival(&name, report.kind, position);
                    }
                });
            }
            None if misses + 1 < MISSES => {
                expected.set_value(Some(Expected { report, misses: misses + 1 }));
                markers.request();
            }
            None => {}
        }
    });
}
