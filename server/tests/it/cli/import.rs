use serde_json::json;

use crate::harness::{Ran, Svc};

const HEADER: &str = "id,type,city,region,country,peopleCount,eventDate,createdAt\n";

fn refusals(ran: &Ran) -> Vec<&str> {
    ran.err.lines().collect()
}

fn total(svc: &Svc, status: &str) -> usize {
    let listed = svc.json(&["reports", "list", "--status", status, "--limit", "1000", "--json"]);
    listed["reports"].as_array().unwrap().len()
}

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
    assert_eq!(ran.out, "2 reports imported as pending; 18 rows refused.\n");
    let today = svc::clock::Clock::system().today();
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
            "line 17: city: is 257 characters long, and 256 is the most",
            "line 18: city: has a control character (U+0007)",
            "line 19: has 5 fields where the header has 8",
            "line 20: id: a report with the id \"1\" is there already, with another type",
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
         5,spirit,Oslo,Norway,59.9,east\n",
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
        ]
    );
}

#[test]
fn marks_line_ends_and_quotes_of_other_programs_are_understood() {
    let svc = Svc::migrated();
    let csv = "\u{FEFF}id,type,city,country,note\r\n\
               1,spirit,\"Rio de\nJaneiro\",Brazil,\"a \"\"quoted\"\", note\"\r\n\
               \r\n\
               2,water,Łódź,Poland,\r\n\
               3,fire,東京,Japan,x";
    let ran = svc.import(csv, &["--backfill"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        [
            "note: the column \"note\" is not used",
            "line 6: type: \"fire\" is not one of spirit, water, both",
        ]
    );
    let listed = svc.json(&["reports", "list", "--json"]);
    assert_eq!(listed["reports"][0]["city"], "Rio de Janeiro");
    assert_eq!(listed["reports"][1]["city"], "Łódź");
}

#[test]
fn a_file_that_is_no_list_of_reports_is_refused_as_a_whole() {
    let svc = Svc::migrated();
    for (file, expected) in [
        (
            &b""[..],
            "the file is empty: a header line and rows are expected, or a JSON object a line",
        ),
        (
            b" \n\r\n",
            "the file is empty: a header line and rows are expected, or a JSON object a line",
        ),
        (
            b"type,city\nspirit,Oslo\n",
            "the header lacks country; it must name type, city and country, and may name id, \
             region, peopleCount, eventDate, createdAt, lat and lng",
        ),
        (
            b"type;city;country\n",
            "the header lacks type and city and country; it must name type, city and country, and \
             may name id, region, peopleCount, eventDate, createdAt, lat and lng. Its columns seem \
             to be separated by semicolons: use commas",
        ),
        (b"type,city,country,city\n", "the header names the column city twice"),
        (
            b"type,city,country,people_count\n",
            "the header has a column \"people_count\": write it peopleCount",
        ),
        (b"Type,city,country\n", "the header has a column \"Type\": write it type"),
        (
            b"\xFF\xFEt\0y\0p\0e\0",
            "the file is not text in UTF-8 (it looks like UTF-16 or binary): save it as UTF-8",
        ),
        (
            b"type,city,country,\xE9t\xE9\n",
            "the header is not UTF-8 (byte 0xE9 after 0 bytes): save the file as UTF-8",
        ),
    ] {
        let ran = svc.import(file, &[]);
        assert_eq!(ran.code, Some(1), "{expected}");
        let stopped = "svc: importing reports.csv stopped; what was imported before stays: ";
        assert_eq!(ran.err, format!("{stopped}{expected}\n"));
    }
    assert_eq!(svc.run(&["reports", "import", "."]).code, Some(1));
}

#[test]
fn a_row_in_another_encoding_is_refused_alone() {
    let svc = Svc::migrated();
    let ran = svc
        .import(b"id,type,city,country\n1,spirit,M\xFCnchen,Germany\n2,water,Oslo,Norway\n", &[]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        ["line 2: city: is not UTF-8 (byte 0xFC after 1 bytes): save the file as UTF-8"]
    );
    assert_eq!(total(&svc, "PENDING"), 1);
}

#[test]
fn a_quote_that_is_never_closed_does_not_take_the_memory_and_loses_no_row_before_it() {
    let svc = Svc::migrated();
    let mut csv = "id,type,city,country\n1,spirit,Oslo,Norway\n2,water,\"Oslo,Norway\n".to_owned();
    csv += &"3,water,Bergen,Norway\n".repeat(200_000);
    let ran = svc.import(csv, &[]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err
            .contains("line 3: the row is longer than 1 MiB: is there a quote that is not closed?"),
        "{}",
        ran.err
    );
    assert_eq!(total(&svc, "PENDING"), 1);
}

#[test]
fn ndjson_has_the_same_rules() {
    let svc = Svc::migrated();
    let lines = [
        r#"{"id":"1","type":"spirit","city":"Oslo","country":"Norway","peopleCount":3,"extra":[1]}"#,
        "",
        r#"{"id":"2","type":"spirit","city":"Oslo","country":"Norway","peopleCount":2.5}"#,
        r#"{"id":"3","type":"spirit","city":"Oslo"}"#,
        r#"{"id":"4","type":"spirit","city":["Oslo"],"country":"Norway"}"#,
        r#"{"id":"5","type":"spirit","type":"water","city":"Oslo","country":"Norway"}"#,
        r#"["not an object"]"#,
        r#"{"id":6,"type":"water","city":"Oslo","country":"Norway","region":null}"#,
    ];
    let ran = svc.run_with_input(&["reports", "import", "-"], lines.join("\n").as_bytes());
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert_eq!(ran.out, "2 reports imported as pending; 5 rows refused.\n");
    let refused = refusals(&ran);
    assert_eq!(
        refused[0],
        "line 3: peopleCount: \"2.5\" is not a whole number from 1 to 1,000,000"
    );
    assert_eq!(refused[1], "line 4: country: is empty");
    assert_eq!(refused[2], "line 5: city: is neither a text nor a number");
    assert!(
        refused[3].starts_with("line 6: is not a JSON object that can be read: duplicate field")
    );
    assert!(refused[4].starts_with("line 7: is not a JSON object that can be read: "));
}

#[test]
fn a_rerun_adds_nothing_with_ids_and_without() {
    let svc = Svc::migrated();
    let with_ids = svc.out(&["demo", "csv", "--rows", "500", "--seed", "3"]);
    let without = "type,city,country\nspirit,Oslo,Norway\nspirit,Oslo,Norway\nwater,Oslo,Norway\n";
    for csv in [with_ids.as_str(), without] {
        let rows = csv.lines().count() - 1;
        let first = svc.import(csv, &["--backfill"]);
        assert!(first.out.starts_with(&format!("{rows} reports imported")), "{}", first.out);
        let again = svc.import(csv, &["--backfill"]);
        assert_eq!((again.code, again.err.as_str()), (Some(0), ""));
        let skipped = format!(
            "0 reports imported and published as history; {rows} rows skipped, already there.\n"
        );
        assert_eq!(again.out, skipped);
    }
    // The file went on, and a bad row was mended: what was there keeps its id.
    let longer = "type,city,country\nboth,Oslo,Norway\nspirit,Oslo,Norway\nspirit,Oslo,Norway\n\
                  spirit,Oslo,Norway\nwater,Oslo,Norway\n";
    let ran = svc.import(longer, &["--backfill"]);
    assert_eq!(
        ran.out,
        "2 reports imported and published as history; 3 rows skipped, already there.\n"
    );
}

#[test]
fn an_import_makes_no_database() {
    let svc = Svc::new();
    let csv = "type,city,country\nspirit,Oslo,Norway\n";
    let ran = svc.import(csv, &["--database-url", "sqlite://dta/svc.db"]);
    assert_eq!((ran.code, ran.err), (Some(1), svc.no_database("dta/svc.db")));
    assert_eq!(svc.files(""), ["reports.csv"]);
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    let svc = Svc::new();
    let csv = "id,type,city,country\n1,spirit,Oslo,Norway\n1,spirit,Oslo,Norway\n2,fire,Oslo,Norway\n\
               1,water,Oslo,Norway\n";
    let expected = "1 report would be imported (dry run: nothing was written); 1 row skipped, \
                    already there; 2 rows refused.\n";
    let dry = svc.import(csv, &["--dry-run"]);
    assert_eq!((dry.code, dry.out.as_str()), (Some(3), expected));
    let missing = svc.no_database("data/svc.db").replacen("svc: ", "note: ", 1);
    let note = format!("{}; the rows are compared with each other only\n", missing.trim_end());
    assert!(dry.err.starts_with(&note), "{}", dry.err);
    assert!(!svc.path("data").exists());
    svc.out(&["db", "migrate"]);
    let dry = svc.import(csv, &["--dry-run"]);
    assert_eq!((dry.code, dry.out.as_str()), (Some(3), expected));
    assert_eq!(total(&svc, "PENDING"), 0);
}

#[test]
fn json_gives_the_summary_and_the_refusals() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country\n1,spirit,Oslo,Norway\n2,fire,Oslo,Norway\n",
        &["--json", "--approve"],
    );
    assert_eq!(ran.code, Some(3));
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        answer,
        json!({
            "summary": { "rows": 2, "imported": 1, "skipped": 0, "refused": 1 },
            "refused": [{
                "line": 3, "field": "type", "reason": "\"fire\" is not one of spirit, water, both",
            }],
            "dryRun": false,
        })
    );
}

#[test]
fn an_import_that_is_killed_is_completed_by_a_rerun_without_a_duplicate() {
    let svc = Svc::migrated();
    let rows = 120_000;
    let csv = svc.out(&["demo", "csv", "--rows", &rows.to_string(), "--seed", "5"]);
    std::fs::write(svc.path("reports.csv"), csv).unwrap();
    let arguments = ["reports", "import", "reports.csv", "--backfill"];
    let mut child = svc.command(&arguments).spawn().unwrap();
    // Once the first batch shows, the next is under way.
    let list = ["reports", "list", "--limit", "1", "--json"];
    loop {
        let listed = svc.run(&list);
        if listed.code == Some(0) && !listed.out.contains("\"reports\":[]") {
            break;
        }
        assert_eq!(child.try_wait().unwrap(), None, "the import was over before it was killed");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    svc.out(&["db", "check"]);
    let rest = svc.run(&["reports", "import", "reports.csv", "--backfill", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&rest.out).unwrap();
    let summary = &answer["summary"];
    let number = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!((rest.code, number("rows"), number("refused")), (Some(0), rows, 0));
    assert!(number("skipped") > 0 && number("imported") > 0, "{summary}");
    svc.out(&["db", "check"]);
    let again = svc.run(&["reports", "import", "reports.csv", "--backfill", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(answer["summary"]["skipped"], rows);
}
