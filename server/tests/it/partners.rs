//! The partners' portal in a browser without scripts.

mod address;
mod forms;
mod sandbox;
mod separation;
mod signing_in;
mod trying;

use domain::tier::Tier;

use crate::{
    api::webhooks::running,
    desk::Browser,
    harness::{Answer, Running},
};

/// Creates the browser of a partner who has signed in with a new key.
pub(crate) async fn partner<'r>(running: &'r Running, name: &str) -> Browser<'r> {
    holder(running, name, Tier::Partner).await
}

/// Creates the browser of somebody who has signed in with a new key of this tier.
pub(crate) async fn holder<'r>(running: &'r Running, name: &str, tier: Tier) -> Browser<'r> {
    let key = running.key(name, tier).await;
    let mut browser = Browser::at(running, "/partners");
    let answer = browser.sign_in(&key).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/partners"));
    browser
}

/// Subscribes an endpoint to published reports, and returns the id of the subscription.
pub(crate) async fn subscribe(browser: &Browser<'_>, url: &str) -> String {
    let fields = [("url", url), ("event", "report.created")];
    let answer = browser.send("/partners/do/subscribe", &fields).await;
    subscribed(&answer)
}

/// Id of the subscription whose page a response leads to.
pub(crate) fn subscribed(answer: &Answer) -> String {
    let page = answer.header("location");
    assert_eq!(answer.status, 303, "{}", answer.text());
    page.strip_prefix("/partners/subscription?id=").unwrap_or_else(|| panic!("{page}")).to_owned()
}

/// Path of the page of a subscription.
pub(crate) fn page_of(id: &str) -> String {
    format!("/partners/subscription?id={id}")
}
