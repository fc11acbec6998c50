use store::{self, Error, Migrated, Missing};

use crate::harness::{Database, older_database};

#[tokio::test]
async fn an_empty_file_is_made_a_database_of_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    std::fs::write(&file, b"").unwrap();
    let url = format!("sqlite://{}", file.display());
    let refused = store::open_url(&url, Missing::Refuse).await.unwrap_err();
    let said = format!("{} is empty: `svc db migrate` makes a database of it", file.display());
    assert_eq!(refused.to_string(), said);
    assert_eq!(std::fs::read(&file).unwrap(), b"");
    store::open_url(&url, Missing::Create).await.unwrap().close().await;
    store::open_url(&url, Missing::Refuse).await.unwrap().close().await;
}

#[tokio::test]
async fn a_database_older_than_the_binary_is_migrated_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    older_database(&file).await;
    let url = format!("sqlite://{}", file.display());
    let refused = store::open_url(&url, Missing::Refuse).await.unwrap_err();
    assert!(matches!(refused, Error::TooOld));
    let store = store::open_url(&url, Missing::Create).await.unwrap();
    assert_eq!(store.migrated(), Migrated { new: false, applied: 0 });
    store.close().await;
    store::open_url(&url, Missing::Refuse).await.unwrap().close().await;
}

#[tokio::test]
async fn what_cannot_be_opened_is_said() {
    let refusal =
        async |url: &str| store::open_url(url, Missing::Refuse).await.unwrap_err().to_string();
    assert_eq!(
        refusal("mysql://me:secret@host/db").await,
        "the database URL \"mysql://me:…@host/db\" is not one this binary can open: \
         use sqlite://PATH, for example sqlite://data/svc.db, or postgres://USER@HOST/DATABASE"
    );
    assert!(refusal("sqlite::memory:").await.contains("is not one this binary can open"));
    let missing = refusal("sqlite:///nowhere/svc.db?mode=rwc").await;
    assert_eq!(missing, refusal("sqlite:/nowhere/svc.db").await);
    assert!(missing.starts_with("there is no database at /nowhere/svc.db: check "), "{missing}");
}

#[tokio::test]
async fn several_processes_may_open_the_same_new_database_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("deep/svc.db").display());
    let opens = (0..6).map(|_| {
        let url = url.clone();
        tokio::spawn(async move { store::open_url(&url, Missing::Create).await.map(|_| ()) })
    });
    for open in opens.collect::<Vec<_>>() {
        open.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn readers_do_not_wait_for_a_writer() {
    let database = Database::new().await;
    let mut held = database.hold().await;
    held.run("UPDATE data_version SET version = 7").await;
    assert_eq!(database.store.data_version().await.unwrap(), 0);
    held.commit().await;
    assert_eq!(database.store.data_version().await.unwrap(), 7);
}
