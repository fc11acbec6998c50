//! `svc db copy` between a SQLite file and a PostgreSQL server, independent of the engine under test.

mod answers;
mod changes;
mod dump;
mod interrupted;
mod refused;
mod secrets;
mod webhooks;

use domain::{
    event::EventName::{MetricsUpdated, ReportCreated},
    signature::Secret,
    subscription::NewSubscription,
};
use serde_json::{Value, json};
use store::{CityName, DeskView, ImportResult, Missing, NextStep};

use self::dump::dump;
use crate::{
    harness::{Engine, Ran, START, Svc, instant},
    leasing::deliver,
};

/// Copies the database of `from` to that of `to`.
fn copy(from: &Svc, to: &Svc) -> Ran {
    from.run(&["db", "copy", "--from", &from.database_url(), "--to", &to.database_url()])
}

/// Copies a database, which has to succeed, and returns the JSON output.
fn copied(from: &Svc, to: &Svc) -> Value {
    let (from_url, to_url) = (from.database_url(), to.database_url());
    from.json(&["db", "copy", "--from", &from_url, "--to", &to_url, "--json"])
}

/// Id of a subscription; short ids are refused.
fn id(number: u32) -> String {
    format!("sub_{number:022}")
}

fn secret(number: u32) -> String {
    format!("whsec_{number:043}=")
}

/// Creates a SQLite file with rows in every table: reports of all statuses, imports, keys including a revoked one,
/// subscriptions with deliveries and attempts, an old secret, and secrets that were encrypted again.
async fn filled() -> Svc {
    let svc = Svc::with_migrated_file();
    let key = svc.json(&["keys", "create", "--partner", "Acme", "--json"]);
    svc.out(&[
        "keys",
        "create",
        "--partner",
        "Aid",
        "--tier",
        "enterprise",
        "--expires",
        "2999-01-01",
    ]);
    svc.out(&["keys", "create", "--partner", "Acme", "--tier", "test"]);
    svc.out(&["keys", "revoke", key["prefix"].as_str().unwrap()]);
    let store = svc.open(Missing::Refuse).await;
    for (number, url) in
        [(1, "https://example.org/hook"), (2, "https://example.com/hook"), (3, "https://a.example")]
    {
        let new = NewSubscription {
            id: id(number),
            partner_id: i64::from(number % 2) + 1,
            url: url.to_owned(),
            events: vec![ReportCreated, MetricsUpdated],
            filter: None,
            secret: secret(number),
        };
        assert!(store.subscriptions().create(&new, u32::MAX).await.unwrap().is_some());
    }
    let new = Secret::from_stored(secret(1_001));
    assert!(store.subscriptions().rotate_secret(2, &id(1), &new).await.unwrap().is_some());
    store.subscriptions().unsubscribe(2, &id(3)).await.unwrap();
    import(&svc, 0..40, &["--approve"]);
    import(&svc, 40..50, &[]);
    let history = svc.out(&["demo", "csv", "--rows", "1500", "--seed", "7"]);
    assert_eq!(svc.import(history, &["--backfill"]).code, Some(0));
    svc.out(&["reports", "reject", "r40", "r41"]);
    svc.out(&["reports", "withdraw", "r0", "r1"]);
    svc.out(&["reports", "approve", "r42"]);
    deliver(&store, 1, Ok(204), NextStep::Delivered).await;
    let retry = NextStep::Retry { at: instant(START), failures: 1 };
    deliver(&store, 1, Err("timeout"), retry).await;
    deliver(&store, 1, Ok(500), NextStep::Failed { failures: 10 }).await;
    store.subscriptions().disable(&id(2), "it was asked for").await.unwrap();
    let import = store.reports().imports(1).await.unwrap().remove(0).id;
    let refused_rows = b"refusedBecause,id\nwhy,r\n".to_vec();
    let (total, imported, refused) = (2, 1, 1);
    let failure = Some(json!({ "line": 4, "reason": { "Other": "Ä" } }));
    let result =
        ImportResult { total, imported, refused, refused_rows, failure, ..ImportResult::default() };
    store.reports().note_import_result(import, &result).await.unwrap();
    store.reports().keep_import_layout([7; 32], "dates=day-first").await.unwrap();
    let view = DeskView { name: "Ä".to_owned(), query: "status=REJECTED".to_owned() };
    assert!(store.desk_views().save("Maria", &view).await.unwrap());
    let places = ["Åsa", "Asaa"].map(|city| CityName::of(["Sweden", "", city]));
    assert!(store.reports().keep_apart(&places).await.unwrap());
    store.close().await;
    svc.out(&["keys", "rotate-master"]);
    svc.change("INSERT INTO key_requests (key_id, hour, requests, refused) VALUES (1, 7, 8, 9)")
        .await;
    svc.change("INSERT INTO log_gaps (last, next) VALUES (-7, 0)").await;
    svc.change(
        "INSERT INTO idempotency_keys (owner, key, request_hash, claim, started_at, claimed_until, had_effect, status,
                                       response)
         VALUES ('partner 1', 'Ä key', x'00ff', 2, 7, 8, TRUE, 201, x'7b7d'),
                ('key 1', 'a key', x'', -1, 7, 8, FALSE, NULL, NULL)",
    )
    .await;
    svc.change(
        "INSERT INTO submissions (report_seq, source, network, fingerprint, note, contact, created_at, decided_at)
         VALUES (41, 'public', x'00ff', x'ff00', 'Ä note', 'Ä contact', 7, NULL),
                (42, 'api:svc_12345678', NULL, NULL, '', '', 8, 9)",
    )
    .await;
    svc.change(
        "INSERT INTO unannounced_history (id, reports, since, until, changed_at) VALUES (1, 2, 3, 4, 5)",
    )
    .await;
    svc.change("INSERT INTO used_proofs (hash, expires_at) VALUES (x'00ff', 7)").await;
    svc.change("UPDATE partners SET email = 'Ä@example.org', email_token = 'Ä', mailed_at = 7 WHERE id = 1").await;
    svc.change("INSERT INTO partner_mails (subscription_seq, noticed_at) VALUES (2, 7)").await;
    svc.change("INSERT INTO intake_key (id, key) VALUES (1, x'00ff')").await;
    svc
}

/// Imports reports from three cities, some with coordinates.
fn import(svc: &Svc, numbers: std::ops::Range<u32>, flags: &[&str]) {
    let rows: Vec<String> = numbers
        .map(|number| match number % 3 {
            0 => format!("r{number},spirit,Oslo,Norway,-0.0,{}.25\n", number % 90),
            1 => format!("r{number},water,São Paulo,Brazil,,\n"),
            _ => format!("r{number},both,\"Nowhere, Hill\",Brazil,12.123456789012345,-7\n"),
        })
        .collect();
    let csv = format!("id,type,city,country,lat,lng\n{}", rows.concat());
    assert_eq!(svc.import(csv, flags).code, Some(0));
}

#[tokio::test]
async fn a_copy_and_a_copy_of_it_have_the_same_rows_in_every_table() {
    let source = filled().await;
    // The table is larger than one read batch.
    import(&source, 1_000..6_000, &[]);
    let original = dump(&source.database_url()).await;
    let empty: Vec<&String> =
        original.iter().filter(|(_, rows)| rows.is_empty()).map(|(table, _)| table).collect();
    assert_eq!(empty, [""; 0], "nothing is copied of these");
    let (server, other, file) = (Svc::with_server(), Svc::with_server(), Svc::with_file());
    for (from, to) in [(&source, &server), (&server, &other), (&other, &file)] {
        let totals = copied(from, to);
        let rows: usize = original.values().map(Vec::len).sum();
        assert_eq!(totals["rows"], rows);
        assert_eq!(totals["sourceHasChanged"], false);
        for table in totals["tables"].as_array().unwrap() {
            assert_eq!(table["rows"], original[table["table"].as_str().unwrap()].len());
        }
        let copy = dump(&to.database_url()).await;
        for (table, rows) in &original {
            assert_eq!(&copy[table], rows, "{table}");
        }
        assert_eq!(copy.len(), original.len());
        if to.engine() == Engine::Postgres {
            let known = "SELECT reltuples::bigint FROM pg_class WHERE oid = 'reports'::regclass";
            assert_eq!(to.count(known).await, original["reports"].len() as i64, "for its plans");
        }
        to.out(&["db", "check"]);
    }
}

#[tokio::test]
async fn numbers_go_on_where_those_of_the_source_are_and_none_is_given_again() {
    let source = filled().await;
    // The subscription with the largest number is deleted.
    source.change("DELETE FROM subscriptions WHERE seq = 3").await;
    let (server, file) = (Svc::with_server(), Svc::with_file());
    copied(&source, &server);
    copied(&server, &file);
    let numbers = async |svc: &Svc| {
        import(svc, 100..101, &["--approve"]);
        svc.out(&["keys", "create", "--partner", "New"]);
        let store = svc.open(Missing::Refuse).await;
        let new = NewSubscription {
            id: id(9),
            partner_id: 1,
            url: "https://example.org/hook".to_owned(),
            events: vec![ReportCreated],
            filter: None,
            secret: secret(9),
        };
        assert!(store.subscriptions().create(&new, u32::MAX).await.unwrap().is_some());
        store.close().await;
        svc.pairs(
            "SELECT (SELECT max(seq) FROM subscriptions), (SELECT max(seq) FROM reports)
             UNION ALL SELECT (SELECT max(id) FROM partners), (SELECT max(id) FROM keys)
             UNION ALL SELECT (SELECT max(seq) FROM events), (SELECT max(id) FROM segments)
             UNION ALL SELECT (SELECT max(id) FROM places), 0",
        )
        .await
    };
    for svc in [&server, &file] {
        std::fs::copy(source.key_file(), svc.key_file()).unwrap();
    }
    let expected = numbers(&source).await;
    assert_eq!(expected[0].0, 4);
    assert_eq!(numbers(&server).await, expected);
    assert_eq!(numbers(&file).await, expected);
}

#[tokio::test]
async fn what_was_done_is_a_short_table_and_a_sentence() {
    let source = Svc::with_migrated_file();
    import(&source, 0..1, &["--approve"]);
    let target = Svc::with_server();
    let ran = copy(&source, &target);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "TABLE                ROWS");
    assert!(lines.contains(&"reports              1"), "{lines:?}");
    let (to, from) = (target.database_name(), source.database_name());
    let rows: usize = dump(&source.database_url()).await.values().map(Vec::len).sum();
    let sentence = format!("{to} is a complete copy of {from} now, with {rows} rows.");
    assert_eq!(lines.last(), Some(&sentence.as_str()));
}

#[tokio::test]
async fn wrong_usage_is_refused_with_2() {
    let svc = Svc::with_migrated_file();
    let url = svc.database_url();
    for arguments in [
        &["db", "copy"][..],
        &["db", "copy", "--from", &url],
        &["db", "copy", "--to", &url],
        &["db", "copy", &url, &url],
        &["db", "copy", "--from", &url, "--to", &url, "--force"],
    ] {
        let ran = svc.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
    }
}
