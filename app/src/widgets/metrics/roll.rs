//! Numbers that roll to their new value.

use js_sys::Date;
use kit::{
    dom::prefers_less_motion,
    signals::{Var, cleanup, effect},
};
use leptos::prelude::*;
use model::Metrics;
use std::{cell::RefCell, rc::Rc};

/// Duration of a roll, in milliseconds.
const DURATION: f64 = 400.0;

/// An animation from the displayed counters to their new values.
#[derive(Clone, Default)]
struct Roll {
    from: Metrics,
    to: Metrics,
    start: f64,
    is_rolling: bool,
}

/// Follows `target`. The animation depends on time, not frames, so a suspended tab is never behind.
/// A new target during a roll starts from the displayed values. With reduced motion, the numbers
/// change at once.
pub(super) fn use_roll(target: Var<Metrics>) -> Var<Metrics> {
    let shown = Var::new(target.get_untracked());
    let roll = Rc::new(RefCell::new(Roll::default()));
    let last = roll.clone();
    effect(move |_| {
        let last = last.clone();
        cleanup(move || last.borrow_mut().is_rolling = false);
    });
    effect(move |is_first| {
        let to = target.get();
        if is_first {
            return;
        }
        if prefers_less_motion() {
            return shown.set(to);
        }
        let from = shown.get_untracked();
        let next = Roll { from, to, start: Date::now(), is_rolling: true };
        if !roll.replace(next).is_rolling {
            step(shown, roll.clone());
        }
    });
    shown
}

fn step(shown: Var<Metrics>, roll: Rc<RefCell<Roll>>) {
    let mut way = roll.borrow_mut();
    // The widget may have been removed in the meantime.
    if !way.is_rolling {
        return;
    }
    let time = ((Date::now() - way.start) / DURATION).clamp(0.0, 1.0);
    let left = (1.0 - time) * (1.0 - time) * (1.0 - time);
    way.is_rolling = time < 1.0;
    let (now, is_rolling) = (between(&way.from, &way.to, left), way.is_rolling);
    drop(way);
    shown.set(now);
    if is_rolling {
        request_animation_frame(move || step(shown, roll));
    }
}

/// Counters during a roll: `left` is the remaining part, from 1 to 0.
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
