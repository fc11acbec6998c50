//! Text of the mail about endpoints. Hosts and reasons come from partners and receivers.

use std::fmt::Write as _;

use base::time::Timestamp;
use domain::{endpoint_health::MAX_FAILURES, subscription::EndpointState};
use store::{EndpointMail, MAIL_EVERY, MailedEndpoint};
use url::Url;

use crate::mail::plain::plain;

/// Maximum number of characters of a name, host or reason.
const MAX_TEXT: usize = 500;

/// The service, as mails present it.
#[derive(Clone, Debug)]
pub(super) struct Service {
    pub name: String,
    /// URL of the portal.
    pub portal: Option<String>,
    /// Address of the operator.
    pub contact: String,
    /// Number of days for which events are kept.
    pub retention_days: u16,
}

pub(super) fn subject(endpoints: &[MailedEndpoint]) -> String {
    let are_all = |state| endpoints.iter().all(|endpoint| endpoint.state == state);
    let state = match () {
        () if are_all(EndpointState::Paused) => "paused",
        () if are_all(EndpointState::Disabled) => "disabled",
        () => "paused or disabled",
    };
    match endpoints {
        [only] => format!("Webhook endpoint {state}: {}", host(only)),
        several => format!("{} webhook endpoints {state}", several.len()),
    }
}

pub(super) fn body(mail: &EndpointMail, service: &Service) -> String {
    let EndpointMail { partner, endpoints, .. } = mail;
    let Service { name, portal, contact, .. } = service;
    let these = if endpoints.len() == 1 {
        "This webhook endpoint receives"
    } else {
        "These webhook endpoints receive"
    };
    let mut text = format!("{these} no events from {name} at present.\n");
    for endpoint in endpoints {
        text.push_str(&about(endpoint, service));
    }
    if let Some(portal) = portal {
        _ = write!(text, "\nDeliveries, errors and settings: {portal}\n");
    }
    let end = portal.as_ref().map(|portal| format!("open {portal}/mails?token={}", mail.token));
    let end = end.unwrap_or_else(|| format!("write to {contact}"));
    _ = write!(
        text,
        "\nThis mail was sent because the partner {} of {name} has entered this address. There is at most one in {} \
         minutes. If you do not want these mails, {end}\n",
        plain(partner, MAX_TEXT),
        MAIL_EVERY.num_minutes(),
    );
    text
}

fn about(endpoint: &MailedEndpoint, service: &Service) -> String {
    let mut text = format!("\n{}\n", host(endpoint));
    let state = match endpoint.state {
        EndpointState::Disabled => "disabled".to_owned(),
        _ => format!("paused after {MAX_FAILURES} failures in a row"),
    };
    let reason = match endpoint.state {
        EndpointState::Disabled => "Reason",
        _ => "Last failure",
    };
    let known = |at: Option<Timestamp>| at.map(minute);
    let facts = [
        ("Subscription", Some(endpoint.subscription.clone())),
        ("State", Some(state)),
        ("Failing since", known(endpoint.since)),
        (reason, endpoint.reason.as_deref().map(|reason| plain(reason, MAX_TEXT))),
        ("Next attempt", known(endpoint.next_attempt_at.filter(|_| !is_disabled(endpoint)))),
    ];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            _ = writeln!(text, "  {name}: {fact}");
        }
    }
    text.push_str("  ");
    text.push_str(&next(endpoint, service.retention_days));
    text.push('\n');
    text
}

fn is_disabled(endpoint: &MailedEndpoint) -> bool {
    endpoint.state == EndpointState::Disabled
}

/// Describes the future of an endpoint.
fn next(endpoint: &MailedEndpoint, days: u16) -> String {
    if !is_disabled(endpoint) {
        return "One event is sent now and then. Once the endpoint accepts it, all others follow. After five days of \
                failures the subscription is disabled."
            .to_owned();
    }
    let who = if endpoint.held { "the operator enables" } else { "you enable" };
    format!("Nothing is sent until {who} it. Then the events of the last {days} days follow.")
}

/// Host and port of an endpoint. Its path may be a secret.
fn host(endpoint: &MailedEndpoint) -> String {
    let url = Url::parse(&endpoint.url).ok();
    let host = url.as_ref().and_then(|url| {
        let host = url.host_str()?;
        Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    });
    host.map_or_else(|| endpoint.subscription.clone(), |host| plain(&host, MAX_TEXT))
}

/// Instant to the minute.
fn minute(at: Timestamp) -> String {
    at.0.format("%Y-%m-%d %H:%M UTC").to_string()
}
