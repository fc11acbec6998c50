use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use csv::{Writer, WriterBuilder};
use domain::report::NewReport;
use import::FIELDS;

use super::rows;

/// Writes [`rows`](mod@super::rows) as CSV for `svc reports import`: UTF-8, a header, LF. Does its own buffering. The same count, seed
/// and end give the same bytes everywhere.
///
/// # Errors
///
/// I/O errors of `out`, including a broken pipe.
pub fn write_csv(
    out: &mut impl Write,
    count: u64,
    seed: u64,
    until: DateTime<Utc>,
) -> io::Result<()> {
    let mut csv = WriterBuilder::new().buffer_capacity(1 << 16).from_writer(out);
    csv.write_record(FIELDS).map_err(cause)?;
    for row in rows(count, seed, until) {
        write_row(&mut csv, &row).map_err(cause)?;
    }
    csv.flush()
}

/// Returns the I/O error within, whose kind identifies a broken pipe.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn write_row(csv: &mut Writer<impl Write>, row: &NewReport) -> csv::Result<()> {
    for text in [&row.id, row.kind.as_str(), &row.city, &row.region, &row.country] {
        csv.write_field(text)?;
    }
    csv.write_field(row.people_count.to_string())?;
    csv.write_field(row.event_date.to_string())?;
    csv.write_field(row.created_at.to_rfc3339_opts(SecondsFormat::Millis, true))?;
    let (lat, lng) = row.position.unzip();
    for degrees in [lat, lng] {
        csv.write_field(degrees.map_or(String::new(), |degrees: f64| degrees.to_string()))?;
    }
    csv.write_record(None::<&[u8]>)
}
