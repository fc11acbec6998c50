use app::model::Metrics;

use crate::http::representation::Representation;

/// A value and the bytes that it is sent as. Callers that need the value never parse the bytes.
#[derive(Debug)]
pub struct Answer<T> {
    pub value: T,
    pub sent: Representation,
}

impl Answer<Metrics> {
    pub fn of_metrics(value: Metrics) -> Self {
        // Nodes compute the same counters at different moments: whoever asks another one has them already.
        let day = value.updated_at.get(..10).unwrap_or_default().to_owned();
        let of_the_day = Metrics { updated_at: day, ..value.clone() };
        let sent = Representation::json(&value).tagged_as(&Representation::json(&of_the_day));
        Self { value, sent }
    }
}
