use super::{cities, import_as};
use crate::harness::Svc;

#[test]
fn a_file_that_is_no_list_of_reports_is_refused_as_a_whole() {
    let svc = Svc::migrated();
    for (file, expected) in [
        (&b""[..], "the file is empty: a header line and rows are expected, or JSON objects"),
        (b" \n\r\n", "the file is empty: a header line and rows are expected, or JSON objects"),
        (
            b"type,city\nspirit,Oslo\n",
            "the header lacks country; it must name type, city and country, and may name id, \
             region, peopleCount, eventDate, createdAt, lat and lng",
        ),
        (
            b"typ;city;city;contry;\xE9t\xE9;city;note\n",
            "the header is not UTF-8: the file looks like Windows-1252 (it would read \"\u{e9}t\u{e9}\"); \
             save it as UTF-8, in Excel as \"CSV UTF-8\"; \
             the header names the column city twice; \
             the header lacks type and country; it must name type, city and country, and \
             may name id, region, peopleCount, eventDate, createdAt, lat and lng; \
             the column \"typ\" is not used (is it meant to be type?); \
             the column \"contry\" is not used (is it meant to be country?); \
             the column \"note\" is not used",
        ),
        (b"type,city,country,city\n", "the header names the column city twice"),
        (
            b"type,city,country,people_count,peopleCount\n",
            "the header names the column peopleCount twice",
        ),
        (
            b"t\0y\0p\0e\0",
            "the file is not text (or is UTF-16 without a byte order mark): save it as UTF-8",
        ),
        (b"\xFF\xFE\0\0t\0\0\0", "the file is in UTF-32: save it as UTF-8"),
        (b"PK\x03\x04\x14\0", "the workbook or ZIP archive is damaged: copy it again"),
        (
            b"\xD0\xCF\x11\xE0\xA1\xB1",
            "the file is a workbook of an old format (.xls), or has a password: in Excel, save it as \
             .xlsx without a password",
        ),
        (b"BZh91AY", "the file is compressed with bzip2 or xz: unpack it, or use gzip or zstd"),
    ] {
        let ran = svc.import(file, &[]);
        assert_eq!(ran.code, Some(1), "{expected}");
        let stopped = "svc: importing reports.csv stopped; nothing was imported: ";
        assert_eq!(ran.err, format!("{stopped}{expected}\n"));
        let dry = svc.import(file, &["--dry-run"]);
        assert_eq!(dry.err, format!("svc: checking reports.csv stopped: {expected}\n"));
    }
    assert_eq!(svc.run(&["reports", "import", "."]).code, Some(1));
}

#[test]
fn columns_are_separated_by_what_the_header_has() {
    for (name, file) in [
        ("semicolons.csv", "id;type;city;country\n1;spirit;Oslo, \"the\" town;Norway\n"),
        ("tabs.tsv", "id\ttype\tcity\tcountry\n1\tspirit\tOslo, \"the\" town\tNorway\n"),
        ("bars.txt", "id|type|city|country\n1|spirit|Oslo, \"the\" town|Norway\n"),
        ("named.csv", "sep=;\nid;type;city;country\n1;spirit;Oslo, \"the\" town;Norway\n"),
        (
            "quoted.csv",
            "\"id\";\"type\";\"city\";\"country\"\n1;spirit;\"Oslo, \"\"the\"\" town\";Norway\n",
        ),
        ("commas.csv", "id,\"type\",city,country\n1,spirit,\"Oslo, \"\"the\"\" town\",Norway\n"),
    ] {
        assert_eq!(cities(&import_as(name, file)), ["Oslo, \"the\" town"], "{name}");
    }
}

#[test]
fn columns_are_known_in_any_case_and_with_blanks_underscores_or_hyphens() {
    let svc = import_as(
        "reports.csv",
        "ID,Type,CITY,Country,People Count,event_date,Created-At\n\
         1,spirit,Oslo,Norway,500,2024-01-05,2024-01-06T00:00:00Z\n",
    );
    let listed = svc.json(&["reports", "list", "--json"]);
    let report = &listed["reports"][0];
    assert_eq!(
        (&report["peopleCount"], &report["eventDate"], &report["createdAt"]),
        (&500.into(), &"2024-01-05".into(), &"2024-01-06T00:00:00.000Z".into())
    );
}

#[test]
fn a_header_of_half_a_million_columns_is_read_in_no_time() {
    let svc = Svc::migrated();
    for column in [&b"id,"[..], b"\xE9,", b",", b"x;"] {
        let ran = svc.import([&column.repeat(200_000), &b"type\n"[..]].concat(), &[]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains("the header lacks "), "{}", ran.err);
        assert!(ran.err.len() < 1_000, "{}", ran.err.len());
    }
}

#[test]
fn columns_that_are_not_used_are_named_once_with_what_may_be_meant() {
    let svc = Svc::migrated();
    let ran =
        svc.import("id,type,city,country,note,regoin,,note,\n1,spirit,Oslo,Norway,x,y,z,,\n", &[]);
    assert_eq!(
        ran.err,
        "note: the column \"note\" is not used\n\
         note: the column \"regoin\" is not used (is it meant to be region?)\n\
         note: a column without a name is not used\n"
    );
    assert_eq!(ran.code, Some(0));
}
