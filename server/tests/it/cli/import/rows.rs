use serde_json::json;

use super::{HEADER, refusals, total};
use crate::harness::Svc;

#[test]
fn rows_wait_are_approved_or_are_history_as_asked() {
    for (flags, status) in
        [(&[][..], "PENDING"), (&["--approve"], "APPROVED"), (&["--backfill"], "APPROVED")]
    {
        let svc = Svc::migrated();
        let ran = svc.import(
            "type,city,country,createdAt\nspirit,Campinas,Brazil,2024-05-01T10:00:00Z\n",
            flags,
        );
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let listed = svc.json(&["reports", "list", "--json"]);
        let report = &listed["reports"][0];
        assert_eq!(
            *report,
            json!({
                "id": report["id"], "type": "spirit", "status": status, "city": "Campinas",
                "region": "", "country": "Brazil", "peopleCount": 1, "eventDate": "2024-05-01",
                "createdAt": "2024-05-01T10:00:00.000Z", "publishedAt": report["publishedAt"],
            })
        );
        match flags {
            ["--backfill"] => assert_eq!(report["publishedAt"], "2024-05-01T10:00:00.000Z"),
            ["--approve"] => assert!(report["publishedAt"].as_str() > Some("2026")),
            _ => assert!(report["publishedAt"].is_null()),
        }
    }
}

#[test]
fn a_bad_row_is_refused_by_line_field_and_reason_and_the_good_ones_go_in() {
    let svc = Svc::migrated();
    let long = "x".repeat(257);
    let rows = [
        "1,spirit,Oslo,,Norway,1,2024-01-01,2024-01-01T00:00:00Z",
        "2,fire,Oslo,,Norway,1,2024-01-01,",
        "3,,Oslo,,Norway,1,2024-01-01,",
        "4,water, ,,Norway,1,2024-01-01,",
        "5,water,Oslo,,,1,2024-01-01,",
        "6,water,Oslo,,Norway,-3,2024-01-01,",
        "7,water,Oslo,,Norway,0,2024-01-01,",
        "8,water,Oslo,,Norway,1000001,2024-01-01,",
        "9,water,Oslo,,Norway,99999999999999999999,2024-01-01,",
        "10,water,Oslo,,Norway,2.5,2024-01-01,",
        "11,water,Oslo,,Norway,1,2023-02-29,",
        "12,water,Oslo,,Norway,1,01/02/2024,",
        "13,water,Oslo,,Norway,1,2999-01-01,",
        "14,water,Oslo,,Norway,1,2024-01-01,2999-01-01T00:00:00Z",
        "15,water,Oslo,,Norway,1,2024-01-01,yesterday",
        &format!("16,water,{long},,Norway,1,2024-01-01,"),
        "17,water,Os\u{7}lo,,Norway,1,2024-01-01,",
        "18,water,Oslo,,Norway",
        "1,water,Oslo,,Norway,1,2024-01-01,",
        "20,WATER, Oslo ,,Norway,,2024-01-01,",
    ];
    let ran = svc.import(format!("{HEADER}{}\n", rows.join("\n")), &[]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.summary(), "2 reports imported as pending; 18 rows refused.\n");
    let today = base::clock::Clock::system().today();
    let future = format!("line 14: eventDate: 2999-01-01 is in the future: today is {today} (UTC)");
    let refused = refusals(&ran);
    let now = refused[12].rsplit_once("it is ").unwrap().1;
    assert_eq!(
        refused,
        [
            "line 3: type: \"fire\" is not one of spirit, water, both",
            "line 4: type: is empty",
            "line 5: city: is empty",
            "line 6: country: is empty",
            "line 7: peopleCount: \"-3\" is not a whole number from 1 to 1,000,000",
            "line 8: peopleCount: \"0\" is not a whole number from 1 to 1,000,000",
            "line 9: peopleCount: \"1000001\" is not a whole number from 1 to 1,000,000",
            "line 10: peopleCount: \"99999999999999999999\" is not a whole number from 1 to 1,000,000",
            "line 11: peopleCount: \"2.5\" is not a whole number from 1 to 1,000,000",
            "line 12: eventDate: \"2023-02-29\" is not a date that exists, written YYYY-MM-DD",
            "line 13: eventDate: \"01/02/2024\" is not a date that exists, written YYYY-MM-DD",
            &future,
            &format!("line 15: createdAt: \"2999-01-01T00:00:00Z\" is in the future: it is {now}"),
            "line 16: createdAt: \"yesterday\" is not a date and time in ISO 8601, such as \
             2024-05-31T18:00:00Z",
            "line 17: city: is 257 characters long; the maximum is 256",
            "line 18: city: has a control character (U+0007)",
            "line 19: has 5 fields where the header has 8",
            "line 20: id: a report with the id \"1\" already exists with a different type",
        ]
    );
    assert_eq!(total(&svc, "PENDING"), 2);
}

#[test]
fn positions_come_in_pairs_and_in_range() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country,lat,lng\n\
         1,spirit,Oslo,Norway,59.9,10.7\n\
         2,spirit,Oslo,Norway,59.9,\n\
         3,spirit,Oslo,Norway,90.1,10.7\n\
         4,spirit,Oslo,Norway,NaN,10.7\n\
         5,spirit,Oslo,Norway,59.9,east\n\
         6,spirit,Oslo,Norway,\"59,9\",\"10,75\"\n\
         7,spirit,Oslo,Norway,\"5,9.1\",10\n",
        &[],
    );
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        [
            "line 3: lng: is empty, though lat is given",
            "line 4: lat: \"90.1\" is not a number from -90 to 90",
            "line 5: lat: \"NaN\" is not a number from -90 to 90",
            "line 6: lng: \"east\" is not a number from -180 to 180",
            "line 8: lat: \"5,9.1\" is not a number from -90 to 90",
        ]
    );
    assert_eq!(ran.summary(), "2 reports imported as pending; 5 rows refused.\n");
}

#[test]
fn everything_that_is_wrong_with_a_row_is_said_at_once_and_it_counts_as_one() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country,peopleCount,eventDate,lat,lng\n\
         1,spirit,Oslo,Norway,1,2024-01-01,,\n\
         2,fire,,Norway,many,2024-02-30,91,east\n\
         3,spirit,Oslo,,1,2024-01-01,59.9,\n",
        &["--json"],
    );
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        [
            "line 3: type: \"fire\" is not one of spirit, water, both",
            "line 3: city: is empty",
            "line 3: peopleCount: \"many\" is not a whole number from 1 to 1,000,000",
            "line 3: eventDate: \"2024-02-30\" is not a date that exists, written YYYY-MM-DD",
            "line 3: lat: \"91\" is not a number from -90 to 90",
            "line 3: lng: \"east\" is not a number from -180 to 180",
            "line 4: country: is empty",
            "line 4: lng: is empty, though lat is given",
        ]
    );
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["summary"], json!({ "rows": 3, "imported": 1, "skipped": 0, "refused": 2 }));
    assert_eq!(
        answer["refused"].as_array().unwrap()[6..],
        [
            json!({ "line": 4, "field": "country", "reason": "is empty" }),
            json!({ "line": 4, "field": "lng", "reason": "is empty, though lat is given" }),
        ]
    );
}

#[test]
fn rows_with_nothing_in_them_are_passed_over() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country\n1,spirit,Oslo,Norway\n,,,\n2,spirit,Bergen,Norway,,\n , ,\u{a0},\n\n   \n,,,,,,\n",
        &[],
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.summary(), "2 reports imported as pending.\n");
    assert_eq!(super::cities(&svc), ["Oslo", "Bergen"]);
}

#[test]
fn an_instant_needs_no_seconds() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country,createdAt\n1,spirit,Oslo,Norway,2026-01-05T10:00+01:00\n",
        &[],
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let listed = svc.json(&["reports", "list", "--json"]);
    assert_eq!(listed["reports"][0]["createdAt"], "2026-01-05T09:00:00.000Z");
}

#[test]
fn a_country_that_nobody_knows_goes_in_and_is_named_at_the_end() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country\n1,spirit,Oslo,Norway\n2,spirit,Cair Paravel,Narnia\n\
         3,spirit,Oslo,Norge\n4,spirit,Oslo,NO\n5,water,Beruna,Narnia\n6,fire,Oslo,Norway\n\
         7,both,Emerald City,Oz\n",
        &[],
    );
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        [
            "line 7: type: \"fire\" is not one of spirit, water, both",
            "note: countries that are not recognised: \"Narnia\" (2 rows), \"Oz\" (1 row)",
        ]
    );
    assert_eq!(ran.summary(), "6 reports imported as pending; 1 row refused.\n");
}

#[test]
fn a_character_that_was_lost_before_is_not_published() {
    let svc = Svc::migrated();
    let ran = svc.import("id,type,city,country\n1,spirit,M\u{FFFD}nchen,Germany\n", &[]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        ran.err,
        "line 2: city: \"M\u{FFFD}nchen\" has a character in it that another program could not read \
         (U+FFFD)\n"
    );
}
