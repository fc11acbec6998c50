//! The reports, as CSV. They are the same in every run.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::Result;
use chrono::{DateTime, Duration, NaiveDate, NaiveDateTime, SecondsFormat};
use rand::{RngExt, SeedableRng, rngs::StdRng};

const HEADER: &str = "id,type,city,region,country,eventDate,createdAt";
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(2016, 1, 1).expect("a day of the calendar");
const DAYS: i64 = 3_653;
const BUSY_DAY: NaiveDate = NaiveDate::from_ymd_opt(2020, 2, 2).expect("a day of the calendar");
/// Total number of reports per report of the rare type.
const RARE: u64 = 250_000;
/// Number of reports that are approved last.
const LATE: u32 = 200;

/// Writes `rows` reports of ten years, in random order.
pub(super) fn write_history(file: &Path, rows: u64) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(out, "{HEADER}")?;
    let mut rng = StdRng::seed_from_u64(7);
    for number in 0..rows {
        let (city, region, country) = place(&mut rng);
        let is_rare = number % RARE == 17 % rows;
        let days = if country == "Tuvalu" || is_rare { 200 } else { DAYS };
        let mut created =
            midnight(FIRST_DAY) + Duration::seconds(rng.random_range(0..days * 86_400));
        let mut date = created.date();
        match rng.random_range(0..100) {
            // A report cannot be older than its event.
            0..4 => {
                date = BUSY_DAY;
                created = created.max(midnight(BUSY_DAY) + Duration::hours(12));
            }
            4 => date -= Duration::days(rng.random_range(1..3_000)),
            _ => {}
        }
        let kind = match (is_rare, rng.random_range(0..10)) {
            (true, _) => "both",
            (false, 0..7) => "spirit",
            (false, _) => "water",
        };
        writeln!(out, "h{number},{kind},{city},{region},{country},{date},{}", instant(created))?;
    }
    Ok(out.flush()?)
}

/// Writes reports of old events for approval in this round. They differ for every `round`.
pub(super) fn write_late(file: &Path, round: u32) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(out, "{HEADER}")?;
    for number in 0..LATE {
        let date = FIRST_DAY + Duration::days((number * 7 % 366).into());
        writeln!(
            out,
            "late-{round}-{number},spirit,Late,,Nauru,{date},{}",
            instant(midnight(date))
        )?;
    }
    Ok(out.flush()?)
}

/// Random city, region and country.
fn place(rng: &mut StdRng) -> (String, String, String) {
    match rng.random_range(0..1_000) {
        0..500 => ("Megacity".to_owned(), "Centre".to_owned(), "Peru".to_owned()),
        500..700 => {
            let city = rng.random_range(0..8_000);
            (format!("City{city}"), format!("Region{}", city % 40), "Brazil".to_owned())
        }
        700..995 => {
            let city = rng.random_range(0..12_000);
            (format!("Town{city}"), format!("Part{}", city % 200), format!("Land{}", city % 150))
        }
        _ => (format!("Old{}", rng.random_range(0..5)), String::new(), "Tuvalu".to_owned()),
    }
}

fn midnight(date: NaiveDate) -> NaiveDateTime {
    date.and_time(chrono::NaiveTime::MIN)
}

fn instant(at: NaiveDateTime) -> String {
    DateTime::to_rfc3339_opts(&at.and_utc(), SecondsFormat::Secs, true)
}
