//! Databases made by older rules, and their migration.

use sqlx::Connection;
use store::{ALL_TYPES, Filter, Missing, Period, PlaceFilter, ReportsQuery, open_url};

use crate::harness::older_database;

/// Reports in Campinas of each status, neither listed nor counted.
const REPORTS: &str = "
    INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country, region, city)
    VALUES (1, 0, 1, 'BR', '', '', 'Brazil', '', ''),
           (2, 1, 2, 'BR', 'sao paulo', '', 'Brazil', 'São Paulo', ''),
           (3, 2, 3, 'BR', 'sao paulo', 'campinas', 'Brazil', 'São Paulo', 'Campinas');
    INSERT INTO reports (id, type, status, city, region, country, people_count, event_day, created_at,
                         published_at, place_id)
    VALUES ('a', 'spirit', 'APPROVED', 'Campinas', 'São Paulo', 'Brazil', 1, 19783, 1000, 3000, 3),
           ('b', 'water', 'APPROVED', 'Campinas', 'São Paulo', 'Brazil', 1, 19784, 1000, 4000, 3),
           ('c', 'water', 'APPROVED', 'Campinas', 'São Paulo', 'Brazil', 1, 20100, 1000, 3000, 3),
           ('d', 'water', 'WITHDRAWN', 'Campinas', 'São Paulo', 'Brazil', 1, 19784, 1000, 2000, 3),
           ('e', 'water', 'REJECTED', 'Campinas', 'São Paulo', 'Brazil', 1, 19784, 1000, NULL, NULL),
           ('f', 'water', 'PENDING', 'Campinas', 'São Paulo', 'Brazil', 1, 19784, 1000, NULL, NULL);";

#[tokio::test]
async fn reports_of_a_database_by_older_rules_are_listed_and_counted_after_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    older_database(&file).await;
    let url = format!("sqlite://{}", file.display());
    let mut old = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(REPORTS).execute(&mut old).await.unwrap();
    old.close().await.unwrap();

    let store = open_url(&url, Missing::Create).await.unwrap();
    assert_eq!(store.check().await.unwrap().differences, []);
    let listed = async |query: ReportsQuery| {
        let listed = store.reports().recent(&query).await.unwrap().value;
        listed.into_iter().map(|listed| listed.report.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(ReportsQuery::newest(10)).await, ["b", "a", "c"]);
    let filter = Filter {
        period: Period { from: base::time::parse_date("2024-03-02"), to: None },
        place: PlaceFilter::new(Some("Brasil"), None, Some("CAMPINAS")),
    };
    let query = ReportsQuery { filter: filter.clone(), ..ReportsQuery::newest(10) };
    assert_eq!(query.types, ALL_TYPES);
    assert_eq!(listed(query).await, ["b", "c"]);
    let today = base::time::parse_date("2024-03-02").unwrap();
    let counters = store.counters().metrics(&filter, today).await.unwrap().value;
    assert_eq!((counters.by_type, counters.today), ([0, 2, 0], [0, 1, 0]));
    assert_eq!((counters.countries, counters.cities), (1, 1));
    store.close().await;
}
