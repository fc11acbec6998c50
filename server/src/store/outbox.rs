//! The outbox: what a publication tells, written in its own transaction. A crash before the commit
//! leaves nothing of either, after it everything of both.

use std::collections::HashSet;

use app::model::{Report, ReportType};
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{Row, SqliteConnection};

use super::{
    bulk,
    error::Result,
    grain::Span,
    metrics::{Counters, counts},
    place::WORLD,
    presence,
    rollup::{Counted, type_index},
};
use crate::{
    random::Random,
    time::{format_instant, instant_of_millis},
    webhooks::event::{Event, EventName},
};

/// The counters before a publication, and who wants to hear of it.
#[derive(Debug)]
pub(super) struct Outbox {
    report_created: bool,
    /// Known only where somebody wants to hear.
    counters: Option<Running>,
}

/// A report that is being published, as it is told.
#[derive(Clone, Debug)]
pub(super) struct Published<'a> {
    pub id: &'a str,
    pub city: &'a str,
    pub country: &'a str,
    pub people_count: u32,
    /// In milliseconds since 1970.
    pub created_at: i64,
    pub counted: Counted,
}

impl Outbox {
    /// Reads what has to be known before `reports` are counted in.
    pub(super) async fn open(
        tx: &mut SqliteConnection,
        reports: &[Counted],
        today: NaiveDate,
    ) -> Result<Self> {
        let row = sqlx::query(
            "SELECT coalesce(max(report_created), 0), coalesce(max(metrics_updated), 0)
             FROM subscriptions WHERE status <> 'DELETED'",
        )
        .fetch_one(&mut *tx)
        .await?;
        let wanted = |column| Ok::<_, sqlx::Error>(row.try_get::<i64, _>(column)? == 1);
        let counters =
            if wanted(1)? { Some(Running::before(tx, reports, today).await?) } else { None };
        Ok(Self { report_created: wanted(0)?, counters })
    }

    /// Writes the events of `reports`, in their order, and a delivery of each for every subscription
    /// that lists it. Nothing is written where nobody listens.
    pub(super) async fn write(
        mut self,
        tx: &mut SqliteConnection,
        reports: &[Published<'_>],
        now: DateTime<Utc>,
        random: &Random,
    ) -> Result<()> {
        let mut events = Vec::new();
        for report in reports {
            if self.report_created {
                events.push(Event::report_created(&report.public(), now, random));
            }
            if let Some(counters) = &mut self.counters {
                counters.add(&report.counted);
                events.push(Event::metrics_updated(&counters.counters.shown(now), now, random));
            }
        }
        if events.is_empty() {
            return Ok(());
        }
        let last: i64 = sqlx::query_scalar("SELECT coalesce(max(seq), 0) FROM events")
            .fetch_one(&mut *tx)
            .await?;
        insert(tx, &events, now).await?;
        sqlx::query(
            "INSERT INTO deliveries (subscription_seq, event_seq, status, due_at)
             SELECT s.seq, e.seq, 'PENDING', $1
             FROM subscriptions s CROSS JOIN events e
             WHERE e.seq > $2 AND s.status <> 'DELETED'
               AND ((e.name = $3 AND s.report_created = 1)
                 OR (e.name = $4 AND s.metrics_updated = 1))",
        )
        .bind(now.timestamp_millis())
        .bind(last)
        .bind(EventName::ReportCreated.as_str())
        .bind(EventName::MetricsUpdated.as_str())
        .execute(tx)
        .await?;
        Ok(())
    }
}

/// Stores events.
pub(super) async fn insert(
    tx: &mut SqliteConnection,
    events: &[Event],
    now: DateTime<Utc>,
) -> Result<()> {
    bulk::insert(
        tx,
        "INSERT INTO events (id, name, body, created_at)",
        4,
        "",
        events,
        |query, event| {
            query
                .bind(event.id.clone())
                .bind(event.name)
                .bind(event.body.clone())
                .bind(now.timestamp_millis())
        },
    )
    .await
}

impl Published<'_> {
    fn public(&self) -> Report {
        Report {
            id: self.id.to_owned(),
            city: self.city.to_owned(),
            country: self.country.to_owned(),
            people_count: self.people_count,
            kind: self.counted.kind,
            created_at: format_instant(instant_of_millis(self.created_at)),
        }
    }
}

/// The unfiltered counters, which go along with a publication report by report: each event tells
/// them as they are after that very report.
#[derive(Debug)]
struct Running {
    counters: Counters,
    today: NaiveDate,
    /// Those places of the publication that count already.
    present: HashSet<i64>,
}

impl Running {
    async fn before(
        tx: &mut SqliteConnection,
        reports: &[Counted],
        today: NaiveDate,
    ) -> Result<Self> {
        let by_type = counts(tx, &[WORLD], &Span::all_time()).await?;
        let of_today = counts(tx, &[WORLD], &Span::day(today)).await?;
        let cities = presence::union(tx, &Span::all_time()).await?.cities.len();
        let countries: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM places p
             JOIN rollups r ON r.place_id = p.id AND r.grain = 0 AND r.bucket = 0
             WHERE p.level = 1",
        )
        .fetch_one(&mut *tx)
        .await?;
        let places: HashSet<i64> = reports
            .iter()
            .flat_map(|report| [report.lineage.country, report.lineage.city])
            .collect();
        let places: Vec<i64> = places.into_iter().collect();
        // A rollup that counts nothing is removed: a place counts where it has one.
        let rows = bulk::select_matching(
            tx,
            "SELECT place_id FROM rollups WHERE grain = 0 AND bucket = 0 AND place_id",
            1,
            &places,
            |query, place| query.bind(*place),
        )
        .await?;
        let present = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
        let unsigned = |counts: super::rollup::Counts| counts.map(i64::cast_unsigned);
        let counters = Counters {
            by_type: unsigned(by_type),
            today: unsigned(of_today),
            countries: countries.cast_unsigned(),
            cities,
        };
        Ok(Self { counters, today, present })
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
