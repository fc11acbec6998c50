//! Messages of the binary about keys of webhook secrets.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use serde_json::{Value, json};
use store::{self, Missing};

use super::{id, keys_in, partner, subscribe};
use crate::{
    harness::{Ran, Svc},
    served::Served,
};

const ONE: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER: &str = "0101010101010101010101010101010101010101010101010101010101010101";
const SERVE: [&str; 5] = ["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"];

/// Creates a database with a subscription.
async fn subscribed() -> Svc {
    let svc = Svc::with_migrated_file();
    let store = svc.open(Missing::Refuse).await;
    partner(&store).await;
    subscribe(&store, 1).await;
    store.close().await;
    svc
}

fn key_id(svc: &Svc) -> String {
    let keyring = store_keyring(svc);
    keyring.ids().unwrap()[0].as_str().to_owned()
}

fn store_keyring(svc: &Svc) -> store::secrets::Keyring {
    store::secrets::Keyring::beside(&svc.path("data/svc.db"))
}

/// Message of a command that has to fail.
fn refused(svc: &Svc, arguments: &[&str]) -> String {
    refused_by(svc.command(arguments))
}

fn refused_by(mut command: Command) -> String {
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    ran.err
}

/// Message about a missing key, with the names of the files.
fn missing(svc: &Svc, key: &str, place: &str) -> String {
    let (database, place) = (svc.path("data/svc.db"), svc.path("data").join(place));
    format!(
        "svc: webhook secrets are encrypted with the key {key}, which is not in {}: put back the key \
         that belongs to this database (the database is {})\n",
        place.display(),
        database.display()
    )
}

#[tokio::test]
async fn without_the_key_the_start_and_a_test_are_refused_and_everything_else_works() {
    let svc = subscribed().await;
    let key = key_id(&svc);
    fs::rename(svc.path("data/svc.key"), svc.path("kept.key")).unwrap();
    let said = missing(&svc, &key, "svc.key (there is no such file)");
    assert_eq!(refused(&svc, &SERVE), said);
    assert_eq!(refused(&svc, &["webhooks", "test", &id(1), "--webhook-allow-private"]), said);
    assert_eq!(refused(&svc, &["keys", "rotate-master"]), said);
    for works in
        [&["webhooks", "list"][..], &["keys", "list"], &["db", "check"], &["db", "migrate"]]
    {
        svc.out(works);
    }
    assert!(!svc.path("data/svc.key").exists());
    // The key also works from another file.
    let by_name = ["keys", "rotate-master", "--secret-key-file", "kept.key", "--json"];
    assert_eq!(svc.json(&by_name)["retired"], json!([key]));
}

#[tokio::test]
async fn a_backup_that_is_restored_where_another_key_is_needs_its_own() {
    let svc = subscribed().await;
    svc.out(&["db", "backup", "copy.db"]);
    let key = key_id(&svc);
    fs::rename(svc.path("data"), svc.path("before")).unwrap();
    // This second database has its own key.
    svc.out(&["db", "migrate"]);
    fs::write(svc.path("data/svc.key"), ONE).unwrap();
    fs::set_permissions(svc.path("data/svc.key"), PermissionsExt::from_mode(0o600)).unwrap();
    svc.out(&["db", "restore", "copy.db"]);
    assert_eq!(refused(&svc, &SERVE), missing(&svc, &key, "svc.key"));
    // The file may contain both keys.
    let both = format!("{ONE}\n{}\n", keys_in(&svc.path("before/svc.key"))[0]);
    fs::write(svc.path("data/svc.key"), both).unwrap();
    let mut served = Served::start(&svc);
    served.stop();
}

#[tokio::test]
async fn a_key_file_that_others_may_read_stops_the_start_even_before_it_is_needed() {
    let svc = Svc::with_migrated_file();
    fs::write(svc.path("data/svc.key"), ONE).unwrap();
    fs::set_permissions(svc.path("data/svc.key"), PermissionsExt::from_mode(0o640)).unwrap();
    let file = svc.path("data/svc.key");
    let (file, database) = (file.display(), svc.path("data/svc.db"));
    assert_eq!(
        refused(&svc, &SERVE),
        format!(
            "svc: others than its owner may use the key file {file} (mode 0640): run \
             `chmod 600 {file}` (the database is {})\n",
            database.display()
        )
    );
    assert_eq!(
        svc.out(&["webhooks", "list"]),
        "No subscriptions: partners create them with their keys, by POST /api/v1/webhooks.\n"
    );
}

#[tokio::test]
async fn a_running_service_goes_on_after_the_key_was_changed() {
    let svc = subscribed().await;
    let old = key_id(&svc);
    let mut served = Served::start(&svc);
    let said = svc.out(&["keys", "rotate-master"]);
    let new = key_id(&svc);
    assert_ne!(old, new);
    assert_eq!(
        said,
        format!(
            "All webhook secrets are encrypted with the key {new} now (1 secret re-encrypted). {} has no other key any \
                more: keep a copy of it, apart from backups. Backups from before need the old one ({old}).\n",
            svc.path("data/svc.key").display()
        )
    );
    let answer: Value = svc.json(&["keys", "rotate-master", "--json"]);
    let newest = key_id(&svc);
    assert_eq!(
        answer,
        json!({
            "key": newest,
            "secrets": 1,
            "retired": [new],
            "file": svc.path("data/svc.key"),
            "deleted": [],
        })
    );
    served.stop();
}

#[test]
fn without_a_key_there_is_none_to_change() {
    let svc = Svc::with_migrated_file();
    assert_eq!(
        svc.out(&["keys", "rotate-master"]),
        format!(
            "There is no key in {} (there is no such file) yet: the service makes one when the first \
             secret is stored.\n",
            svc.path("data/svc.key").display()
        )
    );
    let nothing = json!({
        "key": null,
        "secrets": 0,
        "retired": [],
        "file": svc.path("data/svc.key"),
        "deleted": [],
    });
    assert_eq!(svc.json(&["keys", "rotate-master", "--json"]), nothing);
}

#[tokio::test]
async fn the_key_may_come_from_the_environment_and_is_changed_there() {
    let svc = Svc::with_migrated_file();
    let keyring = store::secrets::Keyring::of_text(ONE).unwrap();
    let one = keyring.ids().unwrap()[0].to_string();
    let store =
        store::open_with(&svc.database_url(), Missing::Refuse, Some(keyring)).await.unwrap();
    partner(&store).await;
    subscribe(&store, 1).await;
    store.close().await;
    assert!(!svc.path("data/svc.key").exists());

    let rotate = |value: &str| {
        let mut command = svc.command(&["keys", "rotate-master"]);
        command.env("SVC_SECRET_KEY", value);
        command
    };
    let database = format!("(the database is {})\n", svc.path("data/svc.db").display());
    assert_eq!(
        refused_by(rotate(ONE)),
        format!(
            "svc: the key is the only one in SVC_SECRET_KEY: to change it, put a new one (`openssl rand \
             -base64 32`) and a comma before it, restart the service with that, and run this again with \
             the same {database}"
        )
    );
    assert_eq!(
        refused_by(rotate(OTHER)),
        format!(
            "svc: webhook secrets are encrypted with the key {one}, which is not in SVC_SECRET_KEY: put \
             back the key that belongs to this database {database}"
        )
    );
    let ran = Ran::of(rotate(&format!("{OTHER},{ONE}")).output().unwrap());
    let other = store::secrets::Keyring::of_text(OTHER).unwrap().ids().unwrap()[0].to_string();
    assert_eq!(
        (ran.code, ran.out, ran.err),
        (
            Some(0),
            format!(
                "All webhook secrets are encrypted with the key {other} now (1 secret re-encrypted). Remove the others \
                    ({one}) from SVC_SECRET_KEY, and restart the service. Keep them as long as backups from before.\n"
            ),
            String::new()
        )
    );
}

#[test]
fn what_the_environment_has_must_be_a_key_and_the_only_place_of_it() {
    let svc = Svc::with_migrated_file();
    let serve = |flags: &[&str], value: &str| {
        let mut command = svc.command(&[&SERVE[..], flags].concat());
        let ran = Ran::of(command.env("SVC_SECRET_KEY", value).output().unwrap());
        // A restart would not help, so the exit code is that of wrong usage.
        assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
        ran.err
    };
    assert_eq!(
        serve(&[], "secret"),
        "svc: SVC_SECRET_KEY is not a key: give base64 or hexadecimal of 32 bytes, and if there are \
         several, the newest first, with commas between them\n"
    );
    assert_eq!(
        serve(&["--secret-key-file", "svc.key"], ONE),
        "svc: both SVC_SECRET_KEY and --secret-key-file (SVC_SECRET_KEY_FILE) are set: give the key in \
         one of them\n"
    );
}

#[tokio::test]
async fn when_the_key_is_lost_for_good_its_subscriptions_can_be_given_up() {
    let svc = subscribed().await;
    let key = key_id(&svc);
    let give_up = ["keys", "rotate-master", "--lost-key", &key];
    let file = svc.path("data/svc.key");
    let database = format!("(the database is {})\n", svc.path("data/svc.db").display());
    assert_eq!(
        refused(&svc, &give_up),
        format!("svc: the key {key} is not lost: it is in {} {database}", file.display())
    );
    fs::remove_file(&file).unwrap();
    assert_eq!(
        svc.out(&give_up),
        format!(
            "Deleted 1 subscription whose key {key} is lost. {}\n\
             There is no key in {} (there is no such file) yet: the service makes one when the first \
             secret is stored.\n",
            id(1),
            file.display()
        )
    );
    let entries = svc.json(&["audit", "--json"])["entries"].take();
    assert_eq!(
        (&entries[0]["action"], &entries[0]["subject"], &entries[0]["after"]),
        (&json!("webhooks.delete"), &json!(id(1)), &json!({ "lostKey": key }))
    );
    let mut served = Served::start(&svc);
    served.stop();
}

#[tokio::test]
async fn the_note_about_a_new_key_says_where_it_is() {
    let svc = Svc::with_migrated_file();
    let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
    let served = Served::start(&svc);
    let said = format!(
        " for encrypting webhook secrets, in {}: keep a copy of this file in a safe place, apart from backups of the \
         database",
        svc.path("data/svc.key").display()
    );
    let subscribing = crate::harness::http()
        .post(format!("{}/api/v1/webhooks", served.url))
        .bearer_auth(key["key"].as_str().unwrap())
        .json(&json!({ "url": "http://127.0.0.1:9/", "events": ["report.created"] }));
    assert_eq!(subscribing.send().await.unwrap().status(), 201);
    let log = fs::read_to_string(svc.path("log")).unwrap();
    assert!(log.contains(&format!("created the key {}{said}", key_id(&svc))), "{log}");
}
