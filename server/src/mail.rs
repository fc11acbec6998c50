//! Mails, off unless `--smtp-url` is set: digests of pending reports for the operator's moderators ([`Digests`]), and
//! notices for partners about their webhook endpoints ([`Notices`]).
//!
//! Of both, one node sends each mail, after a claim in the database. A node that dies while it sends loses the mail, but
//! no mail comes twice. A mail that the server certainly does not have is tried again.

mod address;
mod digests;
mod mailer;
mod notices;
mod plain;
mod smtp;

pub use self::{
    address::{bare_address, parse_address},
    digests::{Digests, RETRY_AFTER},
    mailer::LOOK_EVERY,
    notices::Notices,
    smtp::SmtpUrl,
};
