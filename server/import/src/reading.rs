//! Choices of how a file is read. The defaults read only what is unambiguous.

use std::borrow::Cow;

use base::spelling::letters;
use domain::named;

use super::field::Field;

/// Choices of how a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Columns or keys by name that are not read by their own name: as this field, or not at all.
    pub columns: Vec<(String, Option<Field>)>,
    pub dates: Dates,
    pub numbers: Numbers,
    pub encoding: Encoding,
    /// Sheet of a workbook; `None` is the first visible one.
    pub sheet: Option<String>,
}

named! {
    /// Order of day, month and year.
    #[derive(Default)]
    Dates {
        /// Only `2025-12-31`.
        #[default]
        YearFirst = "iso",
        /// `31/12/2025`, also with points or hyphens.
        DayFirst = "day-first",
        /// `12/31/2025`, also with points or hyphens.
        MonthFirst = "month-first",
    }
}

named! {
    /// Separators in numbers of people. Coordinates are read with a decimal point or comma in any case.
    #[derive(Default)]
    Numbers {
        /// Only digits.
        #[default]
        Digits = "digits",
        /// `1,234.0`.
        Point = "point",
        /// `1.234,0`.
        Comma = "comma",
    }
}

named! {
    /// Encoding of a text without a byte order mark.
    #[derive(Default)]
    Encoding {
        #[default]
        Utf8 = "utf-8",
        Windows1252 = "windows-1252",
    }
}

/// A choice that would make a refused row readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Remedy {
    Dates(Dates),
    Numbers(Numbers),
    Encoding(Encoding),
}

const COLUMN: &str = "column.";
/// Value for a column that is not read.
const NOT_READ: &str = "-";

impl Reading {
    /// Returns the choices as parameters of a form. Defaults are left out.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let mut parameters = Vec::new();
        let mut add = |name: &str, value: &str| {
            parameters.push((name.to_owned(), value.to_owned()));
        };
        for (name, field) in &self.columns {
            add(&format!("{COLUMN}{name}"), field.map_or(NOT_READ, Field::as_str));
        }
        if self.dates != Dates::default() {
            add("dates", self.dates.as_str());
        }
        if self.numbers != Numbers::default() {
            add("numbers", self.numbers.as_str());
        }
        if self.encoding != Encoding::default() {
            add("encoding", self.encoding.as_str());
        }
        if let Some(sheet) = &self.sheet {
            add("sheet", sheet);
        }
        parameters
    }

    /// Reads choices from parameters of a form. Others are ignored, and so are columns that are read by their own name
    /// anyway.
    pub fn of_parameters<'p>(
        parameters: impl IntoIterator<Item = (Cow<'p, str>, Cow<'p, str>)>,
    ) -> Self {
        let mut reading = Self::default();
        for (name, value) in parameters {
            match &*name {
                "dates" => reading.dates = Dates::from_name(&value).unwrap_or_default(),
                "numbers" => reading.numbers = Numbers::from_name(&value).unwrap_or_default(),
                "encoding" => reading.encoding = Encoding::from_name(&value).unwrap_or_default(),
                "sheet" => reading.sheet = Some(value.into_owned()).filter(|name| !name.is_empty()),
                name => {
                    let Some(column) = name.strip_prefix(COLUMN) else { continue };
                    let field = Field::from_name(&value);
                    if field != Field::named(column) {
                        reading.columns.push((column.to_owned(), field));
                    }
                }
            }
        }
        reading
    }

    /// Returns the choice for a column, if there is one.
    pub(super) fn column(&self, name: &str) -> Option<Option<Field>> {
        let is_it = |(given, _): &&(String, _)| letters(given).eq(letters(name));
        self.columns.iter().find(is_it).map(|(_, field)| *field)
    }
}

impl Dates {
    /// Pattern of a date in this order.
    pub const fn pattern(self) -> &'static str {
        match self {
            Dates::YearFirst => "YYYY-MM-DD",
            Dates::DayFirst => "DD/MM/YYYY",
            Dates::MonthFirst => "MM/DD/YYYY",
        }
    }

    /// Returns the text with its date written as `YYYY-MM-DD`, if it begins with a date in this order. A time may
    /// follow the date.
    pub(super) fn normalized(self, text: &str) -> Cow<'_, str> {
        match self {
            Dates::YearFirst => None,
            Dates::DayFirst | Dates::MonthFirst => self.reordered(text),
        }
        .map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn reordered(self, text: &str) -> Option<String> {
        let separator = text.chars().find(|char| !char.is_ascii_digit())?;
        if !matches!(separator, '/' | '.' | '-') {
            return None;
        }
        let mut parts = text.splitn(3, separator);
        let (first, second, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
        let (third, time) = rest.split_at(end);
        let (year, month, day) = match (first.len(), third.len(), self) {
            (4, ..) => (first, second, third),
            (_, 4, Dates::MonthFirst) => (third, first, second),
            (_, 4, _) => (third, second, first),
            _ => return None,
        };
        let is_short = |text: &str| {
            matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_short(month) || !is_short(day) {
            return None;
        }
        let time = match time.trim_start() {
            "" => String::new(),
            time if time.starts_with('T') => time.to_owned(),
            time => format!("T{time}"),
        };
        Some(format!("{year}-{month:0>2}-{day:0>2}{time}"))
    }
}

impl Numbers {
    /// Returns the digits of a whole number with separators of thousands, or `None` if it has others.
    pub(super) fn digits(self, text: &str) -> Option<Cow<'_, str>> {
        let (thousands, decimal) = match self {
            Numbers::Digits => return Some(Cow::Borrowed(text)),
            Numbers::Point => (',', '.'),
            Numbers::Comma => ('.', ','),
        };
        let (whole, fraction) = text.split_once(decimal).unwrap_or((text, ""));
        let is_separator = |char: char| {
            char == thousands || matches!(char, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’')
        };
        let mut groups = whole.split(is_separator);
        let first = groups.next().unwrap_or_default();
        let is_whole = fraction.bytes().all(|byte| byte == b'0')
            && groups.clone().all(|group| group.len() == 3)
            && (groups.clone().next().is_none() || matches!(first.len(), 1..=3));
        is_whole.then(|| Cow::Owned(std::iter::once(first).chain(groups).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_rewritten_in_the_chosen_order_only() {
        for (order, text, expected) in [
            (Dates::YearFirst, "31/12/2025", "31/12/2025"),
            (Dates::DayFirst, "31/12/2025", "2025-12-31"),
            (Dates::DayFirst, "1.2.2025", "2025-02-01"),
            (Dates::DayFirst, "01-02-2025", "2025-02-01"),
            (Dates::MonthFirst, "1/2/2025", "2025-01-02"),
            (Dates::MonthFirst, "2025/1/2", "2025-01-02"),
            (Dates::DayFirst, "2025-12-31", "2025-12-31"),
            (Dates::DayFirst, "31/12/2025 18:00", "2025-12-31T18:00"),
            (Dates::DayFirst, "2025-12-31T18:00:00Z", "2025-12-31T18:00:00Z"),
            (Dates::DayFirst, "31/12/25", "31/12/25"),
            (Dates::DayFirst, "31/12.2025", "31/12.2025"),
            (Dates::DayFirst, "", ""),
            (Dates::DayFirst, "é/é/2025", "é/é/2025"),
            (Dates::DayFirst, "31 December 2025", "31 December 2025"),
        ] {
            assert_eq!(order.normalized(text), expected, "{order} {text}");
        }
    }

    #[test]
    fn thousands_are_read_with_the_chosen_separator_only() {
        for (numbers, text, expected) in [
            (Numbers::Digits, "1,234", Some("1,234")),
            (Numbers::Point, "1,234", Some("1234")),
            (Numbers::Point, "12", Some("12")),
            (Numbers::Point, "1,234.00", Some("1234")),
            (Numbers::Point, "1 234", Some("1234")),
            (Numbers::Point, "1.234", None),
            (Numbers::Point, "1,23", None),
            (Numbers::Point, "1234,567", None),
            (Numbers::Comma, "1.234", Some("1234")),
            (Numbers::Comma, "1.234,0", Some("1234")),
            (Numbers::Comma, "1,5", None),
        ] {
            assert_eq!(numbers.digits(text).as_deref(), expected, "{numbers} {text}");
        }
    }

    #[test]
    fn choices_survive_as_parameters_of_a_form() {
        let reading = Reading {
            columns: vec![("Date".to_owned(), Some(Field::EventDate)), ("region".to_owned(), None)],
            dates: Dates::DayFirst,
            numbers: Numbers::Comma,
            encoding: Encoding::Windows1252,
            sheet: Some("Reports & more".to_owned()),
        };
        let of = |parameters: &[(String, String)]| {
            let pairs = parameters.iter();
            Reading::of_parameters(pairs.map(|(name, value)| (name.into(), value.into())))
        };
        assert_eq!(of(&reading.parameters()), reading);
        assert_eq!(Reading::default().parameters(), []);
        let own = [
            ("column.City".to_owned(), "city".to_owned()),
            ("column.x".to_owned(), "-".to_owned()),
        ];
        assert_eq!(of(&own), Reading::default());
    }
}
