use lettre::{Address, message::Mailbox};

/// Maximum length of an address in bytes (RFC 5321).
const MAX_LENGTH: usize = 254;

/// Parses an address with an optional name. Unlike lettre, refuses text after it.
pub fn parse_address(text: &str) -> Result<Mailbox, String> {
    let mailbox = text.parse().ok();
    let mailbox = mailbox.filter(|mailbox: &Mailbox| {
        let rest = text.trim_end().trim_end_matches('>').trim_end();
        rest.ends_with(&mailbox.email.to_string()) && !text.contains(char::is_control)
    });
    mailbox.ok_or_else(|| "write it as ada@example.org or Ada <ada@example.org>".to_owned())
}

/// Parses an address without a name.
pub fn bare_address(text: &str) -> Result<Address, String> {
    let mailbox = parse_address(text).ok();
    let address = mailbox.map(|mailbox| mailbox.email.to_string());
    let bare = address.filter(|address| address == text.trim() && address.len() <= MAX_LENGTH);
    let bare = bare.and_then(|address| address.parse().ok());
    bare.ok_or_else(|| "write it as ada@example.org".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_address_with_an_optional_name() {
        for good in
            ["ada@example.org", " Ada <ada@example.org> ", "\"Lovelace, A.\" <a@example.org>"]
        {
            assert!(parse_address(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "ada",
            "ada@",
            "ada@example.org; bob@example.org",
            "ada@example.org\r\nBcc: eve@example.org",
            "Ada\n <ada@example.org>",
        ] {
            assert!(parse_address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_bare_address_has_no_name_and_a_limited_length() {
        let bare = |text: &str| bare_address(text).map(|address| address.to_string()).ok();
        assert_eq!(bare(" ada@example.org "), Some("ada@example.org".to_owned()));
        let long = format!("{}@{}.example.org", "a".repeat(60), "b".repeat(60));
        assert!(bare(&long).is_some());
        let longer = format!("{}@{}example.org", "a".repeat(60), "bcdefgh.".repeat(25));
        for bad in [
            "Ada <ada@example.org>",
            "<ada@example.org>",
            "ada@example.org,bob@example.org",
            "ada@example.org\r\nBcc: eve@example.org",
            "ada@example.org\nsubject",
            &longer,
            "",
        ] {
            assert_eq!(bare(bad), None, "{bad}");
        }
    }
}
