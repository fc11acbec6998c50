//! Formats numbers.

use crate::lang::Lang;

mod browser;

pub use browser::{ForPage, locale, localised, options};

/// Formats a number for a language: on the server, and in the browser's first render before the
/// visitor's locale is used.
///
/// Hand-written, because the standard library's formatting costs kilobytes of wasm.
pub fn neutral(value: u64, lang: Lang) -> String {
    let (mark, least) = lang.grouping();
    let digits = plain(value);
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.char_indices() {
        let left = digits.len() - index;
        if index > 0 && left.is_multiple_of(3) && digits.len() >= least {
            text.push(mark);
        }
        text.push(digit);
    }
    text
}

/// The number as digits only, for attributes.
pub fn plain(value: u64) -> String {
    let mut reversed = Vec::with_capacity(20);
    let mut rest = value;
    loop {
        reversed.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    reversed.iter().rev().map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        for (value, text) in [
            (0, "0"),
            (7, "7"),
            (999, "999"),
            (1_000, "1,000"),
            (12_345, "12,345"),
            (1_234_567, "1,234,567"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(neutral(value, Lang::En), text);
            assert_eq!(plain(value), text.replace(',', ""));
        }
    }

    #[test]
    fn each_language_groups_in_its_own_way() {
        let write = |lang| [neutral(1_234, lang), neutral(1_234_567, lang)];
        assert_eq!(write(Lang::De), ["1.234", "1.234.567"]);
        assert_eq!(write(Lang::Es), ["1234", "1.234.567"]);
        assert_eq!(write(Lang::Fr), ["1\u{202f}234", "1\u{202f}234\u{202f}567"]);
    }
}
