/// Returns at most `max` characters of a text of strangers, without those that could change how the mail looks: line
/// breaks, controls, and marks that reverse the direction of the text around them.
pub(super) fn plain(text: &str, max: usize) -> String {
    let is_harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let plain = text.chars().map(|c| if is_harmful(c) { ' ' } else { c });
    plain.take(max).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_short_line() {
        assert_eq!(plain(" a\r\nb\u{2028}c\u{202e}d\t", 20), "a  b c d");
        assert_eq!(plain(&"ä".repeat(500), 120), "ä".repeat(120));
    }
}
