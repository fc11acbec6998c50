//! Numbers for reading.

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "hydrate")]
pub(crate) use browser::localised;

/// `localised` is the visitor's affair; whoever renders for everybody writes neutrally.
#[cfg(not(feature = "hydrate"))]
pub(crate) use neutral as localised;

/// The number with a comma between thousands: what the server writes, and the browser's first
/// render with it, before the visitor's locale is asked.
///
/// By hand because the formatting machinery of the standard library costs kilobytes of wasm.
pub(crate) fn neutral(value: u64) -> String {
    digits(value, true)
}

/// The number as digits alone, for attributes.
pub(crate) fn plain(value: u64) -> String {
    digits(value, false)
}

fn digits(value: u64, grouped: bool) -> String {
    let mut reversed = Vec::with_capacity(26);
    let mut rest = value;
    loop {
        if grouped && reversed.len() % 4 == 3 {
            reversed.push(b',');
        }
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
    use super::{neutral, plain};

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
            assert_eq!(neutral(value), text);
            assert_eq!(plain(value), text.replace(',', ""));
        }
    }
}
