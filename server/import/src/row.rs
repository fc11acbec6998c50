//! Conversion of a row's texts to a report, or to the list of all its problems.

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

use super::{
    field::Field,
    identity::Identities,
    reading::{Dates, Numbers, Reading, Remedy},
    reasons::Wrong,
    row_error::RowError,
    rows::Problem,
};

/// Maximum number of characters of a text that the API can also filter by.
const MAX_TEXT: usize = 256;
const MAX_PEOPLE: u32 = 1_000_000;
/// Tolerance for the clock of another machine that is ahead of this one's.
const CLOCK_LEEWAY: TimeDelta = TimeDelta::minutes(5);

/// Texts of one row, by field; `None` if missing or blank.
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

/// Checks of the rows of one file.
pub(super) struct Checks {
    rules: Rules,
    moment: Moment,
    identities: Identities,
}

/// Meaning of dates and numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Rules {
    dates: Dates,
    numbers: Numbers,
    /// Whether the rows are from a workbook. Its cells contain either dates or instants as people have formatted them,
    /// so each is read as the other, too.
    is_workbook: bool,
}

/// Time of the import. Standard input may last for days, so the time advances, but only if a row needs it: all rows of
/// a small file share the same time.
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

    /// Returns the day of an instant. If that day has not begun yet, because another machine's clock is ahead, returns
    /// today.
    fn day_of(&mut self, instant: DateTime<Utc>) -> NaiveDate {
        let day = instant.date_naive();
        match day > self.now.date_naive() {
            true => day.min(self.move_on().date_naive()),
            false => day,
        }
    }
}

/// Problems of a row, at most one per field.
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, field: Field, wrong: Wrong) {
        if self.0.iter().all(|problem| problem.field != Some(field)) {
            self.0.push(wrong.in_field(field));
        }
    }

    fn check<T>(&mut self, field: Field, checked: Result<T, Wrong>) -> Option<T> {
        checked.map_err(|wrong| self.add(field, wrong)).ok()
    }
}

impl Checks {
    pub(super) fn new(clock: Clock, reading: &Reading) -> Self {
        let moment = Moment { now: clock.now(), clock };
        let rules = Rules { dates: reading.dates, numbers: reading.numbers, is_workbook: false };
        Self { rules, moment, identities: Identities::default() }
    }

    /// Declares the rows to be those of a workbook.
    pub(super) fn set_workbook(&mut self) {
        self.rules.is_workbook = true;
    }

    /// Converts the row to a report. `problems` are known already; no more problems are added for their fields.
    pub(super) fn report(
        &mut self,
        texts: &Texts<'_>,
        problems: Vec<Problem>,
    ) -> Result<NewReport, Vec<Problem>> {
        let (rules, moment) = (self.rules, &mut self.moment);
        let mut problems = Problems(problems);
        let mut check = Checked { texts, problems: &mut problems };
        let id = check.of(Field::Id, |text| text.map(report_id).transpose());
        let kind = check.of(Field::Type, kind);
        let city = check.of(Field::City, |text| place(text)?.ok_or_else(missing));
        let region = check.of(Field::Region, place);
        let country = check.of(Field::Country, |text| place(text)?.ok_or_else(missing));
        let people_count = check.of(Field::PeopleCount, |text| {
            text.map_or(Ok(1), |text| people_count(text, rules.numbers))
        });
        let event_date = check.of(Field::EventDate, |text| {
            text.map(|text| event_date(text, rules, moment)).transpose()
        });
        let created_at = check.of(Field::CreatedAt, |text| {
            text.map(|text| created_at(text, rules, moment)).transpose()
        });
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

/// Checks of one row in progress.
struct Checked<'c, 'a> {
    texts: &'c Texts<'a>,
    problems: &'c mut Problems,
}

impl<'a> Checked<'_, 'a> {
    fn of<T>(
        &mut self,
        field: Field,
        check: impl FnOnce(Option<&'a str>) -> Result<T, Wrong>,
    ) -> Option<T> {
        self.problems.check(field, check(self.texts[field]))
    }

    fn position(&mut self) -> Option<Option<(f64, f64)>> {
        let lat = self.of(Field::Lat, |text| text.map(|text| degrees(text, 90)).transpose());
        let lng = self.of(Field::Lng, |text| text.map(|text| degrees(text, 180)).transpose());
        let (lat, lng) = (lat?, lng?);
        match (lat, lng) {
            (Some(_), None) => {
                self.problems.add(Field::Lng, RowError::EmptyBeside(Field::Lat).into());
            }
            (None, Some(_)) => {
                self.problems.add(Field::Lat, RowError::EmptyBeside(Field::Lng).into());
            }
            _ => {}
        }
        Some(lat.zip(lng))
    }
}

fn missing() -> Wrong {
    RowError::Empty.into()
}

fn report_id(text: &str) -> Result<ReportId, Wrong> {
    ReportId::new(text).map_err(|error| RowError::Text(error).into())
}

fn kind(text: Option<&str>) -> Result<ReportType, Wrong> {
    let text = text.ok_or_else(missing)?;
    ReportType::from_name(&text.trim().to_ascii_lowercase())
        .ok_or_else(|| RowError::UnknownType(quote(text)).into())
}

fn place(text: Option<&str>) -> Result<Option<String>, Wrong> {
    let Some(text) = text else { return Ok(None) };
    let tidied = tidy(text);
    if tidied.is_empty() {
        return Ok(None);
    }
    text::check(&tidied, MAX_TEXT).map_err(RowError::Text)?;
    Ok(Some(tidied))
}

fn count(text: &str, numbers: Numbers) -> Option<u32> {
    let digits = numbers.digits(text.trim())?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let count = is_number.then(|| digits.parse().ok()).flatten()?;
    (1..=MAX_PEOPLE).contains(&count).then_some(count)
}

fn people_count(text: &str, numbers: Numbers) -> Result<u32, Wrong> {
    count(text, numbers).ok_or_else(|| {
        let others = Numbers::ALL.into_iter().filter(|other| count(text, *other).is_some());
        Wrong::from(RowError::NotWholeNumber(quote(text))).with(others.map(Remedy::Numbers))
    })
}

/// Parses a date. The cell of a workbook may have a time, too.
fn date(text: &str, dates: Dates, is_workbook: bool) -> Option<NaiveDate> {
    let text = dates.normalized(text.trim());
    let day = match text.split_once('T') {
        Some((day, _)) if is_workbook => day,
        _ => &text,
    };
    parse_date(day)
}

/// Parses an instant. The cell of a workbook may have a date only.
fn instant(text: &str, dates: Dates, is_workbook: bool) -> Option<DateTime<Utc>> {
    let text = dates.normalized(text.trim());
    let is_day = is_workbook && parse_date(&text).is_some();
    if is_day { parse_instant(&format!("{text}T00:00:00Z")) } else { parse_instant(&text) }
}

/// Orders in which a text is readable.
fn readable<T>(read: impl Fn(Dates) -> Option<T>) -> impl Iterator<Item = Remedy> {
    let orders = Dates::ALL.into_iter().filter(move |order| read(*order).is_some());
    orders.map(Remedy::Dates)
}

fn event_date(text: &str, rules: Rules, moment: &mut Moment) -> Result<NaiveDate, Wrong> {
    let Rules { dates, is_workbook, .. } = rules;
    let date = date(text, dates, is_workbook).ok_or_else(|| {
        Wrong::from(RowError::NotDate { text: quote(text), order: dates })
            .with(readable(|order| self::date(text, order, is_workbook)))
    })?;
    if date > moment.now.date_naive() && date > moment.move_on().date_naive() {
        let (date, today) = (date.to_string(), moment.now.date_naive().to_string());
        return Err(RowError::FutureDate { date, today }.into());
    }
    Ok(date)
}

fn created_at(text: &str, rules: Rules, moment: &mut Moment) -> Result<DateTime<Utc>, Wrong> {
    let Rules { dates, is_workbook, .. } = rules;
    let instant = instant(text, dates, is_workbook).ok_or_else(|| {
        Wrong::from(RowError::NotInstant(quote(text)))
            .with(readable(|order| self::instant(text, order, is_workbook)))
    })?;
    if instant > moment.now + CLOCK_LEEWAY && instant > moment.move_on() + CLOCK_LEEWAY {
        let now = moment.now.format("%Y-%m-%dT%H:%M:%SZ").to_string();
        return Err(RowError::FutureInstant { text: quote(text), now }.into());
    }
    if instant.timestamp_millis() < base::time::FIRST_MILLI {
        return Err(RowError::BeforeYearOne(quote(text)).into());
    }
    Ok(whole_millis(instant))
}

/// Truncates to milliseconds, as stored by the store and the API.
fn whole_millis(instant: DateTime<Utc>) -> DateTime<Utc> {
    base::time::instant_of_millis(instant.timestamp_millis())
}

/// Parses degrees. Spreadsheets of some locales write a decimal comma. It cannot be a thousands separator, because
/// thousands of degrees are out of range.
fn degrees(text: &str, most: u16) -> Result<f64, Wrong> {
    let digits = text.trim();
    let parsed = match digits.split_once(',') {
        Some((whole, rest)) if !rest.contains(['.', ',']) => format!("{whole}.{rest}").parse(),
        _ => digits.parse::<f64>(),
    };
    match parsed {
        Ok(degrees) if degrees.is_finite() && degrees.abs() <= f64::from(most) => Ok(degrees),
        _ => Err(RowError::NotDegrees { text: quote(text), most }.into()),
    }
}
