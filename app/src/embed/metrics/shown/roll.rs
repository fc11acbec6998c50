//! Numbers that roll to their new value.

use crate::embed::{dom::less_motion, metrics::counts::Counts};
use js_sys::Date;
use leptos::prelude::*;
use std::{cell::Cell, rc::Rc};

/// How long a roll takes, in milliseconds.
const DURATION: f64 = 400.0;

/// Moves a signal to a target, over time rather than over frames, so that a tab that was held up
/// is never late. A new target in the middle of a roll starts from what is shown.
#[derive(Clone)]
pub(super) struct Roll {
    shown: RwSignal<Counts>,
    way: Rc<Cell<Way>>,
}

#[derive(Clone, Copy)]
struct Way {
    from: Counts,
    to: Counts,
    start: f64,
    rolling: bool,
}

impl Roll {
    pub(super) fn new(shown: RwSignal<Counts>) -> Self {
        let now = shown.get_untracked();
        let way = Way { from: now, to: now, start: 0.0, rolling: false };
        Self { shown, way: Rc::new(Cell::new(way)) }
    }

    /// Rolls to `to`; jumps where the visitor prefers less motion.
    pub(super) fn to(&self, to: Counts) {
        let way = self.way.get();
        if to == way.to {
            return;
        }
        let still = less_motion();
        let from = if still { to } else { self.shown.get_untracked() };
        self.way.set(Way { from, to, start: Date::now(), rolling: true });
        if still {
            self.shown.set(to);
        }
        if !way.rolling {
            self.step();
        }
    }

    fn step(&self) {
        let mut way = self.way.get();
        let time = ((Date::now() - way.start) / DURATION).clamp(0.0, 1.0);
        let left = (1.0 - time) * (1.0 - time) * (1.0 - time);
        self.shown.set(between(&way.from, &way.to, left));
        way.rolling = time < 1.0;
        self.way.set(way);
        if way.rolling {
            let next = self.clone();
            request_animation_frame(move || next.step());
        }
    }
}

/// The counts on the way: `left` is the part of the way that is still to go, from 1 to 0.
fn between(from: &Counts, to: &Counts, left: f64) -> Counts {
    let mut now = *to;
    for (now, from) in now.0.iter_mut().zip(from.0) {
        let to = *now as f64;
        *now = (to + (from as f64 - to) * left + 0.5) as u64;
    }
    now
}
