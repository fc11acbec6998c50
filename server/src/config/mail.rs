use clap::Args;
use lettre::message::Mailbox;
use url::Url;

use crate::mail::SmtpUrl;

/// Mails about pending reports.
#[derive(Args, Clone, Debug)]
pub struct Mail {
    /// SMTP server for mails about pending reports: smtps://USER:PASSWORD@HOST (TLS) or smtp://USER:PASSWORD@HOST
    /// (STARTTLS); see docs/operate/configure.md [default: no mails]
    #[arg(
        long,
        env = "SVC_SMTP_URL",
        value_name = "URL",
        hide_env_values = true,
        requires_all = ["mail_from", "mail_to"]
    )]
    pub smtp_url: Option<SmtpUrl>,

    /// Sender of the mails, such as "Water for all <svc@example.org>"
    #[arg(long, env = "SVC_MAIL_FROM", value_name = "ADDRESS", value_parser = parse_address)]
    pub mail_from: Option<Mailbox>,

    /// Recipients of the mails: addresses, separated by commas
    #[arg(
        long,
        env = "SVC_MAIL_TO",
        value_delimiter = ',',
        value_name = "ADDRESS,…",
        value_parser = parse_address
    )]
    pub mail_to: Vec<Mailbox>,

    /// Minimum number of hours between two mails
    #[arg(
        long,
        env = "SVC_MAIL_HOURS",
        default_value_t = 24,
        value_name = "HOURS",
        value_parser = clap::value_parser!(u16).range(1..=8_760)
    )]
    pub mail_hours: u16,

    /// URL of the desk for links in mails, such as https://desk.example.org/desk [default: below the public URL, or on
    /// the operator's address]
    #[arg(long, env = "SVC_DESK_URL", value_name = "URL", value_parser = parse_desk_url)]
    pub desk_url: Option<Url>,
}

/// Parses an address with an optional name. Unlike lettre, refuses text after it.
fn parse_address(text: &str) -> Result<Mailbox, String> {
    let mailbox = text.parse().ok();
    let mailbox = mailbox.filter(|mailbox: &Mailbox| {
        let rest = text.trim_end().trim_end_matches('>').trim_end();
        rest.ends_with(&mailbox.email.to_string()) && !text.contains(char::is_control)
    });
    mailbox.ok_or_else(|| "write it as ada@example.org or Ada <ada@example.org>".to_owned())
}

fn parse_desk_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or_else(|| "write a URL, such as https://desk.example.org/desk".to_owned())
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
}
