use desk::portal::log::{Log, LoggedEvent};
use domain::{
    event::{Event, EventName, report_of},
    event_filter::EventFilter,
};
use model::ReportType;
use serde::Deserialize;
use store::{EventAbout, QueuedEvent};

use super::visit::PartnersVisit;
use crate::{api::v1::webhooks::test_event, problem::Result};

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
        if self.is_sandbox() {
            return self.samples(events, filter);
        }
        let latest = self.visit.app.store.event_log().latest(events, SHOWN).await?;
        let shown = |event: QueuedEvent| {
            let passes = event.about.is_wanted(&event.name, events, filter);
            shown(event, passes)
        };
        Ok(Log { events: latest.into_iter().map(shown).collect(), is_made_up: false })
    }

    /// A made-up event for each of these events that the log can have.
    fn samples(&self, events: &[EventName], filter: Option<&EventFilter>) -> Result<Log> {
        let app = &self.visit.app;
        let mut samples = Vec::new();
        for name in events.iter().filter(|event| event.is_for_all()) {
            let Some(sample) = test_event::named(name.as_str(), &app.clock)? else { continue };
            let Event { body, about, .. } = Event::sample(&sample, app.clock.now(), &app.random);
            let about = about.map(|about| EventAbout {
                place: Some(about.place),
                kind: Some(about.kind.as_str().to_owned()),
                ..EventAbout::default()
            });
            let event = QueuedEvent {
                seq: 0,
                // The page is read again, and keeps open what has the same id.
                id: format!("sample-{name}"),
                name: name.to_string(),
                report: report_of(name.as_str(), &body).map(Into::into),
                about: about.unwrap_or_default(),
                body: body.into(),
            };
            let passes = event.about.is_wanted(&event.name, events, filter);
            samples.push(shown(event, passes));
        }
        Ok(Log { events: samples, is_made_up: true })
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
