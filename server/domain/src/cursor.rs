//! Cursors: positions in the event log, as clients see them. The text is `c_`, then in base62 the number of the last
//! event that was read, and a checksum. So a truncated or invented cursor is rejected, and not taken for another
//! position.

use std::{fmt, str::FromStr};

use base::random::BASE62;

const PREFIX: &str = "c_";
/// Bits of the checksum.
const CHECK_BITS: u32 = 16;
/// Maximum number of base62 digits of a number and its checksum.
const MAX_DIGITS: usize = 14;

/// Position after the event with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(i64);

/// Error of a text that is not a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCursor;

impl Cursor {
    /// Position after the event with number `seq`; `None` if it is negative.
    pub fn after(seq: i64) -> Option<Self> {
        // After a failover, numbers have more than 50 bits, so all positive ones are permitted.
        (seq >= 0).then_some(Self(seq))
    }

    pub fn seq(self) -> i64 {
        self.0
    }

    fn packed(self) -> u128 {
        let check = crc32fast::hash(&self.0.to_be_bytes()) & ((1 << CHECK_BITS) - 1);
        (u128::from(self.0.cast_unsigned()) << CHECK_BITS) | u128::from(check)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, mut rest) = (Vec::with_capacity(MAX_DIGITS), self.packed());
        while rest > 0 || digits.is_empty() {
            digits.push(char::from(BASE62[(rest % 62) as usize]));
            rest /= 62;
        }
        f.write_str(PREFIX)?;
        digits.iter().rev().try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl FromStr for Cursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let digits = text.strip_prefix(PREFIX).filter(|digits| digits.len() <= MAX_DIGITS);
        let mut packed = 0_u128;
        for digit in digits.ok_or(NoCursor)?.bytes() {
            let value = BASE62.iter().position(|known| *known == digit).ok_or(NoCursor)?;
            packed = packed * 62 + value as u128;
        }
        let cursor = Self(i64::try_from(packed >> CHECK_BITS).map_err(|_| NoCursor)?);
        // Leading zeros would be a second form of the same cursor.
        if cursor.packed() == packed && cursor.to_string() == text {
            Ok(cursor)
        } else {
            Err(NoCursor)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_written_is_read_and_nothing_else(seq in 0..=i64::MAX, at in 0..16_usize, digit in 0..62_usize) {
            let cursor = Cursor::after(seq).unwrap();
            let text = cursor.to_string();
            prop_assert_eq!(text.parse(), Ok(cursor));
            prop_assert_eq!(cursor.seq(), seq);
            // A cursor with one changed character is nearly always rejected, and never equals the original.
            let mut changed = text.clone().into_bytes();
            let at = at % changed.len();
            changed[at] = BASE62[digit];
            let changed = String::from_utf8(changed).unwrap();
            prop_assert!(changed == text || changed.parse() != Ok(cursor));
        }

        #[test]
        fn any_other_text_is_refused_or_written_the_same(text in "(c_)?[0-9A-Za-z]{0,16}") {
            if let Ok(cursor) = text.parse::<Cursor>() {
                prop_assert_eq!(cursor.to_string(), text);
            }
        }
    }

    #[test]
    fn the_documentation_shows_a_cursor_as_it_is() {
        // Computed in Python as well: struct.pack(">q", …) and zlib.crc32.
        assert_eq!(Cursor::after(1_042).unwrap().to_string(), "c_4ce61");
        for wrong in [
            "",
            "c_",
            "c_0",
            "c_04ce61",
            "4ce61",
            "c_4ce62",
            "c_4ce6",
            "c_ü",
            "c_zzzzzzzzzzz",
            "c_zzzzzzzzzzzzzz",
        ] {
            assert_eq!(wrong.parse::<Cursor>(), Err(NoCursor), "{wrong}");
        }
        assert_eq!(Cursor::after(-1), None);
    }
}
