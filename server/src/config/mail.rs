use clap::Args;
use lettre::message::Mailbox;
use url::Url;

use crate::mail::{SmtpUrl, parse_address};

/// Mails to moderators and partners.
#[derive(Args, Clone, Debug)]
pub struct Mail {
    /// SMTP server for mails to moderators and partners: smtps://USER:PASSWORD@HOST (TLS) or
    /// smtp://USER:PASSWORD@HOST (STARTTLS); see docs/operate/configure.md [default: no mails]
    #[arg(
        long,
        env = "SVC_SMTP_URL",
        value_name = "URL",
        hide_env_values = true,
        requires = "mail_from"
    )]
    pub smtp_url: Option<SmtpUrl>,

    /// Sender of the mails, such as "Water for all <svc@example.org>"
    #[arg(long, env = "SVC_MAIL_FROM", value_name = "ADDRESS", value_parser = parse_address)]
    pub mail_from: Option<Mailbox>,

    /// Recipients of mails about pending reports: addresses, separated by commas [default: no such mails]
    #[arg(
        long,
        env = "SVC_MAIL_TO",
        value_delimiter = ',',
        value_name = "ADDRESS,…",
        value_parser = parse_address
    )]
    pub mail_to: Vec<Mailbox>,

    /// Minimum number of hours between two mails about pending reports
    #[arg(
        long,
        env = "SVC_MAIL_HOURS",
        default_value_t = 24,
        value_name = "HOURS",
        value_parser = clap::value_parser!(u16).range(1..=8_760)
    )]
    pub mail_hours: u16,

    /// URL of the desk for links in these mails, such as https://desk.example.org/desk [default: below the public URL, or on
    /// the operator's address]
    #[arg(long, env = "SVC_DESK_URL", value_name = "URL", value_parser = parse_desk_url)]
    pub desk_url: Option<Url>,
}

fn parse_desk_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or_else(|| "write a URL, such as https://desk.example.org/desk".to_owned())
}
