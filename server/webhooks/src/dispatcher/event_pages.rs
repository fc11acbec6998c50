//! Cached pages of the event log: events for one subscription are probably needed for others, too.

use std::sync::Arc;

use base::cache::{Cache, Limits};
use store::{QueuedEvent, Result, Store};

/// Number of events on a page.
const PAGE: i64 = 128;
/// Maximum size of the cached pages, in bytes.
const KEPT: u64 = 16 << 20;
/// Approximate size of an event without its body, in bytes.
const OVERHEAD: usize = 200;

/// Cache of pages, see the [module](self).
#[derive(Debug)]
pub(super) struct EventPages {
    store: Store,
    /// Pages by number.
    kept: Cache<i64, EventPage>,
}

/// Consecutive events.
#[derive(Debug, Default)]
pub(super) struct EventPage {
    pub events: Vec<Arc<QueuedEvent>>,
    /// Number up to which there are no other events.
    pub last: i64,
}

impl EventPage {
    fn weight(&self) -> u32 {
        let bytes = self.events.iter().map(|event| event.body.len() + OVERHEAD);
        u32::try_from(bytes.sum::<usize>()).unwrap_or(u32::MAX)
    }
}

impl EventPages {
    pub(super) fn new(store: Store) -> Self {
        let limits = Limits { weight: KEPT, ..Limits::default() };
        Self { store, kept: Cache::new(limits, |_, page: &EventPage| page.weight()) }
    }

    /// Drops all pages, because the log's history has changed.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.store.clone());
    }

    /// Page with event number `seq`, of a log whose newest event is number `newest`.
    pub(super) async fn with(&self, seq: i64, newest: i64) -> Result<Arc<EventPage>> {
        let number = (seq - 1).div_euclid(PAGE);
        let (before, last) = (number * PAGE, newest.min((number + 1) * PAGE));
        let known = self.kept.get(&number).await;
        if let Some(known) = &known
            && known.last >= last
        {
            return Ok(Arc::clone(known));
        }
        // The newest page grows.
        let known = known.unwrap_or_default();
        let mut events = known.events.clone();
        let after = known.last.max(before);
        events.extend(
            self.store.deliveries().events_after(after, last).await?.into_iter().map(Arc::new),
        );
        if events.is_empty() && last < newest {
            // Numbers have gaps where history was rewound. A page is cached only under its own number, not under
            // those of a gap.
            let next = self.store.deliveries().event_number_after(last).await?;
            return Ok(Arc::new(EventPage { events, last: next.map_or(newest, |next| next - 1) }));
        }
        let page = Arc::new(EventPage { events, last });
        self.kept.insert(number, Arc::clone(&page)).await;
        Ok(page)
    }
}
