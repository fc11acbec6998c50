use std::io::Write;

use edge::representation::to_json;
use model::{PlacePosition, Report};
use store::PublicReport;

use super::geojson::{self, CityPositions};
use crate::{
    csv_row::{self, Row},
    responses::{Include, ReportForm},
};

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    GeoJson,
    NdJson,
}

impl Format {
    /// Extension of the file's name, and of the path.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
            Self::NdJson => "ndjson",
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Csv => csv_row::CONTENT_TYPE,
            Self::GeoJson => geojson::CONTENT_TYPE,
            Self::NdJson => "application/x-ndjson",
        }
    }
}

/// File that is being written.
#[derive(Debug)]
pub(super) struct File {
    format: Format,
    form: ReportForm,
    is_begun: bool,
    /// Whether the file has a report.
    has_any: bool,
    positions: CityPositions,
}

impl File {
    pub(super) fn new(format: Format, form: ReportForm) -> Self {
        let positions = CityPositions::default();
        Self { format, form, is_begun: false, has_any: false, positions }
    }

    /// Returns the next part, with these reports; the last one if there are none.
    pub(super) fn part(&mut self, reports: Vec<PublicReport>) -> Vec<u8> {
        let is_last = reports.is_empty();
        // Of average reports, so that the part seldom has to grow.
        let mut out = Vec::with_capacity(256 + reports.len() * 160);
        if !self.is_begun {
            self.is_begun = true;
            self.begin(&mut out);
        }
        for report in reports {
            self.write(report, &mut out);
        }
        if is_last && self.format == Format::GeoJson {
            out.extend_from_slice(b"\n]}\n");
        }
        out
    }

    fn begin(&self, out: &mut Vec<u8>) {
        match self.format {
            Format::Csv => {
                out.extend_from_slice(csv_row::MARK.as_bytes());
                let columns = columns(self.form.include);
                columns.fold(Row::of(out), Row::cell).end();
            }
            Format::GeoJson => out.extend_from_slice(geojson::START),
            Format::NdJson => {}
        }
    }

    fn write(&mut self, listed: PublicReport, out: &mut Vec<u8>) {
        let PublicReport { mut report, region, event_date, .. } = listed;
        match self.format {
            Format::Csv => {
                let date = event_date.to_string();
                self.form.apply(&mut report, &region, event_date);
                write_row(&report, &region, &date, self.form.include, out);
            }
            Format::NdJson => {
                self.form.apply(&mut report, &region, event_date);
                out.extend_from_slice(&to_json(&report));
                out.push(b'\n');
            }
            Format::GeoJson => {
                let position = self.positions.of(&report.country, &region, &report.city);
                self.form.apply(&mut report, &region, event_date);
                let comma: &[u8] = if self.has_any { b",\n" } else { b"\n" };
                out.extend_from_slice(comma);
                geojson::push_feature(out, &report, position);
            }
        }
        self.has_any = true;
    }
}

/// Columns of a CSV file: those of an import, and the additional members. Imports do not read the latter: in particular,
/// the position of a city must not become that of a report.
fn columns(include: Include) -> impl Iterator<Item = &'static str> {
    const OF_IMPORTS: [&str; 8] =
        ["id", "type", "city", "region", "country", "peopleCount", "eventDate", "createdAt"];
    let more = [
        (include.country_code, "countryCode"),
        (include.position, "positionLat"),
        (include.position, "positionLng"),
        (include.position, "positionPrecision"),
        (include.type_label, "typeLabel"),
    ];
    let more = more.into_iter().filter(|(is_included, _)| *is_included).map(|(_, name)| name);
    OF_IMPORTS.into_iter().chain(more)
}

fn write_row(report: &Report, region: &str, date: &str, include: Include, out: &mut Vec<u8>) {
    let mut number = [0; 10];
    let mut row = Row::of(out)
        .cell(&report.id)
        .cell(report.kind.as_str())
        .cell(&report.city)
        .cell(region)
        .cell(&report.country)
        .cell(digits(report.people_count, &mut number))
        .cell(date)
        .cell(&report.created_at);
    let more = report.included.as_deref();
    if include.country_code {
        row = row.cell(more.and_then(|more| more.country_code).unwrap_or_default());
    }
    if include.position {
        let position = more.and_then(|more| more.position);
        let text = |part: fn(PlacePosition) -> String| position.map(part).unwrap_or_default();
        row = row
            .cell(&text(|position| position.lat.degrees().to_string()))
            .cell(&text(|position| position.lng.degrees().to_string()))
            .cell(position.map_or("", |position| position.precision));
    }
    if include.type_label {
        row = row.cell(more.and_then(|more| more.type_label.as_deref()).unwrap_or_default());
    }
    row.end();
}

/// Writes a number without an allocation.
fn digits(number: u32, buffer: &mut [u8; 10]) -> &str {
    let mut rest = &mut buffer[..];
    let _ = write!(rest, "{number}");
    let unused = rest.len();
    str::from_utf8(&buffer[..10 - unused]).unwrap_or_default()
}
