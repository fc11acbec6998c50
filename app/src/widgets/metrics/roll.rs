use kit::number::plain;

/// Largest increase with a chip. More is not an arrival but a correction or an import.
const MAX_CHIP: u64 = 999;

/// HTML of a number that replaces another one. Each number is a count and its text, which consists
/// of digits and separators.
///
/// Each character that changed is in an element with the old one, which the stylesheet rolls out of
/// view. After an increase, a chip with the difference follows. New elements start their animations
/// at once, and their positions are no layout shifts.
pub(super) fn rolled((before, old): &(u64, String), (now, new): &(u64, String)) -> String {
    let has_changed = before != now;
    let mut old = old.chars().rev();
    let mut html = String::new();
    for new in new.chars().rev() {
        let old = old.next().unwrap_or(' ');
        if has_changed && old != new {
            html.insert_str(0, "</i>");
            html.insert(0, new);
            html.insert_str(0, "\">");
            html.insert(0, old);
            html.insert_str(0, "<i data-old=\"");
        } else {
            html.insert(0, new);
        }
    }
    let chip = match now.checked_sub(*before) {
        Some(more @ 1..=MAX_CHIP) => ["<em data-more=\"+", &plain(more), "\"></em>"].concat(),
        _ => String::new(),
    };
    ["<bdi>", &html, "</bdi>", &chip].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(before: (u64, &str), now: (u64, &str)) -> String {
        rolled(&(before.0, before.1.to_owned()), &(now.0, now.1.to_owned()))
    }

    #[test]
    fn only_the_digits_that_change_roll_and_a_chip_has_the_difference() {
        assert_eq!(
            html((1_239, "1,239"), (1_240, "1,240")),
            "<bdi>1,2<i data-old=\"3\">4</i><i data-old=\"9\">0</i></bdi><em data-more=\"+1\"></em>"
        );
        assert_eq!(
            html((9, "9"), (10, "10")),
            "<bdi><i data-old=\" \">1</i><i data-old=\"9\">0</i></bdi><em data-more=\"+1\"></em>"
        );
    }

    #[test]
    fn a_decrease_has_no_chip_and_neither_has_a_leap() {
        assert_eq!(html((2, "2"), (1, "1")), "<bdi><i data-old=\"2\">1</i></bdi>");
        assert_eq!(html((0, "0"), (1_000, "1000")).matches("<em").count(), 0);
    }

    #[test]
    fn the_same_number_in_another_form_does_not_roll() {
        assert_eq!(html((1_000, "1,000"), (1_000, "1.000")), "<bdi>1.000</bdi>");
    }
}
