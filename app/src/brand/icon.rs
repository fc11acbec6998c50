use std::str::FromStr;

/// Maximum length of an icon, in bytes. Every page has it inline.
const MAX_BYTES: usize = 1_000;

/// Icon of a type: the data of an SVG path on a square of 24 pixels. It contains only commands and numbers, so it needs
/// no escaping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon(String);

impl FromStr for Icon {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let is_path = text.starts_with(['M', 'm'])
            && text.len() <= MAX_BYTES
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || "MmLlHhVvCcSsQqTtAaZz.,-+eE \n".contains(c));
        if !is_path {
            return Err(format!(
                "write the data of an SVG path on a square of 24 pixels, such as \"M12 2 22 22H2z\", of at most \
                 {MAX_BYTES} bytes"
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl Icon {
    /// The symbol with this id.
    pub(super) fn symbol(&self, id: &str) -> String {
        format!(
            "<symbol id=\"{id}\" viewBox=\"0 0 24 24\"><path fill-rule=\"evenodd\" d=\"{}\"/></symbol>",
            self.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_data_of_a_path_is_an_icon() {
        let icon: Icon = " M12 2 22 22H2z ".parse().unwrap();
        assert!(
            icon.symbol("water").contains("<symbol id=\"water\"")
                && icon.symbol("water").contains("d=\"M12 2 22 22H2z\"")
        );
        let long = format!("M{}", "1 ".repeat(MAX_BYTES));
        for text in ["", "12 2", "M1\"/><script>", "<svg/>", "Mx", &long] {
            assert!(text.parse::<Icon>().is_err(), "{text}");
        }
    }
}
