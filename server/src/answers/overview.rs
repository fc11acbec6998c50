use model::Metrics;
use store::{PublicReport, ReportsQuery};

use super::{Answer, ReportPage};

/// Counters and newest reports of one state.
#[derive(Debug)]
pub(super) struct Overview {
    pub metrics: Answer<Metrics>,
    pub reports: Answer<ReportPage>,
}

impl Overview {
    /// `reports` are those of `query`, and one more if there is one.
    pub(super) fn of(metrics: Metrics, reports: Vec<PublicReport>, query: &ReportsQuery) -> Self {
        Self { metrics: Answer::of_metrics(metrics), reports: Answer::of_page(reports, query) }
    }
}
