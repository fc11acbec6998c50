//! Numbers that roll to their new value.

use crate::{dom::prefers_less_motion, model::Metrics};
use js_sys::Date;
use leptos::prelude::*;

/// How long a roll takes, in milliseconds.
const DURATION: f64 = 400.0;

/// The way from the counters that are shown to their new values.
#[derive(Clone, Default)]
struct Roll {
    from: Metrics,
    to: Metrics,
    start: f64,
    is_rolling: bool,
}

/// Follows `target`, over time rather than over frames, so that a tab that was held up is never
/// late. A new target in the middle of a roll starts from what is shown. Where the visitor prefers
/// less motion, the numbers jump.
pub(super) fn use_roll(target: RwSignal<Metrics>) -> RwSignal<Metrics> {
    let shown = RwSignal::new(target.get_untracked());
    let roll = StoredValue::new(Roll::default());
    Effect::new(move |begun: Option<()>| {
        let to = target.get();
        if begun.is_none() {
            return;
        }
        if prefers_less_motion() {
            return shown.set(to);
        }
        let from = shown.get_untracked();
        let was_rolling = roll.with_value(|roll| roll.is_rolling);
        roll.set_value(Roll { from, to, start: Date::now(), is_rolling: true });
        if !was_rolling {
            step(shown, roll);
        }
    });
    shown
}

fn step(shown: RwSignal<Metrics>, roll: StoredValue<Roll>) {
    // Nothing is left to roll where the widget is gone.
    let next = roll.try_update_value(|roll| {
        let time = ((Date::now() - roll.start) / DURATION).clamp(0.0, 1.0);
        let left = (1.0 - time) * (1.0 - time) * (1.0 - time);
        roll.is_rolling = time < 1.0;
        (between(&roll.from, &roll.to, left), roll.is_rolling)
    });
    let Some((next, is_rolling)) = next else { return };
    shown.set(next);
    if is_rolling {
        request_animation_frame(move || step(shown, roll));
    }
}

/// The counters on the way: `left` is the part of the way that is still to go, from 1 to 0.
fn between(from: &Metrics, to: &Metrics, left: f64) -> Metrics {
    from.zip(to, |from, to| (to as f64 + (from as f64 - to as f64) * left + 0.5) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_ends_at_the_new_values() {
        let from = Metrics { spirit: 10, cities: 7, ..Metrics::default() };
        let to = Metrics { spirit: 20, cities: 3, ..Metrics::default() };
        assert_eq!(
            between(&from, &to, 0.5),
            Metrics { spirit: 15, cities: 5, ..Metrics::default() }
        );
        assert_eq!(between(&from, &to, 0.0), to);
    }
}
