use crate::harness::Svc;

#[tokio::test]
async fn check_exits_with_1_and_names_the_differences() {
    let svc = Svc::migrated();
    let ran = svc.import("type,city,country\nspirit,Oslo,Norway\n", &["--approve"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(svc.out(&["db", "check"]), "Everything agrees with the reports.\n");
    use sqlx::Connection;
    let url = format!("sqlite://{}", svc.path("data/svc.db").display());
    let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
    // The world, its country, region and city: two spirits in the world, one in each of the others.
    sqlx::query("UPDATE counts SET counts = x'01020000010100000101000001010000' WHERE grain = 0")
        .execute(&mut connection)
        .await
        .unwrap();
    let ran = svc.run(&["db", "check"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        "the world, all time: stored 2 spirit, 0 water, 0 both, \
         recounted 1 spirit, 0 water, 0 both\n1 difference found.\n"
    );
    let ran = svc.run(&["db", "check", "--json"]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(),
        serde_json::json!({ "differences": [{
            "subject": "the world",
            "bucket": "all time",
            "stored": "2 spirit, 0 water, 0 both",
            "recounted": "1 spirit, 0 water, 0 both",
        }] })
    );
}
