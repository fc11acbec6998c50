//! Outbox: writes the events of a change of reports in the same transaction, so a crash leaves either
//! both or neither.

use base::random::Random;
use chrono::{DateTime, NaiveDate, Utc};
use domain::{
    event::{About, Event},
    report::NewReport,
};

use crate::{
    counters::{
        metrics::Counters,
        presence::{self, AllTime},
        rollup::{Before, Counted, Counts, type_index},
    },
    engine::{
        sql::{self, Connection},
        writes::Writes,
    },
    error::Result,
};

/// Report that is being published, with its place, type and date in the counters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Publication<'r> {
    pub report: &'r NewReport,
    pub counted: Counted,
}

/// Writes the events of withdrawn reports.
pub(crate) async fn write_withdrawn(
    tx: &mut Connection,
    reports: impl Iterator<Item = &NewReport>,
    now: DateTime<Utc>,
    random: &Random,
) -> Result<()> {
    let event =
        |report: &NewReport| Event::report_withdrawn(&report.public(), &report.region, now, random);
    insert(tx, &reports.map(event).collect::<Vec<_>>(), now).await
}

/// Writes the events of reports that have become pending, if any subscription lists them. Otherwise an import of a
/// million reports would write a million rows that nobody reads.
pub(crate) async fn write_pending(
    tx: &mut Connection,
    reports: impl Iterator<Item = &NewReport>,
    now: DateTime<Utc>,
    random: &Random,
) -> Result<()> {
    let listed: bool = sql::query_scalar(IS_PENDING_LISTED).fetch_one(&mut *tx).await?;
    if !listed {
        return Ok(());
    }
    let event = |report: &NewReport| {
        Event::report_pending(&report.public(), &report.region, report.event_date, now, random)
    };
    insert(tx, &reports.map(event).collect::<Vec<_>>(), now).await
}

/// Selects whether a subscription lists `report.pending`. A disabled one counts: it gets the events that it missed when
/// it is enabled.
const IS_PENDING_LISTED: &str =
    "SELECT EXISTS (SELECT 1 FROM subscriptions WHERE report_pending AND status <> 'DELETED')";

/// Writes the events of corrected reports, each given as it was and as it is.
pub(crate) async fn write_updated(
    tx: &mut Connection,
    reports: &[(&NewReport, &NewReport)],
    now: DateTime<Utc>,
    random: &Random,
) -> Result<()> {
    let event = |(before, after): &(&NewReport, &NewReport)| {
        let was = About::report(&before.public(), &before.region);
        Event::report_updated(&after.public(), &after.region, was, now, random)
    };
    insert(tx, &reports.iter().map(event).collect::<Vec<_>>(), now).await
}

/// Stores events.
pub(crate) async fn insert(
    tx: &mut Connection,
    events: &[Event],
    now: DateTime<Utc>,
) -> Result<()> {
    let mut writes = Writes::default();
    insert_with(tx, &mut writes, events, now).await?;
    writes.send(tx).await
}

/// Stores events, when `writes` are sent.
async fn insert_with(
    tx: &mut Connection,
    writes: &mut Writes,
    events: &[Event],
    now: DateTime<Utc>,
) -> Result<()> {
    let head =
        "INSERT INTO events (id, name, body, created_at, place, type, place_before, type_before)";
    let place = |about: &Option<About>| about.as_ref().map(|about| about.place.clone());
    let kind = |about: &Option<About>| about.as_ref().map(|about| about.kind.as_str());
    writes
        .insert(tx, head, "", events, |query, event| {
            query
                .bind(event.id.as_str())
                .bind(event.name)
                .bind(event.body.as_slice())
                .bind(now.timestamp_millis())
                .bind(place(&event.about))
                .bind(kind(&event.about))
                .bind(place(&event.before))
                .bind(kind(&event.before))
        })
        .await
}

/// Events of a publication. The unfiltered counters are updated report by report, so each event
/// contains the counters as they are after its own report.
#[derive(Debug)]
pub(crate) struct Outbox {
    counters: Counters,
    today: NaiveDate,
    /// Places that had reports before.
    places: AllTime,
}

impl Outbox {
    pub(crate) fn new(
        Before { by_type, today: of_today, places }: Before,
        today: NaiveDate,
    ) -> Self {
        let unsigned = |counts: Counts| counts.map(i64::cast_unsigned);
        let counters = Counters {
            by_type: unsigned(by_type),
            today: unsigned(of_today),
            countries: places.countries.len(),
            cities: places.cities.len(),
        };
        Self { counters, today, places }
    }

    /// Writes the events of `reports` in the given order, when `writes` are sent. The counters have
    /// `changed_at` as the time of their last change.
    pub(crate) async fn write(
        mut self,
        tx: &mut Connection,
        writes: &mut Writes,
        reports: &[Publication<'_>],
        now: DateTime<Utc>,
        changed_at: DateTime<Utc>,
        random: &Random,
    ) -> Result<()> {
        let mut events = Vec::with_capacity(2 * reports.len());
        for Publication { report, counted } in reports {
            events.push(Event::report_created(&report.public(), &report.region, now, random));
            self.add(counted)?;
            events.push(Event::metrics_updated(&self.counters.shown(changed_at), now, random));
        }
        insert_with(tx, writes, &events, now).await
    }

    fn add(&mut self, Counted { lineage, kind, event_date, .. }: &Counted) -> Result<()> {
        self.counters.by_type[type_index(*kind)] += 1;
        if *event_date == self.today {
            self.counters.today[type_index(*kind)] += 1;
        }
        let AllTime { cities, countries } = &mut self.places;
        self.counters.countries += u64::from(countries.insert(presence::bit(lineage.country)?));
        self.counters.cities += u64::from(cities.insert(presence::bit(lineage.city)?));
        Ok(())
    }
}
