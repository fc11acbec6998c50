use std::time::Duration;

use base::{clock::Clock, random::Random};
use lettre::{
    Message,
    error::Error,
    message::{
        Mailbox, SinglePart,
        header::{HeaderName, HeaderValue},
    },
};

use super::smtp::{Failure, SmtpUrl};
use crate::config;

/// Time between two looks for mails that are due.
pub const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Sender of plain texts.
#[derive(Clone, Debug)]
pub(super) struct Mailer {
    clock: Clock,
    random: Random,
    pub(super) server: SmtpUrl,
    pub(super) from: Mailbox,
}

impl Mailer {
    /// Returns `None` without a server.
    pub(super) fn new(mail: &config::Mail, clock: Clock, random: Random) -> Option<Self> {
        let (server, from) = (mail.smtp_url.clone()?, mail.mail_from.clone()?);
        Some(Self { clock, random, server, from })
    }

    pub(super) async fn send(
        &self,
        to: &[Mailbox],
        subject: &str,
        body: String,
    ) -> Result<(), Failure> {
        let message = self
            .message(to, subject, body)
            .map_err(|error| Failure { reason: error.to_string(), may_have_arrived: false })?;
        self.server.send(message).await
    }

    fn message(&self, to: &[Mailbox], subject: &str, body: String) -> Result<Message, Error> {
        let id = format!("<{}@{}>", self.random.base62(22), self.from.email.domain());
        let message = Message::builder()
            .from(self.from.clone())
            .subject(subject)
            .date(self.clock.now().into())
            .message_id(Some(id))
            .raw_header(HeaderValue::new(
                // RFC 3834: no absence notices in response.
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ));
        let message = to.iter().fold(message, |message, to| message.to(to.clone()));
        message.singlepart(SinglePart::plain(body))
    }
}
