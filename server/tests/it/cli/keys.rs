use base::{clock::Clock, time::parse_instant};
use domain::tier::Tier;
use serde_json::{Value, json};
use store::{KeySettings, KeyUse, Missing, NewKey};

use svc::keys::ApiKey;

use crate::harness::{Svc, instant};

fn stored(prefix: &str, tier: Tier, expires_at: Option<&str>) -> NewKey {
    NewKey {
        prefix: prefix.to_owned(),
        hash: [0; 32],
        tier,
        scope: None,
        expires_at: expires_at.map(instant),
        settings: KeySettings::default(),
    }
}

/// Creates three keys: a valid, an expired and a revoked one.
async fn with_keys() -> Svc {
    let svc = Svc::new();
    let store = svc.open(Missing::Create).await;
    let end = Some("2025-04-01T00:00:00.000Z");
    let keys = [
        ("Łódź Org", "2025-03-01T12:00:00.000Z", stored("svc_AAAAAAAA", Tier::Partner, None)),
        ("Acme", "2025-03-02T12:00:00.000Z", stored("svc_BBBBBBBB", Tier::Enterprise, end)),
        ("Acme", "2025-03-03T12:00:00.000Z", stored("svc_CCCCCCCC", Tier::Operator, end)),
    ];
    for (partner, at, key) in &keys {
        let then = store.clone().with_clock(Clock::stepped(instant(at)));
        assert_eq!(then.keys().create(partner, key).await.unwrap().unwrap().at, instant(at));
    }
    let first = store.keys().in_force().await.unwrap().remove(0).id;
    let used_at = instant("2025-04-01T08:30:00.000Z").timestamp_millis();
    store
        .keys()
        .note_uses(&[KeyUse { id: first, used_at, requests: 7, refused: 0 }])
        .await
        .unwrap();
    let then = Clock::stepped(instant("2025-05-01T00:00:00.000Z"));
    store.clone().with_clock(then).keys().revoke("svc_CCCCCCCC").await.unwrap();
    store.close().await;
    svc
}

/// Whether any file of the database contains these bytes.
fn is_stored(svc: &Svc, bytes: &[u8]) -> bool {
    let files = std::fs::read_dir(svc.path("data")).unwrap();
    let contents: Vec<Vec<u8>> =
        files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    assert!(contents.iter().any(|content| !content.is_empty()));
    contents.iter().any(|content| content.windows(bytes.len()).any(|window| window == bytes))
}

#[test]
fn a_created_key_stands_on_a_line_of_its_own_and_only_its_hash_is_stored() {
    let svc = Svc::with_migrated_file();
    let said = svc.out(&["keys", "create", "--partner", "Acme"]);
    let key = ApiKey::parse(said.lines().next().unwrap()).unwrap();
    assert_eq!(
        said,
        format!(
            "{}\nCopy it now: it is shown only once and cannot be recovered.\n\nPrefix:  {} (identifies it in `svc \
                keys list` and `svc keys revoke`)\nPartner: Acme (new)\nTier:    partner\nExpires: never\n",
            key.as_str(),
            key.prefix(),
        )
    );
    let second = svc.out(&["keys", "create", "--partner", "Acme"]);
    assert!(second.contains("\nPartner: Acme\n"), "{second}");
    assert!(is_stored(&svc, &key.hash()));
    assert!(is_stored(&svc, key.prefix().as_bytes()));
    let (secret, checksum) = key.as_str()[key.prefix().len()..].split_at(24);
    assert!(!is_stored(&svc, &secret.as_bytes()[..8]), "a part of the secret is stored");
    assert!(!is_stored(&svc, checksum.as_bytes()), "the checksum is stored");
}

#[tokio::test]
async fn a_created_key_can_be_written_as_json() {
    let svc = Svc::migrated();
    let arguments = ["keys", "create", "--partner", "Acme", "--tier", "enterprise", "--json"];
    let said = svc.out(&arguments);
    assert!(said.starts_with("{\"key\":\"svc_") && said.ends_with("}\n"), "{said}");
    let mut shown: Value = serde_json::from_str(&said).unwrap();
    let key = ApiKey::parse(shown["key"].take().as_str().unwrap()).unwrap();
    let created_at = shown["createdAt"].take();
    assert_eq!(
        shown,
        json!({
            "key": null,
            "prefix": key.prefix(),
            "partner": "Acme",
            "tier": "enterprise",
            "createdAt": null,
            "expiresAt": null,
        })
    );
    let store = svc.open(Missing::Refuse).await;
    let [found] = &store.keys().in_force().await.unwrap()[..] else { panic!("not one key") };
    assert_eq!((found.hash, found.tier, found.expires_at), (key.hash(), Tier::Enterprise, None));
    let listed = store.keys().list().await.unwrap();
    assert_eq!(created_at, listed[0].created_at.to_string());
    store.close().await;
}

#[tokio::test]
async fn an_operators_key_has_a_scope_and_no_other_key_has() {
    let svc = Svc::migrated();
    let create = |flags: &[&str]| {
        svc.run(&[&["keys", "create", "--partner", "Ana", "--json"], flags].concat())
    };
    for (flags, scope) in [
        (&["--tier", "operator"][..], json!("read")),
        (&["--tier", "operator", "--scope", "moderate"], json!("moderate")),
        (&["--tier", "operator", "--scope", "admin"], json!("admin")),
        (&["--tier", "partner"], Value::Null),
    ] {
        let ran = create(flags);
        let shown: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(shown["scope"], scope, "{}", ran.err);
    }
    let ran = create(&["--scope", "admin"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err, "svc: --scope is for operators' keys: add --tier operator\n");
    let said = svc.out(&["keys", "create", "--partner", "Jo", "--tier", "operator"]);
    assert!(said.contains("Tier:    operator (read)\n"), "{said}");
    let listed = svc.json(&["keys", "list", "--json"])["keys"].take();
    let scopes: Vec<_> = listed.as_array().unwrap().iter().map(|key| &key["scope"]).collect();
    let expected = ["read", "", "admin", "moderate", "read"];
    assert_eq!(
        scopes.iter().map(|scope| scope.as_str().unwrap_or("")).collect::<Vec<_>>(),
        expected
    );
    assert!(svc.out(&["keys", "list"]).contains("  operator (moderate)  "));
}

#[tokio::test]
async fn a_key_expires_when_its_last_day_is_over() {
    let svc = Svc::migrated();
    let create = ["keys", "create", "--partner", "Acme", "--expires", "2999-12-31"];
    let said = svc.out(&create);
    assert!(said.ends_with("Expires: at the end of 2999-12-31 (UTC)\n"), "{said}");
    let shown = svc.json(&[&create[..], &["--json"]].concat());
    assert_eq!(shown["expiresAt"], "3000-01-01T00:00:00.000Z");
    let store = svc.open(Missing::Refuse).await;
    for key in store.keys().in_force().await.unwrap() {
        assert_eq!(key.expires_at, parse_instant("3000-01-01T00:00:00Z"));
    }
    store.close().await;
}

#[test]
fn a_day_that_is_over_or_does_not_exist_is_refused_and_makes_no_database() {
    let svc = Svc::new();
    let create = |day: &str| svc.run(&["keys", "create", "--partner", "Acme", "--expires", day]);
    let over = create("2020-02-28");
    assert_eq!((over.code, over.out.as_str()), (Some(1), ""));
    let rest = over.err.strip_prefix("svc: 2020-02-28 is in the past: give today, ").unwrap();
    assert!(rest.ends_with(" (UTC), or a later day\n"), "{rest}");
    for (day, why) in [
        ("2030-02-29", "write a day that exists as YYYY-MM-DD, such as 2030-12-31"),
        ("31.12.2030", "write a day that exists as YYYY-MM-DD, such as 2030-12-31"),
        ("never", "write a day that exists as YYYY-MM-DD, such as 2030-12-31"),
        ("9999-12-31", "give no day for a key that never expires"),
    ] {
        let ran = create(day);
        assert_eq!(ran.code, Some(2), "{day}");
        let expected = format!("error: invalid value '{day}' for '--expires <DATE>': {why}\n");
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
    }
    assert!(!svc.path("data").exists());
}

#[test]
fn spellings_of_one_name_are_one_partner() {
    let svc = Svc::migrated();
    for name in ["  Caf\u{e9}  Org ", "Cafe\u{301}\tOrg", "Caf\u{e9} Org"] {
        let shown = svc.json(&["keys", "create", "--json", "--partner", name]);
        assert_eq!(shown["partner"], "Café Org");
    }
    let longest = "ä".repeat(100);
    let shown = svc.json(&["keys", "create", "--json", "--partner", &longest]);
    assert_eq!(shown["partner"], longest);
}

#[test]
fn a_name_that_nobody_has_is_bad_usage() {
    let svc = Svc::new();
    for (name, why) in [
        ("", "it is empty: give the partner's name"),
        (" \u{200b} ", "it is empty: give the partner's name"),
        (&"ä".repeat(101), "it is 101 characters long; the maximum is 100"),
        ("Ac\u{1b}[31mme", "it has a control character (U+001B): remove it"),
    ] {
        let ran = svc.run(&["keys", "create", "--partner", name]);
        assert_eq!(ran.code, Some(2), "{name:?}");
        assert!(ran.err.contains(&format!("for '--partner <NAME>': {why}\n")), "{}", ran.err);
    }
    assert_eq!(svc.run(&["keys", "create"]).code, Some(2));
    assert_eq!(svc.run(&["keys", "create", "--partner", "A", "--tier", "gold"]).code, Some(2));
    assert!(!svc.path("data").exists());
}

#[tokio::test]
async fn the_list_says_which_keys_are_in_force() {
    let svc = with_keys().await;
    assert_eq!(
        svc.out(&["keys", "list"]),
        "PREFIX        PARTNER   TIER        CREATED                   EXPIRES                   \
         LAST USED                 STATUS   SETTINGS\n\
         svc_CCCCCCCC  Acme      operator    2025-03-03T12:00:00.000Z  2025-04-01T00:00:00.000Z  \
         never                     revoked\n\
         svc_BBBBBBBB  Acme      enterprise  2025-03-02T12:00:00.000Z  2025-04-01T00:00:00.000Z  \
         never                     expired\n\
         svc_AAAAAAAA  Łódź Org  partner     2025-03-01T12:00:00.000Z  never                     \
         2025-04-01T08:30:00.000Z  active\n"
    );
    let shown = svc.json(&["keys", "list", "--json"]);
    assert_eq!(shown["keys"].as_array().unwrap().len(), 3);
    assert_eq!(
        shown["keys"][2],
        json!({
            "prefix": "svc_AAAAAAAA",
            "partner": "Łódź Org",
            "tier": "partner",
            "createdAt": "2025-03-01T12:00:00.000Z",
            "expiresAt": null,
            "revokedAt": null,
            "lastUsedAt": "2025-04-01T08:30:00.000Z",
            "requestsLastDay": 0,
        })
    );
    assert_eq!(shown["keys"][0]["revokedAt"], "2025-05-01T00:00:00.000Z");
}

#[test]
fn an_empty_list_says_how_to_make_a_key() {
    let svc = Svc::new();
    svc.out(&["db", "migrate"]);
    let said = svc.out(&["keys", "list"]);
    assert_eq!(said, "No keys: `svc keys create --partner NAME` creates one.\n");
    assert_eq!(svc.json(&["keys", "list", "--json"]), json!({ "keys": [] }));
}

#[tokio::test]
async fn a_key_is_revoked_by_its_prefix_once() {
    let svc = with_keys().await;
    assert_eq!(
        svc.out(&["keys", "revoke", "svc_AAAAAAAA"]),
        "svc_AAAAAAAA is revoked: every node refuses it within 5 seconds.\n"
    );
    let store = svc.open(Missing::Refuse).await;
    let left: Vec<_> = store.keys().in_force().await.unwrap();
    assert_eq!(left.iter().map(|key| key.prefix.as_str()).collect::<Vec<_>>(), ["svc_BBBBBBBB"]);
    let revoked_at = store.keys().list().await.unwrap().remove(2).revoked_at;
    let again = svc.out(&["keys", "revoke", "svc_AAAAAAAA"]);
    assert_eq!(again, "svc_AAAAAAAA was revoked before.\n");
    assert_eq!(store.keys().list().await.unwrap().remove(2).revoked_at, revoked_at);
    store.close().await;
    assert_eq!(
        svc.json(&["keys", "revoke", "svc_BBBBBBBB", "--json"]),
        json!({ "prefix": "svc_BBBBBBBB", "revoked": true, "disabledSubscriptions": [] })
    );
}

#[tokio::test]
async fn a_whole_key_revokes_itself_and_is_not_repeated() {
    let svc = Svc::migrated();
    let created = svc.json(&["keys", "create", "--partner", "Acme", "--json"]);
    let (key, prefix) = (created["key"].as_str().unwrap(), created["prefix"].as_str().unwrap());
    assert_eq!(
        svc.out(&["keys", "revoke", key]),
        format!("{prefix} is revoked: every node refuses it within 5 seconds.\n")
    );
    let store = svc.open(Missing::Refuse).await;
    assert_eq!(store.keys().in_force().await.unwrap().len(), 0);
    store.close().await;
}

#[tokio::test]
async fn what_names_no_key_is_refused_without_showing_a_secret() {
    let svc = with_keys().await;
    let whole = format!("svc_{}", "Z".repeat(38));
    for (given, shown) in [
        ("svc_ZZZZZZZZ", "\"svc_ZZZZZZZZ\""),
        ("svc_A", "\"svc_A\""),
        ("svc_AAAAAAAA9", "\"svc_AAAAAAAA\"…"),
        (&whole, "\"svc_ZZZZZZZZ\"…"),
        (&whole[..41], "\"svc_ZZZZZZZZ\"…"),
    ] {
        let ran = svc.run(&["keys", "revoke", given, "--json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{given}");
        assert_eq!(
            ran.err,
            format!(
                "svc: there is no key {shown}: give the 12 characters that `svc keys list` shows\n"
            )
        );
    }
    let store = svc.open(Missing::Refuse).await;
    assert_eq!(store.keys().in_force().await.unwrap().len(), 2);
    store.close().await;
}

#[test]
fn no_command_on_keys_makes_a_database() {
    let svc = Svc::new();
    for arguments in [
        &["keys", "list"][..],
        &["keys", "revoke", "svc_AAAAAAAA"],
        &["keys", "create", "--partner", "Acme"],
    ] {
        let ran = svc.run(arguments);
        assert_eq!((ran.code, ran.err), (Some(1), svc.no_database_yet()), "{arguments:?}");
    }
    assert!(!svc.path("data").exists());
}

#[test]
fn a_key_has_a_note_a_limit_and_origins_of_pages_if_they_are_given() {
    let svc = Svc::migrated();
    let create =
        |flags: &[&str]| svc.run(&[&["keys", "create", "--partner", "Acme"], flags].concat());
    let settings = [
        "--note",
        " their  wiki ",
        "--rate",
        "10",
        "--origins",
        "https://a.example,https://B.example:443/,https://a.example",
    ];
    let told = "their wiki; 10 requests a minute; https://a.example; https://b.example";
    let said = create(&settings).out;
    assert!(said.ends_with(&format!("Expires: never\nSettings: {told}\n")), "{said}");
    assert!(svc.out(&["keys", "list"]).ends_with(&format!("  active  {told}\n")));
    let shown: Value =
        serde_json::from_str(&create(&[&settings[..], &["--json"]].concat()).out).unwrap();
    let listed = svc.json(&["keys", "list", "--json"])["keys"][0].clone();
    for (name, value) in [
        ("note", json!("their wiki")),
        ("requestsPerMinute", json!(10)),
        ("origins", json!(["https://a.example", "https://b.example"])),
    ] {
        assert_eq!((&shown[name], &listed[name]), (&value, &value));
    }
    let long = "x".repeat(201);
    for (flags, why) in [
        (["--note", &long], "it is 201 characters long; the maximum is 200"),
        (["--rate", "0"], "give a number from 1 to 100000"),
        (["--rate", "x"], "give a number from 1 to 100000"),
        (
            ["--origins", "https://a.example/path"],
            "\"https://a.example/path\" is not the origin of a page: write one like https://example.org, without a \
             path",
        ),
    ] {
        let ran = create(&flags);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    let operators = create(&["--tier", "operator", "--origins", "https://a.example"]);
    assert_eq!(operators.code, Some(1));
    assert!(operators.err.contains("leave out the origins"), "{}", operators.err);
}
