//! Pairs of places that people keep apart, although their names look like two spellings of one place.

use base::time::Timestamp;
use domain::action::Action;
use serde_json::json;

use super::{city_name::CityName, place::PlaceKey};
use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::Result,
};

/// Two places that a person keeps apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacesApart {
    pub id: i64,
    pub places: [CityName; 2],
    /// Name of the person.
    pub actor: String,
    pub at: Timestamp,
}

impl PlacesApart {
    /// Keys of both places, in order.
    pub(super) fn keys(&self) -> [PlaceKey; 2] {
        keys(&self.places)
    }
}

fn keys([one, other]: &[CityName; 2]) -> [PlaceKey; 2] {
    let mut keys = [one.key(), other.key()];
    keys.sort_unstable();
    keys
}

impl areas::Reports<'_> {
    /// Returns the pairs of places that people keep apart, newest first.
    pub async fn places_apart(self) -> Result<Vec<PlacesApart>> {
        self.store.read(|tx| Box::pin(all(tx))).await
    }

    /// Keeps two places apart, so that they are no longer among the
    /// [similar places](Self::similar_places). Returns `false` if both names are the same place.
    pub async fn keep_apart(self, places: &[CityName; 2]) -> Result<bool> {
        let keys = keys(places);
        if keys[0] == keys[1] {
            return Ok(false);
        }
        let keys = &keys;
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    if all(tx).await?.iter().any(|apart| apart.keys() == *keys) {
                        return Ok(());
                    }
                    let sql = "INSERT INTO places_apart
                             (country, region, city, other_country, other_region, other_city, actor, at)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
                    let names = places.iter().flat_map(CityName::names);
                    let actor = self.store.actor.as_ref().map(|actor| actor.name.to_string());
                    names
                        .fold(sql::query(sql), sql::Query::bind)
                        .bind(actor.unwrap_or_default())
                        .bind(now.timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    self.store.note(tx, now, entry(Action::KeepApart, places)).await
                })
            })
            .await?;
        Ok(true)
    }

    /// Removes a pair from those that people keep apart. Returns its places, or `None` if it was not
    /// among them.
    pub async fn pair_again(self, id: i64) -> Result<Option<[CityName; 2]>> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let sql = format!("DELETE FROM places_apart WHERE id = $1 RETURNING {COLUMNS}");
                    let row: Option<Row> = sql::query_as(sqlx::AssertSqlSafe(sql))
                        .bind(id)
                        .fetch_optional(&mut **tx)
                        .await?;
                    let Some(row) = row else { return Ok(None) };
                    let places = PlacesApart::from(row).places;
                    self.store.note(tx, now, entry(Action::PairAgain, &places)).await?;
                    Ok(Some(places))
                })
            })
            .await
    }
}

/// Reads all pairs, newest first.
pub(super) async fn all(tx: &mut Connection) -> Result<Vec<PlacesApart>> {
    let sql = format!("SELECT {COLUMNS} FROM places_apart ORDER BY id DESC");
    let rows: Vec<Row> = sql::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(tx).await?;
    Ok(rows.into_iter().map(PlacesApart::from).collect())
}

fn entry(action: Action, [one, other]: &[CityName; 2]) -> Entry<'static> {
    Entry::of(action, &format!("{} / {}", one.city, other.city))
        .after(json!({ "place": one.to_string(), "otherPlace": other.to_string() }))
}

const COLUMNS: &str =
    "id, country, region, city, other_country, other_region, other_city, actor, at";

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    country: String,
    region: String,
    city: String,
    other_country: String,
    other_region: String,
    other_city: String,
    actor: String,
    at: i64,
}

impl From<Row> for PlacesApart {
    fn from(row: Row) -> Self {
        let one = CityName::of([&row.country, &row.region, &row.city]);
        let other = CityName::of([&row.other_country, &row.other_region, &row.other_city]);
        let at = Timestamp::from_millis(row.at);
        Self { id: row.id, places: [one, other], actor: row.actor, at }
    }
}

#[cfg(test)]
mod tests {
    use base::time::date_of_day;
    use chrono::DateTime;
    use domain::{actor::Actor, report::NewReport, report_id::ReportId};
    use model::ReportType;

    use super::*;
    use crate::{AuditQuery, Mode, Store, testing::Scratch};

    fn place(city: &str) -> CityName {
        CityName::of(["Brazil", "", city])
    }

    async fn import(store: &Store, id: &str, city: &str) {
        let report = NewReport {
            id: ReportId::stored(id.to_owned()),
            kind: ReportType::Water,
            city: city.to_owned(),
            region: String::new(),
            country: "Brazil".to_owned(),
            people_count: 1,
            event_date: date_of_day(20_000),
            created_at: DateTime::UNIX_EPOCH,
            event_date_given: true,
            created_at_given: true,
            position: None,
        };
        store.reports().import(&[report], Mode::Pending).await.unwrap();
    }

    async fn pairs(store: &Store) -> Vec<[String; 2]> {
        let similar = store.reports().similar_places().await.unwrap();
        similar
            .into_iter()
            .map(|pair| pair.places.map(|place| place.name.city.to_string()))
            .collect()
    }

    #[tokio::test]
    async fn a_pair_is_kept_apart_until_it_is_paired_again() {
        let scratch = Scratch::new().await;
        let maria = Actor { name: "Maria".into(), key: None, origin: "web1".into() };
        let store = scratch.clone().acting(maria);
        let cities = ["Recife", "Recifee", "Santos", "Santoss"];
        for (id, city) in ["a", "b", "c", "d"].into_iter().zip(cities) {
            import(&store, id, city).await;
        }
        let (recife, santos) = (["Recife", "Recifee"], ["Santos", "Santoss"]);
        assert_eq!(pairs(&store).await, [recife, santos]);
        let reports = store.reports();
        assert!(reports.keep_apart(&[place("RECIFEE"), place("Recife")]).await.unwrap());
        assert_eq!(pairs(&store).await, [santos]);
        // Further reports and spellings of the same places do not bring the pair back.
        for (id, city) in [("e", "Recifee"), ("f", "Récifee")] {
            import(&store, id, city).await;
        }
        assert_eq!(pairs(&store).await, [santos]);
        // The first decision stays.
        let jo =
            store.clone().acting(Actor { name: "Jo".into(), key: None, origin: "web1".into() });
        assert!(jo.reports().keep_apart(&[place("Recife"), place("recifee")]).await.unwrap());
        let apart = reports.places_apart().await.unwrap();
        let [PlacesApart { id, places, actor, .. }] = &*apart else { panic!("{apart:?}") };
        assert_eq!((places, &**actor), (&[place("RECIFEE"), place("Recife")], "Maria"));

        assert_eq!(jo.reports().pair_again(*id).await.unwrap().as_ref(), Some(places));
        assert_eq!(jo.reports().pair_again(*id).await.unwrap(), None);
        assert_eq!(pairs(&store).await, [recife, santos]);
        assert_eq!(reports.places_apart().await.unwrap(), []);
        let query = AuditQuery {
            subject: Some("RECIFEE / ".to_owned()),
            limit: 9,
            ..AuditQuery::default()
        };
        let entries = store.audit_log().entries(&query).await.unwrap().entries;
        let entries: Vec<_> = entries.iter().map(|entry| (&*entry.actor, entry.action)).collect();
        assert_eq!(entries, [("Jo", Action::PairAgain), ("Maria", Action::KeepApart)]);
    }

    #[tokio::test]
    async fn places_without_reports_can_be_kept_apart_and_one_place_cannot() {
        let scratch = Scratch::new().await;
        let reports = scratch.reports();
        assert!(!reports.keep_apart(&[place("Belém"), place("BELEM")]).await.unwrap());
        assert!(reports.keep_apart(&[place("Belém"), place("Belem Novo")]).await.unwrap());
        assert_eq!(reports.places_apart().await.unwrap().len(), 1);
        assert_eq!(pairs(&scratch).await, [[""; 2]; 0]);
    }
}
