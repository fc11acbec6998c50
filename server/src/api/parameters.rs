//! Query parameters, parsed at the edge into types that cannot be wrong.

use std::borrow::Cow;

use app::{lang::Lang, model::ReportType};
use axum::extract::FromRequestParts;
use chrono::{DateTime, NaiveDate, Utc};
use http::request::Parts;

use crate::{
    http::problem::{Problem, Result},
    store::{ALL_TYPES, Period, PlaceFilter},
    time::{parse_date, parse_instant},
};

/// The most characters of a value.
const MAX_CHARACTERS: usize = 256;
/// The most parameters of a request.
const MAX_PARAMETERS: usize = 32;

/// The decoded parameters of a request: no name twice, no value over-long, UTF-8, no control
/// characters. Names that no endpoint knows are passed over, so that a client may add its own.
#[derive(Clone, Debug, Default)]
pub struct Parameters(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

impl Parameters {
    /// Parses `name=value&…`, percent-encoded, `+` for a space.
    pub fn parse(query: &str) -> Result<Self> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name)
                .map_err(|wrong| invalid(format!("The name of a parameter {wrong}.")))?;
            let shown: String = name.chars().take(40).collect();
            let value = decode(value)
                .map_err(|wrong| invalid(format!("The value of {shown:?} {wrong}.")))?;
            if parameters.iter().any(|(known, _)| *known == name) {
                return Err(invalid(format!("{shown:?} is given more than once: give it once.")));
            }
            if parameters.len() == MAX_PARAMETERS {
                return Err(invalid(format!("More than {MAX_PARAMETERS} parameters are given.")));
            }
            parameters.push((name, value));
        }
        Ok(Self(parameters))
    }

    /// The values of `name`, in their order, and the parameters without them: for the one name that
    /// may be given more than once. A value may have `most` characters.
    pub fn parse_with_list(query: &str, name: &str, most: usize) -> Result<(Vec<String>, Self)> {
        let mut values = Vec::new();
        let mut rest = Vec::new();
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some((given, value)) if given == name => {
                    let value = decode_up_to(most, value)
                        .map_err(|wrong| invalid(format!("The value of {name:?} {wrong}.")))?;
                    values.push(value);
                }
                _ => rest.push(pair),
            }
        }
        Ok((values, Self::parse(&rest.join("&"))?))
    }

    /// Whether any of `names` is given.
    pub fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.get(name).is_some())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A parameter that has to be there; `what` it is, for whoever left it out.
    pub fn required(&self, name: &str, what: &str) -> Result<&str> {
        match self.get(name) {
            Some(value) if !value.trim().is_empty() => Ok(value),
            _ => Err(invalid(format!("{name:?} is missing: give {what}."))),
        }
    }

    /// `country`, `region`, `city`; a blank one is no filter.
    pub fn place(&self) -> PlaceFilter {
        PlaceFilter::new(self.get("country"), self.get("region"), self.get("city"))
    }

    /// `from` and `to`, both optional.
    pub fn period(&self) -> Result<Period> {
        let (from, to) = (self.date("from")?, self.date("to")?);
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            return Err(Problem::invalid_period(format!(
                "\"from\" ({from}) is after \"to\" ({to}): exchange them."
            )));
        }
        Ok(Period { from, to })
    }

    /// `from` and `to`, both required.
    pub fn required_period(&self) -> Result<(NaiveDate, NaiveDate)> {
        let Period { from, to } = self.period()?;
        let missing = |name: &str| {
            Problem::invalid_period(format!("{name:?} is missing: give a date as YYYY-MM-DD."))
        };
        Ok((from.ok_or_else(|| missing("from"))?, to.ok_or_else(|| missing("to"))?))
    }

    fn date(&self, name: &str) -> Result<Option<NaiveDate>> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        match parse_date(text) {
            Some(date) => Ok(Some(date)),
            None => Err(Problem::invalid_period(format!(
                "{name:?} is {text:?}: give a date that exists, as YYYY-MM-DD."
            ))),
        }
    }

    /// `limit`, 1 to 100.
    pub fn limit(&self, default: u32) -> Result<u32> {
        let Some(text) = self.get("limit") else {
            return Ok(default);
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { text.parse::<u32>().ok() } else { None };
        number.filter(|limit| (1..=100).contains(limit)).ok_or_else(|| {
            Problem::invalid_limit(format!(
                "\"limit\" is {text:?}: give a whole number from 1 to 100."
            ))
        })
    }

    /// `types`, some of `spirit,water,both`: which of them, in the order of [`ReportType::ALL`]. All
    /// where it is not given.
    pub fn types(&self) -> Result<[bool; 3]> {
        let Some(text) = self.get("types") else {
            return Ok(ALL_TYPES);
        };
        let mut types = [false; 3];
        for name in text.split(',') {
            let known = ReportType::ALL.iter().position(|kind| kind.as_str() == name);
            let Some(index) = known else {
                return Err(invalid(format!(
                    "\"types\" is {text:?}: give some of spirit, water and both, with commas \
                     between them."
                )));
            };
            types[index] = true;
        }
        Ok(types)
    }

    /// `lang`, in which the names of places are to be.
    pub fn lang(&self) -> Result<Option<Lang>> {
        let Some(text) = self.get("lang") else {
            return Ok(None);
        };
        match Lang::from_tag(text) {
            Some(lang) => Ok(Some(lang)),
            None => {
                let known = Lang::ALL.map(Lang::tag).join(", ");
                Err(invalid(format!("\"lang\" is {text:?}: give one of {known}.")))
            }
        }
    }

    /// `since`, an instant.
    pub fn since(&self) -> Result<Option<DateTime<Utc>>> {
        let Some(text) = self.get("since") else {
            return Ok(None);
        };
        // An offset's plus sign that was not percent-encoded arrives as a space.
        let mended = match text.rsplit_once(' ') {
            Some((instant, offset)) if instant.contains(['T', 't']) => {
                Cow::Owned(format!("{instant}+{offset}"))
            }
            _ => Cow::Borrowed(text),
        };
        match parse_instant(&mended) {
            Some(instant) => Ok(Some(instant)),
            None => Err(Problem::invalid_since(format!(
                "\"since\" is {text:?}: give a date and time in ISO 8601, such as \
                 2026-03-01T12:00:00.000Z."
            ))),
        }
    }
}

fn invalid(detail: String) -> Problem {
    Problem::invalid_parameter(detail)
}

/// Decodes strictly: what does not decode would otherwise become a filter that silently fits
/// nothing.
fn decode(encoded: &str) -> Result<String, String> {
    decode_up_to(MAX_CHARACTERS, encoded)
}

fn decode_up_to(most: usize, encoded: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, tail) = match (*first, tail) {
            (b'%', [high, low, tail @ ..]) if let Some(byte) = hex_byte(*high, *low) => {
                (byte, tail)
            }
            (b'%', _) => {
                return Err("has a % that begins no escape: write it as %25".to_owned());
            }
            (b'+', tail) => (b' ', tail),
            (byte, tail) => (byte, tail),
        };
        bytes.push(byte);
        rest = tail;
    }
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
    let length = text.chars().count();
    if length > most {
        return Err(format!("has {length} characters, and {most} is the most"));
    }
    match text.chars().find(|character| character.is_control()) {
        Some(control) => Err(format!("has a control character (U+{:04X})", u32::from(control))),
        None => Ok(text),
    }
}

fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
