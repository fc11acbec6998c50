use std::time::Duration;

use crate::harness::{OLDER_RULES, Svc};

/// Reports that are neither listed nor counted, half of them pending.
const REPORTS: &str = "
    INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country, region, city)
    VALUES (1, 0, 1, 'BR', '', '', 'Brazil', '', ''),
           (2, 1, 2, 'BR', 'sao paulo', '', 'Brazil', 'São Paulo', ''),
           (3, 2, 3, 'BR', 'sao paulo', 'campinas', 'Brazil', 'São Paulo', 'Campinas');
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 59999)
    INSERT INTO reports (id, type, status, city, region, country, people_count, event_day, created_at,
                         published_at, place_id)
    SELECT 'r' || n, 'water', iif(n % 2 = 0, 'APPROVED', 'PENDING'), 'Campinas', 'São Paulo', 'Brazil', 1,
           19000 + n % 1000, 1000 + n, iif(n % 2 = 0, 2000 + n, NULL), iif(n % 2 = 0, 3, NULL)
    FROM numbers;
    UPDATE data_version SET version = 1";

#[tokio::test]
async fn a_migration_that_is_killed_again_and_again_ends_with_everything_there() {
    let svc = Svc::with_migrated_file();
    svc.change(REPORTS).await;
    svc.change(OLDER_RULES).await;
    let mut kills = 0;
    for timeout in 1.. {
        let mut migrating = svc.command(&["db", "migrate"]).spawn().unwrap();
        tokio::time::sleep(timeout * Duration::from_millis(40)).await;
        match migrating.try_wait().unwrap() {
            Some(ended) => {
                assert!(ended.success());
                break;
            }
            None => kills += 1,
        }
        migrating.kill().unwrap();
        migrating.wait().unwrap();
    }
    assert!(kills > 0, "it was over before it was killed");
    svc.out(&["db", "check"]);
    let listed = "SELECT count(*) FROM reports WHERE status = 'APPROVED'";
    assert_eq!(svc.count(listed).await, 30_000);
    assert_eq!(svc.count("SELECT count(*) FROM reports WHERE status = 'PENDING'").await, 30_000);
}
