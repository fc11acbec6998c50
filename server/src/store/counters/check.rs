//! Recounting: everything that is derived from the reports, compared with what is stored.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

use futures_util::TryStreamExt;
use roaring::RoaringBitmap;
use sqlx::{FromRow, SqliteConnection};

use super::{
    presence,
    rollup::{self, Bucket, Cell, Counts, type_index},
};
use crate::{
    store::{
        Store,
        error::Result,
        places::place::{Lineage, PlaceKey, Spelling, WORLD},
        reports::{audit, report},
    },
    time::date_of_day,
};

/// Something stored that does not agree with the reports.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The place by name, or what else is concerned.
    pub subject: String,
    /// The year, month or day, or `all time`.
    pub bucket: String,
    pub stored: String,
    pub recounted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, bucket, stored, recounted } = self;
        write!(f, "{subject}, {bucket}: stored {stored}, recounted {recounted}")
    }
}

/// What the reports come to.
#[derive(Default)]
struct Recount {
    rollups: HashMap<Cell, Counts>,
    presence: BTreeMap<Bucket, RoaringBitmap>,
    misplaced: Vec<Difference>,
}

/// A place as the check needs it.
struct Place {
    name: String,
    key: PlaceKey,
    lineage: Lineage,
}

#[derive(FromRow)]
struct PlaceRow {
    id: i64,
    country: String,
    region: String,
    city: String,
    country_key: String,
    region_key: String,
    city_key: String,
    region_id: i64,
    country_id: i64,
}

impl From<PlaceRow> for Place {
    fn from(row: PlaceRow) -> Self {
        let parts = [row.city, row.region, row.country];
        let named: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let name = if row.id == WORLD { "the world".to_owned() } else { named.join(", ") };
        let key = PlaceKey { country: row.country_key, region: row.region_key, city: row.city_key };
        let lineage = Lineage { city: row.id, region: row.region_id, country: row.country_id };
        Self { name, key, lineage }
    }
}

/// A published report as it counts. Texts are borrowed: there may be millions.
#[derive(FromRow)]
struct CountedRow<'r> {
    id: &'r str,
    kind: &'r str,
    country: &'r str,
    region: &'r str,
    city: &'r str,
    place_id: i64,
    event_day: i64,
}

impl Store {
    /// Recounts every rollup and every set of cities from the reports, in one consistent read, and
    /// returns what differs. Reads every report; memory grows with the number of rollups.
    pub async fn check(&self) -> Result<Vec<Difference>> {
        self.read(|tx| {
            Box::pin(async move {
                let places = places(tx).await?;
                let recount = recount(tx, &places).await?;
                let mut differences = recount.misplaced;
                compare_rollups(tx, recount.rollups, &places, &mut differences).await?;
                compare_presence(&presence::all(tx).await?, &recount.presence, &mut differences);
                for sentence in audit::differences(tx).await? {
                    differences.push(Difference {
                        subject: "the lists".to_owned(),
                        bucket: "all time".to_owned(),
                        stored: sentence,
                        recounted: "none".to_owned(),
                    });
                }
                differences.extend(orphans(tx).await?);
                Ok(differences)
            })
        })
        .await
    }
}

/// Deliveries without an event or a subscription, and attempts without a delivery.
async fn orphans(tx: &mut SqliteConnection) -> Result<Vec<Difference>> {
    let questions = [
        (
            "deliveries",
            "their events",
            "SELECT count(*) FROM deliveries d
             WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.seq = d.event_seq)",
        ),
        (
            "deliveries",
            "their subscriptions",
            "SELECT count(*) FROM deliveries d
             WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.seq = d.subscription_seq)",
        ),
        (
            "attempts",
            "their deliveries",
            "SELECT count(*) FROM attempts a
             WHERE NOT EXISTS (SELECT 1 FROM deliveries d
                               WHERE d.subscription_seq = a.subscription_seq
                                 AND d.event_seq = a.event_seq)",
        ),
    ];
    let mut differences = Vec::new();
    for (subject, of, sql) in questions {
        let orphans: i64 = sqlx::query_scalar(sql).fetch_one(&mut *tx).await?;
        if orphans > 0 {
            differences.push(Difference {
                subject: subject.to_owned(),
                bucket: of.to_owned(),
                stored: format!("{orphans} without"),
                recounted: "none without".to_owned(),
            });
        }
    }
    Ok(differences)
}

async fn places(tx: &mut SqliteConnection) -> Result<HashMap<i64, Place>> {
    let rows: Vec<PlaceRow> = sqlx::query_as(
        "SELECT p.id, p.country, p.region, p.city, p.country_key, p.region_key, p.city_key,
                coalesce(p.parent_id, 0) AS region_id, coalesce(g.parent_id, 0) AS country_id
         FROM places p LEFT JOIN places g ON g.id = p.parent_id",
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.into())).collect())
}

async fn recount(tx: &mut SqliteConnection, places: &HashMap<i64, Place>) -> Result<Recount> {
    let mut recount = Recount::default();
    let mut rows = sqlx::query(
        "SELECT id, type AS kind, country, region, city, place_id, event_day
         FROM reports WHERE status = 'APPROVED'",
    )
    .fetch(tx);
    while let Some(row) = rows.try_next().await? {
        let row = CountedRow::from_row(&row)?;
        let key = Spelling { country: row.country, region: row.region, city: row.city }.key();
        let Some(place) = places.get(&row.place_id).filter(|place| place.key == key) else {
            recount.misplaced.push(Difference {
                subject: format!("report {:?}", row.id),
                bucket: "its place".to_owned(),
                stored: places
                    .get(&row.place_id)
                    .map_or_else(|| row.place_id.to_string(), |place| place.name.clone()),
                recounted: format!("{}/{}/{}", key.country, key.region, key.city),
            });
            continue;
        };
        let kind = type_index(report::kind(row.kind)?);
        for bucket in Bucket::of(date_of_day(row.event_day)) {
            for scope in place.lineage.counted_under() {
                recount.rollups.entry((scope, bucket)).or_default()[kind] += 1;
            }
            let city = presence::bit(place.lineage.city)?;
            recount.presence.entry(bucket).or_default().insert(city);
        }
    }
    Ok(recount)
}

async fn compare_rollups(
    tx: &mut SqliteConnection,
    mut recounted: HashMap<Cell, Counts>,
    places: &HashMap<i64, Place>,
    differences: &mut Vec<Difference>,
) -> Result<()> {
    let name = |id: i64| places.get(&id).map_or_else(|| format!("place {id}"), |p| p.name.clone());
    rollup::all(tx, |(place, bucket), stored| {
        let counts = recounted.remove(&(place, bucket)).unwrap_or_default();
        if stored != counts {
            differences.push(difference(name(place), bucket, Some(stored), counts));
        }
    })
    .await?;
    let missing: BTreeMap<_, _> = recounted.into_iter().collect();
    differences.extend(
        missing
            .into_iter()
            .map(|((place, bucket), counts)| difference(name(place), bucket, None, counts)),
    );
    Ok(())
}

fn difference(
    subject: String,
    bucket: Bucket,
    stored: Option<Counts>,
    recounted: Counts,
) -> Difference {
    let show =
        |[spirit, water, both]: Counts| format!("{spirit} spirit, {water} water, {both} both");
    Difference {
        subject,
        bucket: bucket.to_string(),
        stored: stored.map_or_else(|| "nothing".to_owned(), show),
        recounted: show(recounted),
    }
}

fn compare_presence(
    stored: &BTreeMap<Bucket, RoaringBitmap>,
    recounted: &BTreeMap<Bucket, RoaringBitmap>,
    differences: &mut Vec<Difference>,
) {
    let empty = RoaringBitmap::new();
    let buckets: BTreeSet<&Bucket> = stored.keys().chain(recounted.keys()).collect();
    for bucket in buckets {
        let stored = stored.get(bucket).unwrap_or(&empty);
        let recounted = recounted.get(bucket).unwrap_or(&empty);
        if stored != recounted {
            differences.push(Difference {
                subject: "the set of cities".to_owned(),
                bucket: bucket.to_string(),
                stored: format!("{} cities", stored.len()),
                recounted: format!("{} cities", recounted.len()),
            });
        }
    }
}
