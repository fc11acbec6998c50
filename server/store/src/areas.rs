//! Areas of the [`Store`]. The methods of each are in the folder or file of its name. A use case is one method and one
//! transaction.

use crate::Store;

macro_rules! areas {
    ($($(#[$doc:meta])* $area:ident: $Area:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $Area<'s> {
                pub(crate) store: &'s Store,
            }
        )*

        impl Store {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $area(&self) -> $Area<'_> {
                    $Area { store: self }
                }
            )*
        }
    };
}

areas! {
    /// Reports of any status: importing, deciding, correcting and listing them. Below `reports/`.
    reports: Reports;
    /// Counters of approved reports, by place, type and time. Below `counters/`.
    counters: Counters;
    /// Keys of partners and operators. In `keys.rs`.
    keys: Keys;
    /// Sessions of the desk and the portal. In `sessions.rs`.
    sessions: Sessions;
    /// Saved lists of people at the desk. In `desk_views.rs`.
    desk_views: DeskViews;
    /// Digest of pending reports by mail. In `mail_digest.rs`.
    mail_digest: MailDigest;
    /// Addresses of partners, and mails about their endpoints. In `events/endpoint_mails.rs`.
    partner_mails: PartnerMails;
    /// Audit log. Below `audit_log/`.
    audit_log: AuditLog;
    /// Event log. In `events/log.rs`, `latest.rs` and `prune.rs`.
    event_log: EventLog;
    /// Webhook subscriptions with their secrets. Below `events/`.
    subscriptions: Subscriptions;
    /// Requests with an `Idempotency-Key`. In `idempotency.rs`.
    idempotent_requests: IdempotentRequests;
    /// Deliveries of events to subscriptions. Below `events/`.
    deliveries: Deliveries;
}
