//! Notifies the WebSub hub of new reports in the feeds, at most once in [`PAUSE`]. Hubs then read the feeds, and send
//! them to their subscribers. Each node does so; a repeated notification is harmless.
//!
//! Only the feeds without filters are announced: hubs poll the others.

use std::time::Duration;

use base::clock::Clock;
use tokio::sync::watch;
use url::{Url, form_urlencoded};
use webhooks::client::{self, BuildError};

use crate::{
    responses::snapshot::Snapshots,
    site::feeds::{ATOM, JSON},
    state::AppState,
};

/// Minimum time between two notifications.
const PAUSE: Duration = Duration::from_secs(60);
const TIMEOUT: Duration = Duration::from_secs(10);

/// Notifications of a hub.
#[derive(Debug)]
pub struct Announcements {
    http: reqwest::Client,
    hub: Url,
    body: String,
    snapshots: Snapshots,
    changes: watch::Receiver<u64>,
    clock: Clock,
}

impl Announcements {
    /// Returns the notifications of the configured hub. `None` without a hub or without a public URL, which the hub
    /// needs.
    ///
    /// # Errors
    /// There is no HTTP client.
    pub fn new(app: &AppState) -> Result<Option<Self>, BuildError> {
        let hub = app.settings.open_data.websub_hub.clone();
        let Some((hub, base)) = hub.zip(app.settings.public_url.as_ref()) else { return Ok(None) };
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(client::trusted_tls()?)
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .build()?;
        let feeds = [ATOM, JSON].map(|feed| format!("{}{feed}", base.as_str()));
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.append_pair("hub.mode", "publish");
        feeds.iter().for_each(|feed| _ = body.append_pair("hub.url", feed));
        Ok(Some(Self {
            http,
            hub,
            body: body.finish(),
            snapshots: app.snapshots.clone(),
            changes: app.snapshots.changes(),
            clock: app.clock.clone(),
        }))
    }

    /// Notifies the hub of each new publication, and never ends.
    pub async fn run(mut self) {
        let newest = |snapshots: &Snapshots| {
            let current = snapshots.current();
            let reports = &current.snapshot.reports.value;
            (reports.newest, reports.list.reports.first().map(|report| report.id.clone()))
        };
        let mut known = newest(&self.snapshots);
        while self.changes.changed().await.is_ok() {
            let now = newest(&self.snapshots);
            if now == known {
                continue;
            }
            known = now;
            self.notify().await;
            self.clock.sleep(PAUSE).await;
        }
        // The service is being dropped.
        std::future::pending::<()>().await;
    }

    async fn notify(&self) {
        let host = self.hub.host_str().unwrap_or_default();
        let request = self
            .http
            .post(self.hub.clone())
            .header("content-type", "application/x-www-form-urlencoded")
            .body(self.body.clone());
        match request.send().await {
            Ok(answer) if answer.status().is_success() => {
                tracing::debug!(host, "the WebSub hub was notified");
            }
            Ok(answer) => {
                let status = answer.status().as_u16();
                tracing::warn!(host, status, "the WebSub hub refused a notification");
            }
            Err(error) => {
                let error = error.without_url();
                tracing::warn!(host, %error, "the WebSub hub was not notified");
            }
        }
    }
}
