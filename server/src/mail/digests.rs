//! Mails about pending reports: a digest for the operator's moderators, off unless `--mail-to` is set.
//!
//! Every node looks every minute whether a digest is due: the interval since the last one is over, reports wait, and
//! something has changed. One node claims it in the database and sends it, so there is one digest in an interval,
//! however many nodes run. A node that dies after its claim has used up the interval: a mail may be missing, but
//! never comes twice. A mail that the server certainly does not have is tried again before that.

mod text;

use std::net::SocketAddr;

use base::{clock::Clock, random::Random};
use chrono::TimeDelta;
use lettre::message::Mailbox;
use store::{Store, Waiting};

use super::{
    mailer::{LOOK_EVERY, Mailer},
    smtp::Failure,
};
use crate::config::{self, ListenAddress};

/// Time until a mail that was not sent is tried again.
pub const RETRY_AFTER: TimeDelta = TimeDelta::minutes(15);

/// Sender of the digests.
#[derive(Clone, Debug)]
pub struct Digests {
    store: Store,
    clock: Clock,
    mailer: Mailer,
    to: Vec<Mailbox>,
    hours: u16,
    desk: Option<String>,
}

impl Digests {
    /// Returns `None` if no mails are to be sent. `ops_addr` is the operator's address of this node.
    pub fn new(
        settings: &config::Serve,
        ops_addr: Option<SocketAddr>,
        store: Store,
        clock: Clock,
        random: Random,
    ) -> Option<Self> {
        let mail = &settings.mail;
        if mail.mail_to.is_empty() {
            return None;
        }
        Some(Self {
            store,
            mailer: Mailer::new(mail, clock.clone(), random)?,
            clock,
            to: mail.mail_to.clone(),
            hours: mail.mail_hours,
            desk: desk_url(settings, ops_addr),
        })
    }

    /// Sends digests forever.
    pub async fn run(self) {
        loop {
            if let Err(error) = self.send_due().await {
                tracing::warn!(%error, "mails about pending reports cannot be prepared");
            }
            self.clock.sleep(LOOK_EVERY).await;
        }
    }

    /// Sends a digest if one is due. Returns whether the server has accepted one.
    pub async fn send_due(&self) -> store::Result<bool> {
        let (digests, every) = (self.store.mail_digest(), TimeDelta::hours(self.hours.into()));
        if !digests.is_due(every).await? {
            return Ok(false);
        }
        let waiting = digests.waiting().await?;
        if waiting.count == 0 {
            return Ok(false);
        }
        let Some(claim) = digests.claim(every, &waiting).await? else { return Ok(false) };
        let server = &self.mailer.server;
        let Err(failure) = self.send(&waiting).await else {
            digests.sent(claim).await?;
            tracing::info!(reports = waiting.count, %server, "sent the mail about pending reports");
            return Ok(true);
        };
        let Failure { reason, may_have_arrived } = failure;
        let retry = (!may_have_arrived).then_some(RETRY_AFTER);
        tracing::warn!(
            error = %reason, %server, is_tried_again = retry.is_some(),
            "the mail about pending reports was not sent"
        );
        let failure = format!("the server {server} did not accept it: {reason}");
        digests.failed(claim, &failure, retry).await?;
        Ok(false)
    }

    async fn send(&self, waiting: &Waiting) -> Result<(), Failure> {
        let body = text::body(waiting, self.clock.now(), self.desk.as_deref(), self.hours);
        self.mailer.send(&self.to, &text::subject(waiting.count), body).await
    }
}

/// URL of the desk: as configured, below the public URL, or on the operator's address of this node.
fn desk_url(settings: &config::Serve, ops_addr: Option<SocketAddr>) -> Option<String> {
    if let Some(url) = &settings.mail.desk_url {
        return Some(url.to_string());
    }
    match settings.operator_on {
        ListenAddress::Public => {
            let url = settings.public_url.as_ref()?;
            Some(format!("{}/desk", url.as_str().trim_end_matches('/')))
        }
        ListenAddress::Ops => ops_addr.map(|addr| format!("http://{addr}/desk")),
    }
}
