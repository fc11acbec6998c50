use serde_json::json;

use super::{cities, total};
use crate::harness::Svc;

fn read(svc: &Svc, name: &str) -> String {
    std::fs::read_to_string(svc.path(name)).unwrap()
}

#[test]
fn refused_rows_are_written_with_the_reasons_mended_and_imported_again() {
    let svc = Svc::migrated();
    let csv = "id;note;type;city;country\n\
               1;a;spirit;Oslo;Norway\n\
               2;\"b;\"\"c\"\"\";fire;;Norway\n\
               3;d;water;Bergen\n\
               1;e;both;Oslo;Norway\n\
               4;f;water;Bergen;Norway;more\n";
    let ran = svc.import(csv, &["--errors", "errors.csv"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        ran.summary(),
        "1 report imported as pending; 4 rows refused, written to errors.csv.\n"
    );
    assert_eq!(
        read(&svc, "errors.csv"),
        "refusedBecause;id;note;type;city;country\n\
         \"type: \"\"fire\"\" is not one of spirit, water, both; city: is empty\";2;\"b;\"\"c\"\"\";fire;;Norway\n\
         has 4 fields where the header has 5;3;d;water;Bergen\n\
         \"id: a report with the id \"\"1\"\" already exists with a different type\";1;e;both;Oslo;Norway\n\
         has 6 fields where the header has 5;4;f;water;Bergen;Norway;more\n"
    );
    // The unchanged file is refused again, in the same form.
    let again = svc.run(&["reports", "import", "errors.csv", "--errors", "again.csv"]);
    assert_eq!(
        again.summary(),
        "0 reports imported as pending; 4 rows refused, written to again.csv.\n"
    );
    assert!(
        again.err.starts_with("note: the column \"note\" is not used\nline 2: type: "),
        "{}",
        again.err
    );
    let first = read(&svc, "errors.csv");
    assert_eq!(read(&svc, "again.csv"), first);
    let mended = first
        .replace("fire;;", "both;Oslo;")
        .replace("water;Bergen\n", "water;Bergen;Norway\n")
        .replace(";1;e;", ";5;e;")
        .replace(";more", "");
    std::fs::write(svc.path("mended.csv"), mended).unwrap();
    let ran = svc.run(&["reports", "import", "mended.csv", "--errors", "none.csv"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "note: the column \"note\" is not used\n"));
    assert_eq!(ran.summary(), "4 reports imported as pending.\n");
    assert_eq!(total(&svc, "PENDING"), 5);
    assert!(!svc.path("none.csv").exists());
}

#[test]
fn refused_rows_have_no_formulas_and_are_what_they_were_when_they_are_imported_again() {
    let svc = Svc::migrated();
    let csv = "id,type,city,country,lat,lng,note\r\n\
               =1,fire,\"=HYPERLINK(\"\"https://evil.example\"\",\"\"x\"\")\",@Norway,-12.3,+5,-cmd|' /C calc'!A0\r\n\
               'a,fire,'s-Hertogenbosch,Netherlands,,,\r\n";
    assert_eq!(svc.import(csv, &["--errors", "errors.csv"]).code, Some(3));
    let written = read(&svc, "errors.csv");
    let rows: Vec<&str> =
        written.lines().skip(1).map(|row| row.rsplit_once("both\",").unwrap().1).collect();
    assert_eq!(
        rows,
        [
            "'=1,fire,\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"x\"\")\",'@Norway,-12.3,+5,'-cmd|' /C calc'!A0",
            "'a,fire,'s-Hertogenbosch,Netherlands,,,",
        ]
    );
    std::fs::write(svc.path("mended.csv"), written.replace(",fire,", ",both,")).unwrap();
    assert_eq!(svc.run(&["reports", "import", "mended.csv"]).code, Some(0));
    let list = svc.json(&["reports", "list", "--json"]);
    let mut places: Vec<_> = list["reports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|report| {
            [&report["id"], &report["city"], &report["country"]].map(|text| text.as_str().unwrap())
        })
        .collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            ["'a", "'s-Hertogenbosch", "Netherlands"],
            ["=1", "=HYPERLINK(\"https://evil.example\",\"x\")", "@Norway"],
        ]
    );
}

#[test]
fn refused_rows_of_json_are_written_as_csv() {
    let svc = Svc::migrated();
    let lines = [
        r#"{"id":"1","type":"fire","city":"Oslo","country":"Norway","people_count":3,"lat":1.5}"#,
        r#"{"id":"2","type":"spirit","city":["Oslo"],"country":"Norway"}"#,
        r#"{"id":"3""#,
        r#"{"id":"4","type":"spirit","city":"Bergen","country":"Norway"}"#,
    ];
    let arguments = ["reports", "import", "-", "--errors", "errors.csv", "--json"];
    let ran = svc.run_with_input(&arguments, lines.join("\n").as_bytes());
    assert_eq!(ran.code, Some(3));
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["summary"]["refused"], 3);
    assert_eq!(answer["errors"], "errors.csv");
    assert_eq!(
        read(&svc, "errors.csv"),
        "refusedBecause,id,type,city,region,country,peopleCount,eventDate,createdAt,lat,lng,refusedJson\n\
         \"type: \"\"fire\"\" is not one of spirit, water, both; lng: is empty, though lat is given\",\
         1,fire,Oslo,,Norway,3,,,1.5,,\n\
         city: is neither a text nor a number,2,spirit,,,Norway,,,,,,\
         \"{\"\"id\"\":\"\"2\"\",\"\"type\"\":\"\"spirit\"\",\"\"city\"\":[\"\"Oslo\"\"],\"\"country\"\":\"\"Norway\"\"}\"\n\
         \"is not valid JSON: EOF while parsing an object, at column 9\",,,,,,,,,,,\"{\"\"id\"\":\"\"3\"\"\"\n"
    );
    let mended = read(&svc, "errors.csv")
        .replace("1,fire,", "1,both,")
        .replace(",1.5,,", ",1.5,2.5,")
        .replace("2,spirit,,", "2,spirit,Hamar,");
    std::fs::write(svc.path("mended.csv"), mended).unwrap();
    let ran = svc.run(&["reports", "import", "mended.csv"]);
    assert_eq!(
        ran.err,
        "line 4: type: is empty\nline 4: city: is empty\nline 4: country: is empty\n"
    );
    assert_eq!(cities(&svc), ["Oslo", "Hamar", "Bergen"]);
}

#[test]
fn refused_rows_overwrite_nothing_and_leave_nothing_where_there_are_none() {
    let svc = Svc::migrated();
    let csv = "id,type,city,country\n1,spirit,Oslo,Norway\n";
    std::fs::write(svc.path("errors.csv"), "mine").unwrap();
    for name in ["errors.csv", "reports.csv"] {
        let ran = svc.import(csv, &["--errors", name]);
        assert_eq!(
            (ran.code, ran.err),
            (Some(1), format!("svc: {name} already exists: name another file for --errors\n"))
        );
    }
    assert_eq!((read(&svc, "errors.csv"), read(&svc, "reports.csv")), ("mine".into(), csv.into()));
    let ran = svc.import(csv, &["--errors", "no/such/folder.csv"]);
    assert!(ran.err.starts_with("svc: no/such/folder.csv could not be created: "), "{}", ran.err);
    let ran = svc.import(csv, &["--errors", "new.csv", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["errors"], json!(null));
    assert!(!svc.path("new.csv").exists());
    // A dry run writes refused rows too, so they can be corrected before the first import.
    let ran = svc.import(
        "id,type,city,country\n1,fire,Oslo,Norway\n",
        &["--dry-run", "--errors", "dry.csv"],
    );
    assert_eq!(
        ran.out,
        "0 reports would be imported (dry run: nothing was written); 1 row refused, written to dry.csv.\n"
    );
    assert!(read(&svc, "dry.csv").ends_with(",1,fire,Oslo,Norway\n"));
}

#[test]
fn refused_rows_are_kept_when_the_import_stops() {
    let svc = Svc::migrated();
    let csv = "id,type,city,country\n1,spirit,Oslo,Norway\n2,fire,Oslo,Norway\n3,\"spirit,Oslo\n";
    let ran = svc.import(csv, &["--errors", "errors.csv"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "line 3: type: \"fire\" is not one of spirit, water, both\nsvc: importing reports.csv stopped; the reports \
            imported before that (1 report) remain; the rows refused before are in errors.csv: line 4: the quote that \
            opens before \"spirit,Oslo\" is not closed up to the end of the file\n"
    );
    assert!(read(&svc, "errors.csv").ends_with(",2,fire,Oslo,Norway\n"));
}

#[test]
fn refused_rows_are_as_excel_reads_them_where_the_file_was() {
    let svc = Svc::migrated();
    let text = "\u{FEFF}id\ttype\tcity\tcountry\r\n1\tfire\tŁódź\tPoland\r\n";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    svc.import(wide, &["--errors", "errors.csv"]);
    assert_eq!(
        read(&svc, "errors.csv"),
        "\u{FEFF}refusedBecause\tid\ttype\tcity\tcountry\n\
         \"type: \"\"fire\"\" is not one of spirit, water, both\"\t1\tfire\tŁódź\tPoland\n"
    );
    // Bytes that are not valid text are copied unchanged.
    let svc = Svc::migrated();
    svc.import(b"id,type,city,country\n1,spirit,M\xFCnchen,Germany\n", &["--errors", "errors.csv"]);
    let written = std::fs::read(svc.path("errors.csv")).unwrap();
    assert!(written.ends_with(b",1,spirit,M\xFCnchen,Germany\n"));
}

#[test]
fn a_row_with_a_torn_quote_is_refused_again_as_long_as_it_is_torn() {
    let svc = Svc::migrated();
    let csv = "id,type,city,country\n1,spirit,\"Oslo,Norway\n2,water,\"Bergen\",Norway\n";
    svc.import(csv, &["--errors", "errors.csv"]);
    let expected = "refusedBecause,id,type,city,country\n\
        \"has text after a closing quote, and spans 2 lines: is a quote not closed?\",\
        1,spirit,\"Oslo,Norway\n2,water,\"Bergen\",Norway\n";
    assert_eq!(read(&svc, "errors.csv"), expected);
    let ran = svc.run(&["reports", "import", "errors.csv", "--errors", "again.csv"]);
    assert_eq!((ran.code, read(&svc, "again.csv").as_str()), (Some(3), expected));
}
