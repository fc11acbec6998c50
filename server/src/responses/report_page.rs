use app::contract::options::Dates;
use chrono::{DateTime, NaiveDate, Utc};
use edge::representation::Representation;
use model::{Report, ReportList};
use store::{PublicReport, Rank, ReportsQuery};

use super::{cached_response::CachedResponse, report_form::ReportForm};

/// A page of the list of reports, and the positions for its links.
#[derive(Debug, PartialEq, Eq)]
pub struct ReportPage {
    pub list: ReportList,
    /// Event dates of the reports.
    pub event_dates: Vec<NaiveDate>,
    /// Publication times of the reports.
    pub published_at: Vec<DateTime<Utc>>,
    /// Regions of the reports, as reported; empty where none was.
    regions: Vec<Box<str>>,
    /// Publication time of the first report: the others were published no later.
    pub newest: Option<DateTime<Utc>>,
    /// Last report of the page, if more follow.
    pub next: Option<Rank>,
}

impl ReportPage {
    /// Makes a page of at most `limit` reports from a list with one more, if there is one.
    fn of(mut reports: Vec<PublicReport>, limit: u32) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = reports.len() > limit;
        reports.truncate(limit);
        let next = reports.last().filter(|_| has_more).map(|last| Rank {
            published_at: last.published_at.timestamp_millis(),
            id: last.report.id.clone(),
        });
        let newest = reports.first().map(|first| first.published_at);
        let event_dates = reports.iter().map(|listed| listed.event_date).collect();
        let published_at = reports.iter().map(|listed| listed.published_at).collect();
        let part = |listed: PublicReport| (listed.report, listed.region.into_boxed_str());
        let (reports, regions) = reports.into_iter().map(part).unzip();
        Self { list: ReportList { reports }, event_dates, published_at, regions, newest, next }
    }

    /// Returns the reports for a view, with event dates if the view has them.
    pub fn reports(&self, dates: Dates) -> Vec<Report> {
        let mut reports = self.list.reports.clone();
        if dates == Dates::Event {
            for (report, date) in reports.iter_mut().zip(&self.event_dates) {
                report.event_date = Some(date.to_string());
            }
        }
        reports
    }

    /// Returns the list in a form. Not cached: it takes some microseconds per report.
    pub fn in_form(&self, form: &ReportForm) -> ReportList {
        let mut list = self.list.clone();
        let places = self.regions.iter().zip(&self.event_dates);
        for (report, (region, date)) in list.reports.iter_mut().zip(places) {
            form.apply(report, region, *date);
        }
        list
    }

    /// Size in memory.
    fn bytes(&self) -> usize {
        let of_report = |Report { id, city, country, created_at, .. }: &Report| {
            size_of::<Report>()
                + size_of::<NaiveDate>()
                + size_of::<DateTime<Utc>>()
                + size_of::<Box<str>>()
                + id.len()
                + city.len()
                + country.len()
                + created_at.len()
        };
        let reports: usize = self.list.reports.iter().map(of_report).sum();
        let regions: usize = self.regions.iter().map(|region| region.len()).sum();
        size_of::<Self>() + reports + regions + self.next.as_ref().map_or(0, |next| next.id.len())
    }
}

/// Size of a report in memory.
pub(super) fn bytes_of(PublicReport { report, region, .. }: &PublicReport) -> usize {
    let Report { id, city, country, created_at, .. } = report;
    let texts = [id, city, country, created_at, region];
    size_of::<PublicReport>() + texts.iter().map(|text| text.len()).sum::<usize>()
}

/// Returns the query with a limit one higher, to detect a next page.
pub(super) fn and_one(query: &ReportsQuery) -> ReportsQuery {
    ReportsQuery { limit: query.limit.saturating_add(1), ..query.clone() }
}

impl CachedResponse<ReportPage> {
    /// Makes the page for `query` from the result of [`and_one`].
    pub fn of_page(reports: Vec<PublicReport>, query: &ReportsQuery) -> Self {
        let value = ReportPage::of(reports, query.limit);
        let sent = Representation::json(&value.list);
        Self { value, sent }
    }

    /// Weight in a cache that is limited by bytes, with `besides` for other contents of the entry.
    pub(super) fn weight(&self, besides: usize) -> u32 {
        self.sent.weight(self.value.bytes() + besides)
    }
}

#[cfg(test)]
mod tests {
    use base::time::instant_of_millis;
    use model::ReportType;

    use super::*;

    /// Returns reports that were each published one millisecond after the next one; the first at 1,000.
    fn listed(count: i64) -> Vec<PublicReport> {
        let report = |number: i64| PublicReport {
            report: Report {
                id: format!("r{number}"),
                city: "Oslo".to_owned(),
                country: "Norway".to_owned(),
                people_count: 1,
                kind: ReportType::Spirit,
                created_at: "2026-03-01T12:00:00.000Z".to_owned(),
                event_date: None,
                included: None,
            },
            region: "Oslo".to_owned(),
            event_date: NaiveDate::from_ymd_opt(2026, 2, 28).unwrap(),
            published_at: instant_of_millis(1_000 - number),
        };
        (0..count).map(report).collect()
    }

    #[test]
    fn a_page_goes_on_after_its_last_report_if_there_is_one_more() {
        let page = ReportPage::of(listed(3), 2);
        let ids: Vec<&str> = page.list.reports.iter().map(|report| &*report.id).collect();
        assert_eq!(ids, ["r0", "r1"]);
        assert_eq!(page.newest, Some(instant_of_millis(1_000)));
        assert_eq!(page.next, Some(Rank { published_at: 999, id: "r1".to_owned() }));
        let page = ReportPage::of(listed(2), 2);
        assert_eq!((page.list.reports.len(), page.next), (2, None));
        let page = ReportPage::of(Vec::new(), 2);
        assert_eq!((page.list.reports.len(), page.newest, page.next), (0, None, None));
    }

    #[test]
    fn reports_have_the_days_of_their_events_where_those_are_wanted() {
        let page = ReportPage::of(listed(2), 2);
        let dates = |dates| -> Vec<Option<String>> {
            page.reports(dates).into_iter().map(|report| report.event_date).collect()
        };
        assert_eq!(dates(Dates::Reported), [None, None]);
        assert_eq!(
            dates(Dates::Event),
            [const { "2026-02-28" }; 2].map(|day| Some(day.to_owned()))
        );
    }

    #[test]
    fn a_cached_page_weighs_its_reports_as_well_as_its_bytes() {
        let value = ReportPage::of(listed(100), 100);
        let sent = Representation::json(&value.list);
        let bytes = sent.weight(7);
        // The texts of a report take 2 + 4 + 4 + 6 + 24 bytes; most have an id of one byte more.
        let values = size_of::<Report>()
            + size_of::<NaiveDate>()
            + size_of::<DateTime<Utc>>()
            + size_of::<Box<str>>();
        let reports = u32::try_from(100 * (values + 40)).unwrap();
        let weight = CachedResponse { value, sent }.weight(7);
        assert!((bytes + reports..bytes + reports + 500).contains(&weight), "{weight}");
    }
}
