//! Flags that select reports.

use base::time::{parse_date, parse_instant};
use chrono::{DateTime, NaiveTime, Utc};
use clap::Args;
use domain::import_id::ImportId;
use model::ReportType;
use store::{PlaceFilter, Selection};

#[derive(Args, Clone, Debug)]
pub(super) struct Filters {
    /// Only reports of this import, as listed by `svc reports imports`
    #[arg(long, value_name = "ID")]
    import: Option<ImportId>,
    /// Only reports of this type: spirit, water or both
    #[arg(long = "type", value_name = "TYPE", value_parser = parse_kind)]
    kind: Option<ReportType>,
    /// Only reports from this country: a name in any spelling, or a code
    #[arg(long, value_name = "COUNTRY", value_parser = parse_country)]
    country: Option<PlaceFilter>,
    /// Only reports created before this day or instant (UTC), such as 2026-03-01 or
    /// 2026-03-01T18:00:00Z
    #[arg(long, value_name = "DATE", value_parser = parse_before)]
    before: Option<DateTime<Utc>>,
}

impl Filters {
    /// Ids of the flags.
    pub(super) const FLAGS: [&'static str; 4] = ["import", "kind", "country", "before"];

    pub(super) fn selection(&self) -> Selection {
        let Self { import, kind, country, before } = self.clone();
        let place = country.unwrap_or_default();
        Selection { import, kind, place, before, ..Selection::default() }
    }
}

fn parse_kind(text: &str) -> Result<ReportType, String> {
    ReportType::from_name(&text.trim().to_ascii_lowercase())
        .ok_or_else(|| "the types are spirit, water and both".to_owned())
}

fn parse_country(text: &str) -> Result<PlaceFilter, String> {
    if text.trim().is_empty() {
        return Err("it is blank: name a country".to_owned());
    }
    Ok(PlaceFilter::new(Some(text), None, None))
}

/// Parses a date, which means the start of its day, or an instant.
fn parse_before(text: &str) -> Result<DateTime<Utc>, String> {
    let text = text.trim();
    let day = parse_date(text).map(|day| day.and_time(NaiveTime::MIN).and_utc());
    day.or_else(|| parse_instant(text)).ok_or_else(|| {
        "neither a date such as 2026-03-01 nor an instant such as 2026-03-01T18:00:00Z".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_a_date_is_before_its_day_began() {
        let midnight = parse_instant("2026-03-01T00:00:00Z").unwrap();
        assert_eq!(parse_before("2026-03-01"), Ok(midnight));
        assert_eq!(parse_before("2026-03-01T01:00:00+01:00"), Ok(midnight));
        assert!(parse_before("2026-02-30").is_err());
        assert!(parse_before("yesterday").is_err());
    }

    #[test]
    fn a_country_is_one_however_it_is_spelled() {
        assert_eq!(parse_country("Brasil"), parse_country(" br "));
        assert!(parse_country(" \t").is_err());
    }
}
