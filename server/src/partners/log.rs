use desk::portal::log::{Log, LoggedEvent};
use domain::{event::EventName, event_filter::EventFilter};
use model::ReportType;
use serde::Deserialize;
use store::QueuedEvent;

use super::visit::PartnersVisit;
use crate::problem::Result;

/// Number of events shown.
const SHOWN: usize = 30;

/// Parts of an event's body that the page shows.
#[derive(Default, Deserialize)]
struct Told {
    timestamp: String,
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    city: Option<String>,
    country: Option<String>,
    r#type: Option<String>,
}

impl PartnersVisit {
    /// The newest of these events, and whether each passes a filter.
    pub(super) async fn log(
        &self,
        events: &[EventName],
        filter: Option<&EventFilter>,
    ) -> Result<Log> {
        let latest = self.visit.app.store.event_log().latest(events, SHOWN).await?;
        let shown = |event: QueuedEvent| {
            let passes = event.about.is_wanted(&event.name, events, filter);
            shown(event, passes)
        };
        Ok(Log { events: latest.into_iter().map(shown).collect() })
    }
}

fn shown(event: QueuedEvent, passes: bool) -> LoggedEvent {
    let told: Told = serde_json::from_slice(&event.body).unwrap_or_default();
    let Data { city, country, r#type } = told.data;
    let kind = r#type.as_deref().and_then(ReportType::from_name);
    let report = event.report.is_some().then(|| {
        let place: Vec<String> = city.into_iter().chain(country).collect();
        (place.join(", "), kind)
    });
    LoggedEvent {
        id: event.id,
        name: event.name,
        at: told.timestamp,
        report,
        passes,
        body: String::from_utf8_lossy(&event.body).into_owned(),
    }
}
