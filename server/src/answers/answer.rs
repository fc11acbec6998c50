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
        let sent = Representation::json(&value);
        Self { value, sent }
    }
}
