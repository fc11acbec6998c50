use super::{refusals, total};
use crate::harness::Svc;

#[test]
fn a_quote_that_is_never_closed_does_not_take_the_memory_and_loses_no_row_before_it() {
    let svc = Svc::migrated();
    let mut csv = "id,type,city,country\n1,spirit,Oslo,Norway\n2,water,\"Oslo,Norway\n".to_owned();
    csv += &"3,water,Bergen,Norway\n".repeat(200_000);
    let ran = svc.import(csv, &[]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "svc: importing reports.csv stopped; the reports imported before that (1 report) remain: line 3: the quote \
            that opens before \"Oslo,Norway\" is not closed within 1 MiB\n"
    );
    assert_eq!(total(&svc, "PENDING"), 1);
}

#[test]
fn a_quote_that_is_never_closed_is_named_by_the_line_where_it_opens() {
    for (rows, line, quoted) in [
        ("1,spirit,Oslo,Norway\n2,water,\"Oslo,Norway\n3,water,Oslo,Norway\n", 3, "Oslo,Norway"),
        ("1,spirit,Oslo,Norway\n\n2,water,\"Os\nlo\",\"Nor\"\"way\n\n", 5, "Nor\\\"\\\"way"),
        ("1,spirit,Oslo,Norway\n2,water,Oslo,\"", 3, ""),
    ] {
        let svc = Svc::migrated();
        let ran = svc.import(format!("id,type,city,country\n{rows}"), &[]);
        assert_eq!(ran.code, Some(1), "{rows}");
        assert_eq!(
            ran.err,
            format!(
                "svc: importing reports.csv stopped; the reports imported before that (1 report) remain: line {line}: \
                    the quote that opens before \"{quoted}\" is not closed up to the end of the file\n"
            )
        );
        assert_eq!(total(&svc, "PENDING"), 1);
    }
    let ran = Svc::migrated().import("id,\"type,city,country\n1,spirit,Oslo,Norway\n", &[]);
    assert_eq!(
        ran.err,
        "svc: importing reports.csv stopped; nothing was imported: line 1: the quote that opens \
         before \"type,city,country\" is not closed up to the end of the file\n"
    );
}

#[test]
fn a_quote_that_another_one_closes_much_later_is_suspected() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country\n1,spirit,\"Oslo,Norway\n2,water,Oslo,Norway\n\
         3,water,\"Bergen\",Norway\n4,water,Bergen,Norway\n",
        &[],
    );
    assert_eq!(
        refusals(&ran),
        ["line 2: has text after a closing quote, and spans 3 lines: is a quote not closed?"]
    );
    let ran =
        svc.import("id,type,city,country\n5,spirit,\"Oslo,Norway\n6,\"both\",Oslo,Norway\n", &[]);
    assert_eq!(
        refusals(&ran),
        ["line 2: has 5 fields where the header has 4, and spans 2 lines: is a quote not closed?"]
    );
    let ran = svc
        .import("id,type,city,country\n7,spirit,\"Oslo\" ,Norway\n8,spirit,\"Os\"lo,Norway\n", &[]);
    assert_eq!(refusals(&ran), ["line 3: has text after a closing quote"]);
    assert_eq!(super::cities(&svc), ["Bergen", "Oslo"]);
}

#[test]
fn a_quote_in_the_last_place_of_the_file_closes() {
    let svc = Svc::migrated();
    let ran = svc.import("id,type,city,country\n1,spirit,Oslo,\"Norway\"", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    // In a field that does not start with a quote, quotes are ordinary characters.
    let ran =
        svc.import("id,type,city,country\n2,spirit,5\" Pier,Norway\n3,spirit,Oslo,Norway\n", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(super::cities(&svc), ["Oslo", "5\" Pier", "Oslo"]);
}
