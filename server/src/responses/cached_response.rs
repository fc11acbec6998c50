use edge::representation::Representation;
use model::{Metrics, Series, SeriesPoint};
use serde::Serialize;

/// A value and its serialized bytes. Callers that need the value never parse the bytes.
#[derive(Debug)]
pub struct CachedResponse<T> {
    pub value: T,
    pub sent: Representation,
}

impl CachedResponse<Metrics> {
    pub fn of_metrics(value: Metrics) -> Self {
        let updated_at = day(&value.updated_at);
        let of_the_day = Metrics { updated_at, ..value.clone() };
        Self::tagged_as(value, &of_the_day)
    }
}

impl CachedResponse<Series> {
    pub fn of_series(value: Series) -> Self {
        let updated_at = day(&value.updated_at);
        let of_the_day = Series { updated_at, ..value.clone() };
        Self::tagged_as(value, &of_the_day)
    }

    /// Memory that the answer takes in a cache, with additional `bytes`.
    pub(super) fn weight(&self, bytes: usize) -> u32 {
        // The two dates have ten characters each.
        let points = self.value.points.len() * (size_of::<SeriesPoint>() + 20);
        self.sent.weight(size_of::<Series>() + points + bytes)
    }
}

impl<T: Serialize> CachedResponse<T> {
    /// Makes an answer whose entity tag has only the day of the time: a change elsewhere only moves the time, and a
    /// client that revalidates already has the counters.
    fn tagged_as(value: T, of_the_day: &T) -> Self {
        let sent = Representation::json(&value).tagged_as(&Representation::json(of_the_day));
        Self { value, sent }
    }
}

fn day(updated_at: &str) -> String {
    updated_at.get(..10).unwrap_or_default().to_owned()
}
