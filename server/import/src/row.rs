//! A row's texts become a report, or all the reasons why not.

use std::ops::Index;

use base::{
    clock::Clock,
    time::{parse_date, parse_instant},
};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::{
    report::NewReport,
    report_id::ReportId,
    text::{self, quote},
};
use geo::places::tidy;
use model::ReportType;

use super::{field::Field, identity::Identities, rows::Problem};

/// The most characters of a text that the API can also filter by.
const MAX_TEXT: usize = 256;
const MAX_PEOPLE: u32 = 1_000_000;
/// How far another machine's clock may be ahead of this one's.
const CLOCK_LEEWAY: TimeDelta = TimeDelta::minutes(5);

/// The texts of one row, by field; what is missing or blank is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Texts<'a>([Option<&'a str>; Field::ALL.len()]);

impl<'a> Texts<'a> {
    pub(super) fn set(&mut self, field: Field, text: &'a str) {
        self.0[field as usize] = Some(text).filter(|text| !text.trim().is_empty());
    }
}

impl<'a> Index<Field> for Texts<'a> {
    type Output = Option<&'a str>;

    fn index(&self, field: Field) -> &Self::Output {
        &self.0[field as usize]
    }
}

/// Checks the rows of one file.
pub(super) struct Checks {
    moment: Moment,
    identities: Identities,
}

/// The moment of the import. It moves on, because standard input may go on for days, but only where
/// it matters, and not with each row: those of a small file share it.
struct Moment {
    clock: Clock,
    now: DateTime<Utc>,
}

impl Moment {
    fn move_on(&mut self) -> DateTime<Utc> {
        let now = self.clock.now();
        if now - self.now >= TimeDelta::seconds(1) {
            self.now = now;
        }
        self.now
    }

    /// The day of an instant. By another machine's clock, which may be ahead, it may not have begun: then it is today.
    fn day_of(&mut self, instant: DateTime<Utc>) -> NaiveDate {
        let day = instant.date_naive();
        match day > self.now.date_naive() {
            true => day.min(self.move_on().date_naive()),
            false => day,
        }
    }
}

/// What is wrong with a row, one thing a field.
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, field: Field, reason: impl Into<String>) {
        if self.0.iter().all(|problem| problem.field != Some(field)) {
            self.0.push(Problem::of(field, reason));
        }
    }

    fn check<T>(&mut self, field: Field, checked: Result<T, String>) -> Option<T> {
        checked.map_err(|reason| self.add(field, reason)).ok()
    }
}

impl Checks {
    pub(super) fn new(clock: Clock) -> Self {
        let moment = Moment { now: clock.now(), clock };
        Self { moment, identities: Identities::default() }
    }

    /// Makes the row a report. `problems` are those that were found already: nothing more is said
    /// about their fields.
    pub(super) fn report(
        &mut self,
        texts: &Texts<'_>,
        problems: Vec<Problem>,
    ) -> Result<NewReport, Vec<Problem>> {
        let moment = &mut self.moment;
        let mut problems = Problems(problems);
        let mut check = Checked { texts, problems: &mut problems };
        let id = check.of(Field::Id, |text| text.map(ReportId::new).transpose());
        let kind = check.of(Field::Type, kind);
        let city = check.of(Field::City, |text| place(text)?.ok_or_else(missing));
        let region = check.of(Field::Region, place);
        let country = check.of(Field::Country, |text| place(text)?.ok_or_else(missing));
        let people_count = check.of(Field::PeopleCount, |text| text.map_or(Ok(1), people_count));
        let event_date = check
            .of(Field::EventDate, |text| text.map(|text| event_date(text, moment)).transpose());
        let created_at = check
            .of(Field::CreatedAt, |text| text.map(|text| created_at(text, moment)).transpose());
        let position = check.position();
        let (
            Some(id),
            Some(kind),
            Some(city),
            Some(region),
            Some(country),
            Some(people_count),
            Some(event_date),
            Some(created_at),
            Some(position),
            true,
        ) = (
            id,
            kind,
            city,
            region,
            country,
            people_count,
            event_date,
            created_at,
            position,
            problems.0.is_empty(),
        )
        else {
            return Err(problems.0);
        };
        let now = if created_at.is_none() { moment.move_on() } else { moment.now };
        let mut report = NewReport {
            id: ReportId::default(),
            kind,
            city,
            region: region.unwrap_or_default(),
            country,
            people_count,
            event_date: event_date.unwrap_or_else(|| moment.day_of(created_at.unwrap_or(now))),
            created_at: created_at.unwrap_or_else(|| whole_millis(now)),
            event_date_given: event_date.is_some(),
            created_at_given: created_at.is_some(),
            position,
        };
        report.id = id.unwrap_or_else(|| self.identities.of(&report));
        Ok(report)
    }
}

/// The checks of one row under way.
struct Checked<'c, 'a> {
    texts: &'c Texts<'a>,
    problems: &'c mut Problems,
}

impl<'a> Checked<'_, 'a> {
    fn of<T>(
        &mut self,
        field: Field,
        check: impl FnOnce(Option<&'a str>) -> Result<T, String>,
    ) -> Option<T> {
        self.problems.check(field, check(self.texts[field]))
    }

    fn position(&mut self) -> Option<Option<(f64, f64)>> {
        let lat = self.of(Field::Lat, |text| text.map(|text| degrees(text, 90.0)).transpose());
        let lng = self.of(Field::Lng, |text| text.map(|text| degrees(text, 180.0)).transpose());
        let (lat, lng) = (lat?, lng?);
        match (lat, lng) {
            (Some(_), None) => self.problems.add(Field::Lng, "is empty, though lat is given"),
            (None, Some(_)) => self.problems.add(Field::Lat, "is empty, though lng is given"),
            _ => {}
        }
        Some(lat.zip(lng))
    }
}

fn missing() -> String {
    "is empty".to_owned()
}

fn kind(text: Option<&str>) -> Result<ReportType, String> {
    let text = text.ok_or_else(missing)?;
    ReportType::from_name(&text.trim().to_ascii_lowercase())
        .ok_or_else(|| format!("{} is not one of spirit, water, both", quote(text)))
}

fn place(text: Option<&str>) -> Result<Option<String>, String> {
    let Some(text) = text else { return Ok(None) };
    let tidied = tidy(text);
    if tidied.is_empty() {
        return Ok(None);
    }
    text::check(&tidied, MAX_TEXT)?;
    Ok(Some(tidied))
}

fn people_count(text: &str) -> Result<u32, String> {
    let digits = text.trim();
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok());
    match number.flatten() {
        Some(count) if (1..=MAX_PEOPLE).contains(&count) => Ok(count),
        _ => Err(format!("{} is not a whole number from 1 to 1,000,000", quote(text))),
    }
}

fn event_date(text: &str, moment: &mut Moment) -> Result<NaiveDate, String> {
    let date = parse_date(text.trim())
        .ok_or_else(|| format!("{} is not a date that exists, written YYYY-MM-DD", quote(text)))?;
    if date > moment.now.date_naive() && date > moment.move_on().date_naive() {
        let today = moment.now.date_naive();
        return Err(format!("{date} is in the future: today is {today} (UTC)"));
    }
    Ok(date)
}

fn created_at(text: &str, moment: &mut Moment) -> Result<DateTime<Utc>, String> {
    let instant = parse_instant(text.trim()).ok_or_else(|| {
        let shown = quote(text);
        format!("{shown} is not a date and time in ISO 8601, such as 2024-05-31T18:00:00Z")
    })?;
    if instant > moment.now + CLOCK_LEEWAY && instant > moment.move_on() + CLOCK_LEEWAY {
        let now = moment.now.format("%Y-%m-%dT%H:%M:%SZ");
        return Err(format!("{} is in the future: it is {now}", quote(text)));
    }
    if instant.timestamp_millis() < base::time::FIRST_MILLI {
        return Err(format!("{} is before the year 1", quote(text)));
    }
    Ok(whole_millis(instant))
}

/// The store and the API keep milliseconds.
fn whole_millis(instant: DateTime<Utc>) -> DateTime<Utc> {
    base::time::instant_of_millis(instant.timestamp_millis())
}

/// Where a comma is usual for the point, spreadsheets write one: thousands of degrees, which it could
/// also separate, are out of range.
fn degrees(text: &str, most: f64) -> Result<f64, String> {
    let digits = text.trim();
    let parsed = match digits.split_once(',') {
        Some((whole, rest)) if !rest.contains(['.', ',']) => format!("{whole}.{rest}").parse(),
        _ => digits.parse::<f64>(),
    };
    match parsed {
        Ok(degrees) if degrees.is_finite() && degrees.abs() <= most => Ok(degrees),
        _ => Err(format!("{} is not a number from -{most} to {most}", quote(text))),
    }
}
