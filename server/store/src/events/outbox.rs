//! Outbox: writes the events of a change of reports in the same transaction, so a crash leaves either
//! both or neither.

use std::collections::HashSet;

use base::random::Random;
use chrono::{DateTime, NaiveDate, Utc};
use domain::{
    event::{About, Event},
    report::NewReport,
};
use model::ReportType;
use sqlx::AssertSqlSafe;

use crate::{
    counters::{
        grain::Grain,
        metrics::Counters,
        presence,
        rollup::{self, Bucket, Counted, Counts, PageKey, type_index},
    },
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::{Error, Result},
    places::place::{COUNTRY, WORLD},
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
    bulk::insert(
        tx,
        "INSERT INTO events (id, name, body, created_at, place, type, place_before, type_before)",
        "",
        events,
        |query, event| {
            let place = |about: &Option<About>| about.as_ref().map(|about| about.place.clone());
            let kind = |about: &Option<About>| about.as_ref().map(|about| about.kind.as_str());
            query
                .bind(event.id.as_str())
                .bind(event.name)
                .bind(event.body.as_slice())
                .bind(now.timestamp_millis())
                .bind(place(&event.about))
                .bind(kind(&event.about))
                .bind(place(&event.before))
                .bind(kind(&event.before))
        },
    )
    .await
}

/// Events of a publication. The unfiltered counters are updated report by report, so each event
/// contains the counters as they are after its own report.
#[derive(Debug)]
pub(crate) struct Outbox {
    counters: Counters,
    today: NaiveDate,
    /// Cities of the publication and all countries that already have reports.
    present: HashSet<i64>,
}

impl Outbox {
    /// Reads the counters before `reports` are added to them.
    pub(crate) async fn open(
        tx: &mut Connection,
        reports: &[Counted],
        today: NaiveDate,
    ) -> Result<Self> {
        let (cities, countries) = known_places(tx).await?;
        let counted = reports.iter().map(|report| report.lineage);
        let counted = counted.flat_map(|lineage| [lineage.country, lineage.city]);
        let asked: HashSet<i64> = counted.chain(countries.iter().copied()).chain([WORLD]).collect();
        let all_time = Bucket { grain: Grain::All, number: 0 };
        let this_day = Bucket { grain: Grain::Day, number: Grain::Day.bucket(today) };
        let pages = |places: Vec<i64>, bucket| {
            rollup::pages_of(places).into_iter().map(move |page| (page, bucket))
        };
        let of_all_time = pages(asked.iter().copied().collect(), all_time);
        let pages: Vec<PageKey> = of_all_time.chain(pages(vec![WORLD], this_day)).collect();
        // Pages contain only places with reports, so each place that is read has some.
        let mut present = HashSet::new();
        let [mut by_type, mut of_today] = [Counts::default(); 2];
        rollup::read_pages(tx, &pages, |bucket, place, counts| match place {
            WORLD if bucket == this_day => of_today = counts,
            WORLD => by_type = counts,
            _ if bucket == all_time && asked.contains(&place) => _ = present.insert(place),
            _ => {}
        })
        .await?;
        let countries = countries.iter().filter(|country| present.contains(country)).count();
        let unsigned = |counts: Counts| counts.map(i64::cast_unsigned);
        let counters = Counters {
            by_type: unsigned(by_type),
            today: unsigned(of_today),
            countries: countries as u64,
            cities,
        };
        Ok(Self { counters, today, present })
    }

    /// Writes the events of `reports` in the given order. The counters have `changed_at` as the
    /// time of their last change.
    pub(crate) async fn write(
        mut self,
        tx: &mut Connection,
        reports: &[Publication<'_>],
        now: DateTime<Utc>,
        changed_at: DateTime<Utc>,
        random: &Random,
    ) -> Result<()> {
        let mut events = Vec::with_capacity(2 * reports.len());
        for Publication { report, counted } in reports {
            events.push(Event::report_created(&report.public(), &report.region, now, random));
            self.add(counted);
            events.push(Event::metrics_updated(&self.counters.shown(changed_at), now, random));
        }
        insert(tx, &events, now).await
    }

    fn add(&mut self, report: &Counted) {
        let kind: ReportType = report.kind;
        self.counters.by_type[type_index(kind)] += 1;
        if report.event_date == self.today {
            self.counters.today[type_index(kind)] += 1;
        }
        self.counters.countries += u64::from(self.present.insert(report.lineage.country));
        self.counters.cities += u64::from(self.present.insert(report.lineage.city));
    }
}

/// Returns the number of cities with reports, and the ids of all countries. In one statement, as nobody else can publish
/// while it runs.
async fn known_places(tx: &mut Connection) -> Result<(u64, Vec<i64>)> {
    // The literal numbers let the database use its indexes.
    let select = format!(
        "SELECT (SELECT cities FROM presence WHERE grain = 0 AND bucket = 0),
                (SELECT {} FROM places WHERE level = {COUNTRY})",
        tx.engine().rows_as_json("id")
    );
    let (cities, countries): (Option<Vec<u8>>, String) =
        sql::query_as(AssertSqlSafe(select)).fetch_one(tx).await?;
    let cities = cities.as_deref().map(presence::decode).transpose()?.unwrap_or_default();
    let countries: Vec<(i64,)> = serde_json::from_str(&countries)
        .map_err(|error| Error::Damaged(format!("ids of countries ({error})")))?;
    Ok((cities.len(), countries.into_iter().map(|(id,)| id).collect()))
}
