use super::{cities, import_as, refusals};
use crate::harness::{Ran, Svc};

fn import_lines(svc: &Svc, lines: &[&str]) -> Ran {
    svc.run_with_input(&["reports", "import", "-"], lines.join("\n").as_bytes())
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
        r#"{"id":"7""type":1}"#,
        r#"{"id":"8""#,
        r#"{"id":"9","type":"water","city":"Oslo","country":"Norway","peopleCount":true}"#,
        r#"{"id":12345678901234567890123,"type":"water","city":"Oslo","country":"Norway"}"#,
    ];
    let ran = import_lines(&svc, &lines);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert_eq!(ran.summary(), "2 reports imported as pending; 9 rows refused.\n");
    assert_eq!(
        refusals(&ran),
        [
            "note: the key \"extra\" is not used",
            "line 3: peopleCount: \"2.5\" is not a whole number from 1 to 1,000,000",
            "line 4: country: is empty",
            "line 5: city: is neither a text nor a number",
            "line 6: type: is given twice",
            "line 7: is not a JSON object",
            "line 9: is not valid JSON: expected `,` or `}`, at column 10",
            "line 10: is not valid JSON: EOF while parsing an object, at column 9",
            "line 11: peopleCount: is neither a text nor a number",
            "line 12: id: is a number that JSON rounds: quote it",
        ]
    );
}

#[test]
fn a_key_is_a_field_in_any_spelling_and_any_other_is_named_once() {
    let svc = Svc::migrated();
    let line = r#"{"type":"spirit","city":"Oslo","Country":"Norway","people_count":500,"contry":1,"x":{}}"#;
    let ran = import_lines(
        &svc,
        &[line, line, r#"{"type":"spirit","city":"Oslo","country":"Norway","y":1}"#],
    );
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        refusals(&ran),
        [
            "note: the key \"contry\" is not used (is it meant to be country?)",
            "note: the key \"x\" is not used",
            "note: the key \"y\" is not used",
        ]
    );
    let listed = svc.json(&["reports", "list", "--json"]);
    let mut counts: Vec<_> = listed["reports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|report| report["peopleCount"].as_u64())
        .collect();
    counts.sort();
    assert_eq!(counts, [Some(1), Some(500), Some(500)]);
    let both =
        r#"{"type":"spirit","city":"Oslo","country":"Norway","people_count":5,"peopleCount":6}"#;
    assert_eq!(import_lines(&svc, &[both]).err, "line 1: peopleCount: is given twice\n");
}

#[test]
fn keys_without_end_are_not_all_listed() {
    let svc = Svc::migrated();
    let keys: Vec<String> = (0..1_000).map(|number| format!("\"key{number}\":1")).collect();
    let line = format!(
        "{{\"type\":\"both\",\"city\":\"Oslo\",\"country\":\"Norway\",{}}}",
        keys.join(",")
    );
    let ran = import_lines(&svc, &[&line]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(refusals(&ran).len(), 51);
    assert!(ran.err.ends_with(
        "note: the key \"key49\" is not used\nnote: no further keys that are not used are listed\n"
    ));
}

#[test]
fn an_array_of_objects_is_read_element_by_element() {
    let svc = Svc::migrated();
    let array = r#"
        [
          {"id": "1", "type": "spirit", "city": "Oslo ]}\" \u00e5", "country": "Norway"},
          {"id": "2", "type": "fire", "city": "Oslo",
           "country": "Norway"}, 7,
          {"id": "3", "type": "spirit", "city": "Oslo", "country": "Norway",
           "peopleCount" 3},
          {"id": "4", "type": "water", "city": "Bergen", "country": "Norway", "seen": [{"x": []}]}
        ]
    "#;
    std::fs::write(svc.path("reports.json"), array).unwrap();
    let ran = svc.run(&["reports", "import", "reports.json"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        [
            "note: the key \"seen\" is not used",
            "line 4: type: \"fire\" is not one of spirit, water, both",
            "line 5: is not a JSON object",
            "line 6: is not valid JSON: expected `:`, on line 7 at column 26",
        ]
    );
    assert_eq!(ran.summary(), "2 reports imported as pending; 3 rows refused.\n");
    assert_eq!(cities(&svc), ["Oslo ]}\" å", "Bergen"]);
    assert_eq!(cities(&import_as("empty.json", " [ ] ")), [""; 0]);
}

#[test]
fn an_array_that_is_none_stops_the_import_and_what_was_read_before_stays() {
    let first = r#"{"id": "1", "type": "spirit", "city": "Oslo", "country": "Norway"}"#;
    for (array, expected) in [
        (format!("[{first},\n"), "line 2: the array does not end: is the file cut?"),
        (format!("[{first}"), "line 1: the array does not end: is the file cut?"),
        (
            format!("[{first},\n{{\"id\": \"2"),
            "line 2: the object that begins here does not end: is the file cut?",
        ),
        (
            format!("[{first},\n{{\"id\": \"2{}\"}}]", "2".repeat(1 << 21)),
            "line 2: the object that begins here is longer than 1 MiB",
        ),
        (format!("[{first}\n{first}]"), "line 2: a comma is missing between two objects"),
        (format!("[{first},\n,{first}]"), "line 2: an object is missing before the comma"),
        (format!("[{first}]\n{first}"), "line 2: something follows the end of the array"),
    ] {
        let svc = Svc::migrated();
        let ran = svc.run_with_input(&["reports", "import", "-"], array.as_bytes());
        assert_eq!(ran.code, Some(1));
        let stopped =
            "svc: importing - stopped; the reports imported before that (1 report) remain: ";
        assert_eq!(ran.err, format!("{stopped}{expected}\n"));
        assert_eq!(cities(&svc), ["Oslo"]);
    }
}
