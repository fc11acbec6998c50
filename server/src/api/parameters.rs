//! Query parameters, parsed at the edge into types that cannot be wrong.

mod encoding;
mod near_miss;

use std::{borrow::Cow, sync::Arc};

use app::brand::Brand;
use base::{
    spelling,
    time::{parse_date, parse_instant},
};
use chrono::{DateTime, NaiveDate, Utc};
use domain::{cursor::Cursor, event::EventName, subscription::DeliveryStatus};
use kit::lang::Lang;
use model::{Interval, ReportType};
use store::{ALL_TYPES, Filter, Period, PlaceFilter, Rank};
use url::form_urlencoded;

use self::near_miss::Comparison;
pub(crate) use self::near_miss::{NearMiss, check_options, embed_options};
use super::page;
use crate::{
    openapi::{
        Parameter,
        parameter::{
            AFTER, CITY, COUNTRY, DELIVERY_STATUS, EVENTS, FROM, INCLUDE, INTERVAL, LANG, LIMIT,
            PAGE, REGION, SINCE, TO, TYPES, UNTIL,
        },
    },
    problem::{Problem, Result, quoted},
    responses::{Include, ReportForm},
};

/// Maximum number of characters of a value.
const MAX_CHARACTERS: usize = 256;
/// Maximum number of characters of `page`, which contains an id of up to 128 characters.
const MAX_PAGE_CHARACTERS: usize = 1_024;

/// Value of `after` for clients that want only future events.
const LATEST: &str = "latest";

/// Position in the event log to continue from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Cursor(Cursor),
    Latest,
}

/// The parameters of a request, still encoded. Parameters that the endpoint does not support are ignored, even
/// malformed ones, unless they are near misses of one that it does. The query is read once, so the work is bounded by
/// its length. Values are checked when they are read, so a wrong value gets the code of its parameter.
#[derive(Clone, Debug)]
pub struct Parameters<'query>(Vec<(&'static str, &'query str)>);

impl<'query> Parameters<'query> {
    /// Splits a query of the form `name=value&…`, percent-encoded, with `+` for a space.
    ///
    /// # Errors
    /// A parameter is a near miss of a known one: without this filter, the response would be about everything.
    pub fn of(query: Option<&'query str>, known: &'static [Parameter]) -> Result<Self> {
        let (mut parameters, mut unknown) = (Vec::new(), Comparison::default());
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let Some(parameter) = known.iter().find(|known| encoding::is(name, known.name)) {
                parameters.push((parameter.name, value));
            } else {
                unknown.check(name, known.iter().map(|known| known.name))?;
            }
        }
        Ok(Self(parameters))
    }

    /// Splits a query that must have no parameters other than `known`.
    ///
    /// # Errors
    /// The first unknown parameter, with a suggestion.
    pub fn only(query: &'query str, known: &'static [Parameter]) -> Result<Self> {
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let name = pair.split_once('=').map_or(pair, |(name, _)| name);
            if known.iter().any(|known| encoding::is(name, known.name)) {
                continue;
            }
            let name = encoding::decode(name, MAX_CHARACTERS).unwrap_or_else(|_| quoted(name));
            let names = known.iter().map(|known| known.name);
            let hint = spelling::hint(&name, names, "give some of");
            let name = quoted(&name);
            return Err(Problem::invalid_parameter(format!(
                "There is no parameter {name:?}: {hint}"
            )));
        }
        Self::of(Some(query), known)
    }

    fn encoded(&self, parameter: &Parameter) -> impl Iterator<Item = &'query str> {
        let given = self.0.iter().filter(|(name, _)| *name == parameter.name);
        given.map(|(_, value)| *value)
    }

    /// Whether any of `parameters` is given.
    pub fn has_any(&self, parameters: &[Parameter]) -> bool {
        parameters.iter().any(|parameter| self.encoded(parameter).next().is_some())
    }

    /// Returns the query with another value of `parameter`; all others stay as they were given. Only for queries that
    /// were parsed: malformed values are left out.
    pub fn with(&self, parameter: &Parameter, value: &str) -> String {
        self.without(Some(parameter)).append_pair(parameter.name, value).finish()
    }

    /// Returns the query in its usual form: without unknown parameters, and encoded in the same way for all clients.
    pub fn query(&self) -> String {
        self.without(None).finish()
    }

    fn without(&self, parameter: Option<&Parameter>) -> form_urlencoded::Serializer<'_, String> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let left_out = parameter.map(|parameter| parameter.name);
        for (name, encoded) in self.0.iter().filter(|(name, _)| Some(*name) != left_out) {
            if let Ok(value) = encoding::decode(encoded, usize::MAX) {
                query.append_pair(name, &value);
            }
        }
        query
    }

    /// Returns the value of a parameter that may be given once.
    pub(crate) fn get(&self, parameter: &Parameter) -> Result<Option<String>> {
        self.get_up_to(parameter, MAX_CHARACTERS)
    }

    fn get_up_to(&self, parameter: &Parameter, max: usize) -> Result<Option<String>> {
        let mut values = self.encoded(parameter);
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            let detail = format!("{:?} is given more than once.", parameter.name);
            return Err(parameter.problem(detail));
        }
        decode(parameter, value, max).map(Some)
    }

    /// Returns the values of a repeatable parameter, each of at most `max` characters.
    pub fn list<'a>(
        &'a self,
        parameter: &'a Parameter,
        max: usize,
    ) -> impl Iterator<Item = Result<String>> + 'a {
        self.encoded(parameter).map(move |value| decode(parameter, value, max))
    }

    /// Returns a required text. If it is missing, the problem describes it as `what`.
    pub fn text(&self, parameter: &Parameter, what: &str) -> Result<String> {
        let text = self.get(parameter)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| {
            parameter.problem(format!("{:?} is missing: give {what}.", parameter.name))
        })
    }

    /// Returns a value out of a set of `names`, parsed by `named`.
    pub(crate) fn choice<T>(
        &self,
        parameter: &Parameter,
        named: impl Fn(&str) -> Option<T>,
        names: &[&str],
    ) -> Result<Option<T>> {
        let Some(text) = self.get(parameter)? else { return Ok(None) };
        named(&text).map(Some).ok_or_else(|| {
            let (name, names) = (parameter.name, names.join(", "));
            parameter.problem(format!("{name:?} is {text:?}: give one of {names}."))
        })
    }

    /// Reads `country`, `region` and `city`. A blank one is no filter.
    pub fn place(&self) -> Result<PlaceFilter> {
        let (country, region, city) = (self.get(&COUNTRY)?, self.get(&REGION)?, self.get(&CITY)?);
        Ok(PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref()))
    }

    /// Reads `from` and `to`, both optional.
    pub fn period(&self) -> Result<Period> {
        let (from, to) = (self.date(&FROM)?, self.date(&TO)?);
        if let (Some(from), Some(to)) = (from, to) {
            check_order(from, to)?;
        }
        Ok(Period { from, to })
    }

    /// Reads the period and the place.
    pub fn filter(&self) -> Result<Filter> {
        Ok(Filter { period: self.period()?, place: self.place()? })
    }

    /// Reads `interval`; the default is a month.
    pub fn interval(&self) -> Result<Interval> {
        let names = Interval::ALL.map(Interval::as_str);
        let interval = self.choice(&INTERVAL, Interval::from_name, &names)?;
        Ok(interval.unwrap_or(Interval::Month))
    }

    /// Reads `from` and `to`, both required.
    pub fn required_period(&self) -> Result<(NaiveDate, NaiveDate)> {
        let (from, to) = (self.required_date(&FROM)?, self.required_date(&TO)?);
        check_order(from, to)?;
        Ok((from, to))
    }

    fn required_date(&self, parameter: &Parameter) -> Result<NaiveDate> {
        self.date(parameter)?.ok_or_else(|| {
            let name = parameter.name;
            parameter.problem(format!("{name:?} is missing: give a date as YYYY-MM-DD."))
        })
    }

    fn date(&self, parameter: &Parameter) -> Result<Option<NaiveDate>> {
        let Some(text) = self.get(parameter)? else { return Ok(None) };
        parse_date(&text).map(Some).ok_or_else(|| {
            let name = parameter.name;
            parameter
                .problem(format!("{name:?} is {text:?}: give a date that exists, as YYYY-MM-DD."))
        })
    }

    /// Reads `limit`, 1 to 100.
    pub fn limit(&self, default: u32) -> Result<u32> {
        self.limit_up_to(100, default)
    }

    /// Reads `limit`, 1 to `max`.
    pub fn limit_up_to(&self, max: u32, default: u32) -> Result<u32> {
        let Some(text) = self.get(&LIMIT)? else { return Ok(default) };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { text.parse::<u32>().ok() } else { None };
        number.filter(|limit| (1..=max).contains(limit)).ok_or_else(|| {
            LIMIT.problem(format!("\"limit\" is {text:?}: give a whole number from 1 to {max}."))
        })
    }

    /// Reads a list of names, separated by commas, out of `known`: the position of each in `known`.
    fn names(&self, parameter: &Parameter, known: &[&str]) -> Result<Option<Vec<usize>>> {
        let Some(text) = self.get(parameter)? else { return Ok(None) };
        let position = |name: &str| {
            let unknown = || {
                let of = parameter.name;
                parameter.problem(match spelling::nearest(name, known.iter().copied()) {
                    Some(meant) => format!("{of:?} is {text:?}: did you mean {meant:?}?"),
                    None => {
                        let known = spelling::listed(known.iter().copied());
                        format!("{of:?} is {text:?}: give some of {known}, separated by commas.")
                    }
                })
            };
            known.iter().position(|known| *known == name).ok_or_else(unknown)
        };
        text.split(',').map(position).collect::<Result<_>>().map(Some)
    }

    /// Reads `types`, a selection of `spirit,water,both`, as flags in the order of [`ReportType::ALL`]. All of them by
    /// default.
    pub fn types(&self) -> Result<[bool; 3]> {
        let names = self.names(&TYPES, &ReportType::ALL.map(ReportType::as_str))?;
        let flags = |names: Vec<usize>| [0, 1, 2].map(|index| names.contains(&index));
        Ok(names.map_or(ALL_TYPES, flags))
    }

    /// Reads `include` and `lang`, the form of reports.
    pub(crate) fn form(&self, brand: &Arc<Brand>) -> Result<ReportForm> {
        let included = self.names(&INCLUDE, &Include::NAMES)?.unwrap_or_default();
        let include: [bool; Include::NAMES.len()] =
            std::array::from_fn(|index| included.contains(&index));
        Ok(ReportForm { include: include.into(), lang: self.lang()?, brand: brand.clone() })
    }

    /// Reads `events`, names of events: each once. All of them by default.
    pub fn events(&self) -> Result<Vec<EventName>> {
        let Some(names) = self.names(&EVENTS, &EventName::NAMES)? else {
            return Ok(EventName::PUBLIC.to_vec());
        };
        let is_named = |(index, _): &(usize, EventName)| names.contains(index);
        let named = EventName::PUBLIC.into_iter().enumerate().filter(is_named);
        Ok(named.map(|(_, event)| event).collect())
    }

    /// Reads `after`, the position in the log: after a cursor, or, if it is `latest`, at its end.
    pub fn after(&self) -> Result<Option<After>> {
        if self.get(&AFTER)?.as_deref() == Some(LATEST) {
            return Ok(Some(After::Latest));
        }
        Ok(self.cursor(&AFTER)?.map(After::Cursor))
    }

    /// Reads a cursor: the `next` of an earlier response.
    pub fn cursor(&self, parameter: &Parameter) -> Result<Option<Cursor>> {
        let Some(text) = self.get(parameter)? else { return Ok(None) };
        let cursor = text.parse().map(Some);
        cursor.map_err(|_| {
            parameter.problem(format!(
                "{:?} is {:?}, which is not a cursor of this service: give the \"next\" of an earlier \
                 response, or leave it out.",
                parameter.name,
                quoted(&text)
            ))
        })
    }

    /// Reads `status`, the status of deliveries.
    pub fn delivery_status(&self) -> Result<Option<DeliveryStatus>> {
        self.choice(&DELIVERY_STATUS, DeliveryStatus::from_name, &DeliveryStatus::NAMES)
    }

    /// Reads `lang`, the language of place names.
    pub fn lang(&self) -> Result<Option<Lang>> {
        self.choice(&LANG, Lang::from_tag, &Lang::ALL.map(Lang::tag))
    }

    /// Reads `page`, the report before the page.
    pub fn page(&self) -> Result<Option<Rank>> {
        self.page_of(page::decode, "at the newest report")
    }

    /// Reads `page`, the position before the page. Without it, a list begins at `start`.
    pub fn page_of<T>(&self, decode: impl Fn(&str) -> Option<T>, start: &str) -> Result<Option<T>> {
        let Some(text) = self.get_up_to(&PAGE, MAX_PAGE_CHARACTERS)? else { return Ok(None) };
        decode(&text).map(Some).ok_or_else(|| {
            PAGE.problem(format!(
                "\"page\" is {:?}, which is not from a Link of this service: follow the links \
                 unchanged, or leave it out to begin {start}.",
                quoted(&text)
            ))
        })
    }

    /// Reads `since`, an instant.
    pub fn since(&self) -> Result<Option<DateTime<Utc>>> {
        self.instant(&SINCE)
    }

    /// Reads `until`, an instant.
    pub fn until(&self) -> Result<Option<DateTime<Utc>>> {
        self.instant(&UNTIL)
    }

    fn instant(&self, parameter: &Parameter) -> Result<Option<DateTime<Utc>>> {
        let Some(text) = self.get(parameter)? else { return Ok(None) };
        // The plus sign of an offset arrives as a space if it was not percent-encoded.
        let mended = match text.rsplit_once(' ') {
            Some((instant, offset)) if instant.contains(['T', 't', ':']) => {
                Cow::Owned(format!("{instant}+{offset}"))
            }
            _ => Cow::Borrowed(text.as_str()),
        };
        parse_instant(&mended).map(Some).ok_or_else(|| {
            parameter.problem(format!(
                "{:?} is {text:?}: give a date and time in ISO 8601, such as 2026-03-01T12:00:00.000Z.",
                parameter.name
            ))
        })
    }
}

/// Checks a text that is not a parameter, with the limits of one: at most 256 characters, and no control characters.
/// Returns the fault.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    encoding::check(text, MAX_CHARACTERS)
}

fn check_order(from: NaiveDate, to: NaiveDate) -> Result<()> {
    if from <= to {
        return Ok(());
    }
    Err(Problem::invalid_period(format!("\"from\" ({from}) is after \"to\" ({to}).")))
}

/// Decodes strictly: a wrongly decoded value would silently filter out everything.
fn decode(parameter: &Parameter, encoded: &str, max: usize) -> Result<String> {
    encoding::decode(encoded, max)
        .map_err(|wrong| parameter.problem(format!("The value of {:?} {wrong}.", parameter.name)))
}
