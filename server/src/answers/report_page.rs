use app::model::{Report, ReportList};
use chrono::{DateTime, Utc};

use super::answer::Answer;
use crate::{
    http::representation::Representation,
    store::{self, PublicReport, Rank, ReportsQuery, Store},
};

/// A part of the list of reports, and where its links lead.
#[derive(Debug, PartialEq, Eq)]
pub struct ReportPage {
    pub list: ReportList,
    /// When the first report of the page was published: none in the page was published later.
    pub newest: Option<DateTime<Utc>>,
    /// The last report of the page, if others come after it.
    pub next: Option<Rank>,
}

impl ReportPage {
    /// The page of a list that was read with one report more than `limit`, if there are so many.
    fn of(mut reports: Vec<PublicReport>, limit: u32) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = reports.len() > limit;
        reports.truncate(limit);
        let next = reports.last().filter(|_| has_more).map(|last| Rank {
            published_at: last.published_at.timestamp_millis(),
            id: last.report.id.clone(),
        });
        let newest = reports.first().map(|first| first.published_at);
        let reports = reports.into_iter().map(|listed| listed.report).collect();
        Self { list: ReportList { reports }, newest, next }
    }

    /// What it takes in memory.
    fn bytes(&self) -> usize {
        let of_report = |Report { id, city, country, created_at, .. }: &Report| {
            size_of::<Report>() + id.len() + city.len() + country.len() + created_at.len()
        };
        let reports: usize = self.list.reports.iter().map(of_report).sum();
        size_of::<Self>() + reports + self.next.as_ref().map_or(0, |next| next.id.len())
    }
}

impl Answer<ReportPage> {
    /// Reads the page that `query` selects.
    pub async fn read(store: &Store, query: &ReportsQuery) -> store::Result<Self> {
        let and_one = ReportsQuery { limit: query.limit.saturating_add(1), ..query.clone() };
        let value = ReportPage::of(store.reports(&and_one).await?, query.limit);
        let sent = Representation::json(&value.list);
        Ok(Self { value, sent })
    }

    /// What it weighs in a cache that is bounded by bytes, with `besides` for what is kept with it.
    pub(super) fn weight(&self, besides: usize) -> u32 {
        self.sent.weight(self.value.bytes() + besides)
    }
}
