use app::model::Metrics;
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::{grain::Span, presence, rollup::Counts};
use crate::{
    store::{Store, error::Result, filter::Filter, places::index::SharedPlaceIndex},
    time::format_instant,
};

/// Scopes in one statement; see [bulk](crate::store::engine::bulk) on the limit.
const SCOPES_AT_ONCE: usize = 256;

/// The counters of a filter. Types are in the order of [`app::model::ReportType::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub by_type: [u64; 3],
    /// Of the current date, under the same place and not narrowed by the period.
    pub today: [u64; 3],
    pub countries: u64,
    pub cities: u64,
}

impl Counters {
    /// The counters as the API shows them; `now` is when they were computed.
    pub fn shown(&self, now: DateTime<Utc>) -> Metrics {
        let [spirit, water, both] = self.by_type;
        let [spirit_today, water_today, both_today] = self.today;
        Metrics {
            spirit,
            water,
            both,
            total: spirit + water + both,
            spirit_today,
            water_today,
            both_today,
            total_today: spirit_today + water_today + both_today,
            countries: self.countries,
            cities: self.cities,
            updated_at: format_instant(now),
        }
    }
}

impl Store {
    /// Counts what `filter` selects, and what of it took place `today`. Costs some tens of rows,
    /// however many reports there are.
    pub async fn metrics(&self, filter: &Filter, today: NaiveDate) -> Result<Counters> {
        let places = &self.places;
        self.read(move |tx| Box::pin(count(tx, places, filter, today))).await
    }
}

async fn count(
    tx: &mut SqliteConnection,
    places: &SharedPlaceIndex,
    filter: &Filter,
    today: NaiveDate,
) -> Result<Counters> {
    let spans = filter.period.spans();
    let scopes = places.with(tx, |index| index.scopes(&filter.place)).await?;
    if scopes.is_empty() {
        return Ok(Counters::default());
    }
    let by_type = counts(tx, &scopes, &spans).await?;
    let today = counts(tx, &scopes, &Span::day(today)).await?;
    let mut cities = presence::union(tx, &spans).await?.cities;
    let (countries, cities) = places
        .with(tx, |index| {
            if !filter.place.is_empty() {
                cities &= index.select(&filter.place);
            }
            (index.countries_among(&cities), cities.len())
        })
        .await?;
    let unsigned = |counts: Counts| counts.map(i64::cast_unsigned);
    Ok(Counters { by_type: unsigned(by_type), today: unsigned(today), countries, cities })
}

#[derive(sqlx::FromRow)]
struct SumsRow {
    spirit: i64,
    water: i64,
    both: i64,
}

/// Sums the rollups of `scopes` over `spans`.
pub(in crate::store) async fn counts(
    tx: &mut SqliteConnection,
    scopes: &[i64],
    spans: &[Span],
) -> Result<Counts> {
    let mut sums = Counts::default();
    if spans.is_empty() {
        return Ok(sums);
    }
    for scopes in scopes.chunks(SCOPES_AT_ONCE) {
        // The cross joins fix the order of the loops: few spans, few scopes, then one range of the
        // primary key each.
        let sql = format!(
            "WITH spans (grain, lo, hi) AS (VALUES {}), scopes (id) AS (VALUES {})
             SELECT CAST(coalesce(sum(r.spirit_count), 0) AS BIGINT) AS spirit,
                    CAST(coalesce(sum(r.water_count), 0) AS BIGINT) AS water,
                    CAST(coalesce(sum(r.both_count), 0) AS BIGINT) AS both
             FROM spans CROSS JOIN scopes CROSS JOIN rollups r
             WHERE r.place_id = scopes.id AND r.grain = spans.grain
               AND r.bucket BETWEEN spans.lo AND spans.hi",
            vec!["(?, ?, ?)"; spans.len()].join(", "),
            vec!["(?)"; scopes.len()].join(", "),
        );
        let mut query = sqlx::query_as(AssertSqlSafe(sql)).persistent(scopes.len() == 1);
        for span in spans {
            query = query.bind(span.grain.number()).bind(span.first).bind(span.last);
        }
        for scope in scopes {
            query = query.bind(*scope);
        }
        let SumsRow { spirit, water, both } = query.fetch_one(&mut *tx).await?;
        for (sum, count) in sums.iter_mut().zip([spirit, water, both]) {
            *sum += count;
        }
    }
    Ok(sums)
}
