//! Pages of the log of events: what one subscription is sent, others probably are too.

use std::sync::Arc;

use crate::{
    cache::{Cache, Limits},
    store::{QueuedEvent, Result, Store},
};

/// Events on a page.
const PAGE: i64 = 128;
/// Maximum size of the pages that are kept, in bytes.
const KEPT: u64 = 16 << 20;
/// What an event costs besides its body, roughly.
const OVERHEAD: usize = 200;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Pages {
    store: Store,
    /// By the era and their number.
    kept: Cache<(u64, i64), Page>,
}

/// Consecutive events.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub events: Vec<Arc<QueuedEvent>>,
    /// The number of the last event, if that is there.
    pub last: i64,
}

impl Page {
    fn weight(&self) -> u32 {
        let bytes = self.events.iter().map(|event| event.body.len() + OVERHEAD);
        u32::try_from(bytes.sum::<usize>()).unwrap_or(u32::MAX)
    }
}

impl Pages {
    pub(super) fn new(store: Store) -> Self {
        let limits = Limits { weight: KEPT, ..Limits::default() };
        Self { store, kept: Cache::new(limits, |_, page: &Page| page.weight()) }
    }

    /// The page with event number `seq`, of a log whose newest event is number `newest`.
    pub(super) async fn with(&self, seq: i64, newest: i64) -> Result<Arc<Page>> {
        let number = (seq - 1).div_euclid(PAGE);
        let (before, last) = (number * PAGE, newest.min((number + 1) * PAGE));
        let key = (self.store.era(), number);
        let known = self.kept.get(&key).await;
        if let Some(known) = &known
            && known.last >= last
        {
            return Ok(Arc::clone(known));
        }
        // The newest page grows.
        let known = known.unwrap_or_default();
        let mut events = known.events.clone();
        let after = known.last.max(before);
        events.extend(self.store.events_after(after, last).await?.into_iter().map(Arc::new));
        let page = Arc::new(Page { events, last });
        self.kept.insert(key, Arc::clone(&page)).await;
        Ok(page)
    }
}
