use std::io::{Cursor, Read, Write};

use base::{clock::Clock, time::parse_instant};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{
    Reading,
    rows::Row,
    source::{self, Opening},
};

const WORKBOOK: &str = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>
  <sheet name="Notes" sheetId="1" state="hidden" r:id="rId1"/>
  <sheet name="Saturday" sheetId="2" r:id="rId2"/>
  <sheet name="Sunday" sheetId="3" r:id="rId3"/></sheets></workbook>"#;
const RELATIONSHIPS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>
  <Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/>
  <Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet3.xml"/>
  </Relationships>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>
  </Relationships>"#;
/// Cells with the style 1 are dates.
const STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
  <cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#;
const TEXTS: &str = r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" uniqueCount="8">
  <si><t>type</t></si><si><t>city</t></si><si><t>country</t></si><si><t>eventDate</t></si>
  <si><t>peopleCount</t></si><si><t>createdAt</t></si><si><t>São Paulo, "centro"</t></si><si><t>Brazil</t></si></sst>"#;
const SATURDAY: &str = r#"<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c>
  <c r="D3" t="s"><v>3</v></c><c r="E3" t="s"><v>4</v></c><c r="F3" t="s"><v>5</v></c></row>
  <row r="5"><c r="A5" t="inlineStr"><is><t>spirit</t></is></c><c r="B5" t="s"><v>6</v></c><c r="C5" t="s"><v>7</v></c>
  <c r="D5" s="1"><v>46023</v></c><c r="E5"><v>12</v></c><c r="F5" s="1"><v>46023.75</v></c></row>
  <row r="6"><c r="A6" t="inlineStr"><is><t>water</t></is></c><c r="B6" t="s"><v>6</v></c><c r="C6" t="s"><v>7</v></c>
  <c r="D6" s="1"><v>46023.5</v></c><c r="F6" s="1"><v>46024</v></c></row>
  <row r="7"><c r="A7" t="inlineStr"><is><t>wine</t></is></c></row>"#;

fn sheet(rows: &str) -> String {
    format!(
        r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
    )
}

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn workbook(texts: &str, saturday: &str) -> Vec<u8> {
    archive(&[
        ("_rels/.rels", ROOT),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", RELATIONSHIPS),
        ("xl/styles.xml", STYLES),
        ("xl/sharedStrings.xml", texts),
        ("xl/worksheets/sheet1.xml", &sheet("")),
        ("xl/worksheets/sheet2.xml", &sheet(saturday)),
        ("xl/worksheets/sheet3.xml", &sheet("")),
    ])
}

/// Returns the rows of a workbook and the notes about it, or the reason why it cannot be read.
fn read(file: impl Read, chosen: Option<&str>) -> Result<(Vec<Row>, Vec<String>), String> {
    let start = parse_instant("2026-03-01T12:00:00.000Z").unwrap();
    let opening = Opening {
        format: None,
        reading: Reading { sheet: chosen.map(str::to_owned), ..Reading::default() },
        clock: Clock::stepped(start),
        max_window: 0,
        with_originals: true,
        bytes_read: Default::default(),
        sheets: Default::default(),
    };
    let mut file = source::open(file, opening).map_err(|error| error.in_full())?;
    let mut rows = Vec::new();
    while let Some(row) = file.next_row().map_err(|error| error.in_full())? {
        rows.push(row);
    }
    let notes = file.take_notes().iter().map(ToString::to_string).collect();
    Ok((rows, notes))
}

#[test]
fn the_first_visible_sheet_is_read_with_its_dates_and_row_numbers() {
    let (rows, notes) = read(Cursor::new(workbook(TEXTS, SATURDAY)), None).unwrap();
    assert_eq!(notes, ["the sheet \"Saturday\" is read; the workbook has 1 more"]);
    let lines: Vec<u64> = rows.iter().map(|row| row.line).collect();
    assert_eq!(lines, [5, 6, 7]);
    let report = rows[0].report.as_ref().unwrap();
    assert_eq!(report.city, "São Paulo, \"centro\"");
    assert_eq!(report.event_date.to_string(), "2026-01-01");
    assert_eq!(report.created_at, parse_instant("2026-01-01T18:00:00Z").unwrap());
    assert_eq!(report.people_count, 12);
    // A cell with a date and a time counts as a date, too, and the other way round.
    let report = rows[1].report.as_ref().unwrap();
    assert_eq!(report.event_date.to_string(), "2026-01-01");
    assert_eq!(report.created_at, parse_instant("2026-01-02T00:00:00Z").unwrap());
    assert_eq!(rows[2].report.as_ref().unwrap_err().len(), 3);
    assert_eq!(rows[2].original.as_deref(), Some(&b"wine,,,,,"[..]));
}

#[test]
fn another_sheet_is_read_if_it_is_chosen() {
    let file = || Cursor::new(workbook(TEXTS, SATURDAY));
    let chosen = read(file(), Some("Saturday")).unwrap();
    assert_eq!(chosen.0.len(), 3);
    let empty = read(file(), Some("Sunday")).unwrap_err();
    assert!(empty.starts_with("the file is empty"), "{empty}");
    let unknown = read(file(), Some("Monday")).unwrap_err();
    assert_eq!(unknown, "the workbook has no sheet \"Monday\"");
}

#[test]
fn archives_that_are_no_workbook_or_damaged_are_refused() {
    let other = archive(&[("reports.csv", "type,city,country\n")]);
    let reason = read(Cursor::new(other), None).unwrap_err();
    assert!(reason.starts_with("the file is a ZIP archive, but no workbook"), "{reason}");

    let cut = workbook(TEXTS, SATURDAY);
    let reason = read(Cursor::new(&cut[..cut.len() / 2]), None).unwrap_err();
    assert_eq!(reason, "the workbook or ZIP archive is damaged: copy it again");

    // The reader would reserve memory for that many texts.
    let texts = TEXTS.replace("uniqueCount=\"8\"", "uniqueCount=\"99999999999\"");
    let reason = read(Cursor::new(workbook(&texts, SATURDAY)), None).unwrap_err();
    assert_eq!(reason, "the workbook is damaged: its number of texts is wrong");

    let rows = SATURDAY.replace("r=\"A6\"", "r=\"A2\"");
    let reason = read(Cursor::new(workbook(TEXTS, &rows)), None).unwrap_err();
    assert!(reason.contains("the sheet is damaged"), "{reason}");
}

#[test]
fn a_small_archive_with_much_in_it_is_refused() {
    let texts = " ".repeat((64 << 20) + 1);
    let bomb = workbook(&texts, SATURDAY);
    assert!(bomb.len() < 1 << 20);
    let reason = read(Cursor::new(bomb), None).unwrap_err();
    assert_eq!(reason, "the workbook is too large: save the sheet as \"CSV UTF-8\"");
}
