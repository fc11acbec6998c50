//! Ids of imports, such as `imp_1nrh5rpbg`: the start time of the import, in a short form that sorts by time.

use std::{fmt, str::FromStr};

/// Crockford's base32: no letter looks like a digit, and the digits sort like their values.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const PREFIX: &str = "imp_";
/// Number of digits, enough for milliseconds until the year 3084.
const LENGTH: usize = 9;

/// Id of one run of `svc reports import`, made from its start time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, schemars::JsonSchema)]
#[schemars(inline, with = "String", extend("pattern" = "^imp_"))]
pub struct ImportId(i64);

impl ImportId {
    /// Creates an id from milliseconds since 1970.
    pub const fn new(millis: i64) -> Self {
        Self(millis)
    }

    /// Start time in milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }
}

impl fmt::Display for ImportId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        let number = self.0.cast_unsigned();
        (0..LENGTH).rev().try_for_each(|place| {
            let digit = DIGITS[(number >> (5 * place)) as usize % DIGITS.len()];
            write!(f, "{}", char::from(digit))
        })
    }
}

impl FromStr for ImportId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digit = |byte: u8| {
            let byte = byte.to_ascii_lowercase();
            DIGITS.iter().position(|digit| *digit == byte).map(|digit| digit as i64)
        };
        let digits = text.trim().strip_prefix(PREFIX).filter(|digits| digits.len() == LENGTH);
        let number = digits.and_then(|digits| {
            digits.bytes().try_fold(0_i64, |number, byte| Some(number << 5 | digit(byte)?))
        });
        number.map(Self).ok_or_else(|| {
            "not the id of an import, such as imp_1nrh5rpbg: `svc reports imports` lists them"
                .to_owned()
        })
    }
}

impl serde::Serialize for ImportId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for ImportId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = |_| serde::de::Error::custom("not the id of an import, such as imp_1nrh5rpbg");
        String::deserialize(deserializer)?.parse().map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written_and_sort_by_time() {
        let moments = [0, 1, 31, 32, 1_772_366_400_000, 1_772_366_400_001, (1 << 45) - 1];
        let written: Vec<String> = moments.map(|at| ImportId::new(at).to_string()).into();
        assert_eq!(written[0], "imp_000000000");
        assert_eq!(written[4], "imp_1kjmma2g0");
        assert!(written.is_sorted());
        for (text, at) in written.iter().zip(moments) {
            assert_eq!(text.parse(), Ok(ImportId::new(at)));
        }
        assert_eq!("imp_1KJMMA2G0".parse(), Ok(ImportId::new(1_772_366_400_000)));
    }

    #[test]
    fn what_is_no_id_of_an_import_is_refused() {
        for text in
            ["", "imp_", "1kjmma2g0", "imp_1kjmma2g", "imp_1kjmma2g00", "imp_1kjmma2u0", "a"]
        {
            assert!(text.parse::<ImportId>().is_err(), "{text}");
        }
    }
}
