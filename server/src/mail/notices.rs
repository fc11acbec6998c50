//! Mails to partners about webhook endpoints that were paused or disabled.
//!
//! The notices wait in the database: see `store.partner_mails()`. Every node looks every minute for partners with
//! notices, claims those of one partner at a time, and sends them as one mail. What the partner did itself is no notice.
//!
//! A partner may enter somebody else's address, so a mail has the reason why it was sent and how to end it, contains only
//! the host of an endpoint, whose path may be a secret, and is sent at most once in ten minutes.

mod text;

use app::brand::Brand;
use base::{clock::Clock, random::Random};
use kit::lang::Lang;
use lettre::message::Mailbox;
use store::{EndpointMail, Store};

use self::text::Service;
use super::{
    address::bare_address,
    mailer::{LOOK_EVERY, Mailer},
    smtp::Failure,
};
use crate::config;

/// Sender of the notices.
#[derive(Clone, Debug)]
pub struct Notices {
    store: Store,
    clock: Clock,
    mailer: Mailer,
    service: Service,
}

impl Notices {
    /// Returns `None` if the service sends no mails.
    pub fn new(
        settings: &config::Serve,
        store: Store,
        clock: Clock,
        random: Random,
    ) -> Option<Self> {
        let mailer = Mailer::new(&settings.mail, clock.clone(), random)?;
        let brand: Brand = settings.branding.with_logo(None);
        let url = settings.public_url.as_ref();
        let service = Service {
            name: brand.name(Lang::En),
            portal: url.map(|url| format!("{}/partners", url.as_str().trim_end_matches('/'))),
            contact: mailer.from.email.to_string(),
            retention_days: settings.webhook_retention_days,
        };
        Some(Self { store, clock, mailer, service })
    }

    /// Sends notices forever.
    pub async fn run(self) {
        loop {
            if let Err(error) = self.send_due().await {
                tracing::warn!(%error, "mails to partners cannot be prepared");
            }
            self.clock.sleep(LOOK_EVERY).await;
        }
    }

    /// Sends all mails that are due. Returns the number of mails that the server has accepted.
    pub async fn send_due(&self) -> store::Result<usize> {
        let (mails, mut sent) = (self.store.partner_mails(), 0);
        while let Some(mail) = mails.claim().await? {
            let (server, partner) = (&self.mailer.server, &mail.partner);
            match self.send(&mail).await {
                Ok(()) => {
                    tracing::info!(%partner, %server, "sent the mail about endpoints");
                    sent += 1;
                }
                Err(Failure { reason, may_have_arrived }) => {
                    tracing::warn!(
                        error = %reason, %partner, %server, is_tried_again = !may_have_arrived,
                        "the mail about endpoints was not sent"
                    );
                    if !may_have_arrived {
                        mails.put_back(&mail).await?;
                    }
                }
            }
        }
        Ok(sent)
    }

    async fn send(&self, mail: &EndpointMail) -> Result<(), Failure> {
        let to = bare_address(&mail.email)
            .map_err(|reason| Failure { reason, may_have_arrived: false })?;
        let body = text::body(mail, &self.service);
        let to = [Mailbox::new(None, to)];
        self.mailer.send(&to, &text::subject(&mail.endpoints), body).await
    }
}
