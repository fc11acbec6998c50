use super::{cities, import_as, refusals, total};
use crate::harness::Svc;

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
    assert_eq!(listed["reports"][1]["city"], "Rio de Janeiro");
    assert_eq!(listed["reports"][0]["city"], "Łódź");
}

#[test]
fn a_row_in_another_encoding_is_refused_alone() {
    let svc = Svc::migrated();
    let ran = svc
        .import(b"id,type,city,country\n1,spirit,M\xFCnchen,Germany\n3,spirit,M\x81nchen,Germany\n2,water,Oslo,Norway\n", &[]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        refusals(&ran),
        [
            "line 2: city: is not UTF-8: the file looks like Windows-1252 (it would read \"München\"); \
             save it as UTF-8, in Excel as \"CSV UTF-8\"",
            "line 3: city: is not UTF-8 (byte 0x81 after 1 bytes): save the file as UTF-8",
        ]
    );
    assert_eq!(total(&svc, "PENDING"), 1);
}

#[test]
fn utf_16_with_a_byte_order_mark_is_read_as_excel_writes_it() {
    // Excel's "Unicode Text" format: tabs, CRLF, UTF-16.
    let text = "\u{FEFF}id\ttype\tcity\tcountry\r\n1\tspirit\tŁódź\tPoland\r\n\
                2\twater\t東京 🗼\tJapan\r\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for file in [&little, &big] {
        assert_eq!(cities(&import_as("reports.txt", file)), ["Łódź", "東京 🗼"]);
    }
    let svc = Svc::migrated();
    let ran = svc.run_with_input(&["reports", "import", "-"], &little);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    // A truncated character is not imported as another one.
    let ran = svc.import(&little[..little.len() - 5], &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
}

#[test]
fn lines_may_end_with_carriage_returns() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country\r1,spirit,\"Rio de\rJaneiro\",Brazil\r\r2,fire,Oslo,Norway\r",
        &[],
    );
    assert_eq!(refusals(&ran), ["line 5: type: \"fire\" is not one of spirit, water, both"]);
    assert_eq!(cities(&svc), ["Rio de Janeiro"]);
}
