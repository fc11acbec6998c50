use edge::representation::Representation;
use model::{Metrics, Series, SeriesPoint};
use serde::Serialize;

/// A value and the bytes that it is sent as. Callers that need the value never parse the bytes.
#[derive(Debug)]
pub struct Answer<T> {
    pub value: T,
    pub sent: Representation,
}

impl Answer<Metrics> {
    pub fn of_metrics(value: Metrics) -> Self {
        let updated_at = day(&value.updated_at);
        let of_the_day = Metrics { updated_at, ..value.clone() };
        Self::tagged_as(value, &of_the_day)
    }
}

impl Answer<Series> {
    pub fn of_series(value: Series) -> Self {
        let updated_at = day(&value.updated_at);
        let of_the_day = Series { updated_at, ..value.clone() };
        Self::tagged_as(value, &of_the_day)
    }

    /// What it takes in a cache, with so many `bytes` beside it.
    pub(super) fn weight(&self, bytes: usize) -> u32 {
        // Two dates have ten characters each.
        let points = self.value.points.len() * (size_of::<SeriesPoint>() + 20);
        self.sent.weight(size_of::<Series>() + points + bytes)
    }
}

impl<T: Serialize> Answer<T> {
    /// The tag is that of the value with the day alone: a change elsewhere only moves the time, and a client that asks
    /// again has the counters already.
    fn tagged_as(value: T, of_the_day: &T) -> Self {
        let sent = Representation::json(&value).tagged_as(&Representation::json(of_the_day));
        Self { value, sent }
    }
}

fn day(updated_at: &str) -> String {
    updated_at.get(..10).unwrap_or_default().to_owned()
}
