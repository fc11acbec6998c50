//! Test events that look like real ones.

use base::random::Random;
use chrono::{DateTime, Utc};
use model::{Metrics, Report};
use serde::Serialize;

use super::{
    About, Event, EventName, ImportedData, ImportedHistory, ReportData, StoppedEndpoint, TEST,
};
use crate::report::Status;

/// Contents of a test event that looks like a real one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// `event` is one about published reports.
    Report {
        event: EventName,
        report: Report,
        region: String,
    },
    Metrics(Metrics),
    Imported(ImportedHistory),
    /// `event` is one about an endpoint.
    Stopped {
        event: EventName,
        endpoint: StoppedEndpoint<'static>,
    },
}

impl Sample {
    /// Name of the event that the sample looks like.
    pub const fn event(&self) -> EventName {
        match self {
            Self::Report { event, .. } | Self::Stopped { event, .. } => *event,
            Self::Metrics(_) => EventName::MetricsUpdated,
            Self::Imported(_) => EventName::ReportsImported,
        }
    }
}

/// Data of a test event with the mark of a test.
#[derive(Serialize)]
struct Marked<D> {
    #[serde(flatten)]
    data: D,
    test: bool,
}

impl Event {
    /// Test event that has the name and the data of a real one, marked by `"test": true`. It is stored as [`TEST`], so that
    /// neither other subscriptions nor the log have it.
    pub fn sample(sample: &Sample, now: DateTime<Utc>, random: &Random) -> Self {
        let event = sample.event();
        match sample {
            Sample::Report { report, region, .. } => {
                let status = match event {
                    EventName::ReportWithdrawn => Status::Withdrawn,
                    _ => Status::Approved,
                };
                let made_up = Self::made_up(event, ReportData { report, status }, now, random);
                Self { about: Some(About::report(report, region)), ..made_up }
            }
            Sample::Metrics(metrics) => Self::made_up(event, metrics, now, random),
            Sample::Imported(history) => {
                Self::made_up(event, ImportedData::from(history), now, random)
            }
            Sample::Stopped { endpoint, .. } => Self::made_up(event, endpoint, now, random),
        }
    }

    fn made_up(
        event: EventName,
        data: impl Serialize,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Self {
        let event = Self::new(event.as_str(), Marked { data, test: true }, now, random);
        Self { name: TEST, ..event }
    }
}
