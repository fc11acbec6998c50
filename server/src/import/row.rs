//! A row's texts become a report, or the reason why not.

use app::model::ReportType;
use chrono::{DateTime, TimeDelta, Utc};

use super::{Refusal, identity::Identities};
use crate::{
    geo::places::tidy,
    store::NewReport,
    time::{parse_date, parse_instant},
};

/// The most characters of a text that the API can also filter by.
const MAX_TEXT: usize = 256;
const MAX_ID: usize = 128;
const MAX_PEOPLE: u32 = 1_000_000;
/// How far another machine's clock may be ahead of this one's.
const CLOCK_LEEWAY: TimeDelta = TimeDelta::minutes(5);

/// The texts of one row, by column; what is missing or blank is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RawRow<'a> {
    pub id: Option<&'a str>,
    pub kind: Option<&'a str>,
    pub city: Option<&'a str>,
    pub region: Option<&'a str>,
    pub country: Option<&'a str>,
    pub people_count: Option<&'a str>,
    pub event_date: Option<&'a str>,
    pub created_at: Option<&'a str>,
    pub lat: Option<&'a str>,
    pub lng: Option<&'a str>,
}

impl<'a> RawRow<'a> {
    /// The place of a column's text, by the column's name.
    pub(super) fn field(&mut self, name: &str) -> Option<&mut Option<&'a str>> {
        Some(match name {
            "id" => &mut self.id,
            "type" => &mut self.kind,
            "city" => &mut self.city,
            "region" => &mut self.region,
            "country" => &mut self.country,
            "peopleCount" => &mut self.people_count,
            "eventDate" => &mut self.event_date,
            "createdAt" => &mut self.created_at,
            "lat" => &mut self.lat,
            "lng" => &mut self.lng,
            _ => return None,
        })
    }
}

/// A column and what is wrong with it.
type Blame = (&'static str, String);

/// Checks the row of `line` and makes it a report. `now` is the moment of the import.
pub(super) fn parse(
    raw: &RawRow<'_>,
    line: u64,
    now: DateTime<Utc>,
    identities: &mut Identities,
) -> Result<NewReport, Refusal> {
    check(raw, now, identities).map_err(|(field, reason)| Refusal {
        line,
        field: Some(field),
        reason,
    })
}

fn check(
    raw: &RawRow<'_>,
    now: DateTime<Utc>,
    identities: &mut Identities,
) -> Result<NewReport, Blame> {
    let kind = kind(raw.kind)?;
    let city = place("city", raw.city)?.ok_or_else(|| missing("city"))?;
    let region = place("region", raw.region)?.unwrap_or_default();
    let country = place("country", raw.country)?.ok_or_else(|| missing("country"))?;
    let people_count = raw.people_count.map_or(Ok(1), people_count)?;
    let created_at = raw.created_at.map(|text| created_at(text, now)).transpose()?;
    let event_date = raw.event_date.map(|text| event_date(text, now)).transpose()?;
    let position = position(raw.lat, raw.lng)?;
    let id = raw.id.map(id).transpose()?;
    let mut report = NewReport {
        id: String::new(),
        kind,
        city,
        region,
        country,
        people_count,
        event_date: event_date.unwrap_or_else(|| created_at.unwrap_or(now).date_naive()),
        created_at: created_at.unwrap_or_else(|| whole_millis(now)),
        event_date_given: event_date.is_some(),
        created_at_given: created_at.is_some(),
        position,
    };
    report.id = id.unwrap_or_else(|| identities.of(&report));
    Ok(report)
}

fn missing(field: &'static str) -> Blame {
    (field, "is empty".to_owned())
}

fn kind(text: Option<&str>) -> Result<ReportType, Blame> {
    let text = text.ok_or_else(|| missing("type"))?;
    ReportType::from_name(&text.trim().to_ascii_lowercase())
        .ok_or_else(|| ("type", format!("{} is not one of spirit, water, both", quote(text))))
}

fn place(field: &'static str, text: Option<&str>) -> Result<Option<String>, Blame> {
    let Some(text) = text else { return Ok(None) };
    let tidied = tidy(text);
    if tidied.is_empty() {
        return Ok(None);
    }
    check_text(field, &tidied, MAX_TEXT)?;
    Ok(Some(tidied))
}

fn id(text: &str) -> Result<String, Blame> {
    let text = text.trim();
    check_text("id", text, MAX_ID)?;
    Ok(text.to_owned())
}

fn check_text(field: &'static str, text: &str, most: usize) -> Result<(), Blame> {
    let length = text.chars().count();
    if length > most {
        return Err((field, format!("is {length} characters long, and {most} is the most")));
    }
    match text.chars().find(|character| character.is_control()) {
        Some(control) => {
            Err((field, format!("has a control character (U+{:04X})", u32::from(control))))
        }
        None => Ok(()),
    }
}

fn people_count(text: &str) -> Result<u32, Blame> {
    let digits = text.trim();
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok());
    match number.flatten() {
        Some(count) if (1..=MAX_PEOPLE).contains(&count) => Ok(count),
        _ => Err((
            "peopleCount",
            format!("{} is not a whole number from 1 to 1,000,000", quote(text)),
        )),
    }
}

fn event_date(text: &str, now: DateTime<Utc>) -> Result<chrono::NaiveDate, Blame> {
    let field = "eventDate";
    let date = parse_date(text.trim()).ok_or_else(|| {
        (field, format!("{} is not a date that exists, written YYYY-MM-DD", quote(text)))
    })?;
    let today = now.date_naive();
    if date > today {
        return Err((field, format!("{date} is in the future: today is {today} (UTC)")));
    }
    Ok(date)
}

fn created_at(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, Blame> {
    let field = "createdAt";
    let instant = parse_instant(text.trim()).ok_or_else(|| {
        let reason = format!(
            "{} is not a date and time in ISO 8601, such as 2024-05-31T18:00:00Z",
            quote(text)
        );
        (field, reason)
    })?;
    if instant > now + CLOCK_LEEWAY {
        let now = now.format("%Y-%m-%dT%H:%M:%SZ");
        return Err((field, format!("{} is in the future: it is {now}", quote(text))));
    }
    if instant.timestamp_millis() < crate::time::FIRST_MILLI {
        return Err((field, format!("{} is before the year 1", quote(text))));
    }
    Ok(whole_millis(instant))
}

/// The store and the API keep milliseconds.
fn whole_millis(instant: DateTime<Utc>) -> DateTime<Utc> {
    crate::time::instant_of_millis(instant.timestamp_millis())
}

fn position(lat: Option<&str>, lng: Option<&str>) -> Result<Option<(f64, f64)>, Blame> {
    match (lat, lng) {
        (None, None) => Ok(None),
        (Some(lat), Some(lng)) => {
            Ok(Some((degrees("lat", lat, 90.0)?, degrees("lng", lng, 180.0)?)))
        }
        (Some(_), None) => Err(("lng", "is empty, though lat is given".to_owned())),
        (None, Some(_)) => Err(("lat", "is empty, though lng is given".to_owned())),
    }
}

fn degrees(field: &'static str, text: &str, most: f64) -> Result<f64, Blame> {
    match text.trim().parse::<f64>() {
        Ok(degrees) if degrees.is_finite() && degrees.abs() <= most => Ok(degrees),
        _ => Err((field, format!("{} is not a number from -{most} to {most}", quote(text)))),
    }
}

/// The text as a message shows it: short, and with nothing that upsets a terminal.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}
