use std::str::FromStr;

/// Licence of the published data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Licence {
    /// SPDX identifier, or the URL itself.
    pub name: String,
    /// URL of its text.
    pub url: String,
}

impl FromStr for Licence {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let is_url = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
        let is_plain = !text.is_empty() && text.chars().all(|char| char.is_ascii_graphic());
        let is_id = text.chars().all(|char| char.is_ascii_alphanumeric() || "-.+".contains(char));
        match (is_plain, is_url, is_id) {
            (true, true, _) => Ok(Self { name: text.to_owned(), url: text.to_owned() }),
            (true, false, true) => {
                let url = format!("https://spdx.org/licenses/{text}.html");
                Ok(Self { name: text.to_owned(), url })
            }
            _ => Err("write an SPDX identifier, such as CC-BY-4.0, or the URL of the licence"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Licence;

    #[test]
    fn a_licence_is_an_identifier_or_a_url() {
        let licence = |text: &str| text.parse::<Licence>().map(|Licence { name, url }| (name, url));
        let pair = |name: &str, url: &str| Ok((name.to_owned(), url.to_owned()));
        assert_eq!(
            licence("CC-BY-4.0"),
            pair("CC-BY-4.0", "https://spdx.org/licenses/CC-BY-4.0.html")
        );
        let url = "https://example.org/licence?a=b";
        assert_eq!(licence(url), pair(url, url));
        for wrong in ["", "CC BY 4.0", "javascript:alert(1)", "https://example.org/a b", "a/b"] {
            assert!(licence(wrong).is_err(), "{wrong}");
        }
    }
}
