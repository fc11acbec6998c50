//! A program of the operator, which publishes, corrects and withdraws reports over HTTP, through the load balancer.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::timeline::Timeline;
use crate::harness::{Answer, http};

const PAUSE: Duration = Duration::from_millis(400);
/// Delay before a request is repeated.
const RETRY: Duration = Duration::from_millis(200);
/// Number of people in reports of the editor without an id: this and the number of the report, so that the check finds
/// each of them.
pub(super) const MARK: usize = 10_000;

pub(super) struct Editor {
    stopping: CancellationToken,
    editing: JoinHandle<Edited>,
}

/// Effects that the service has confirmed.
#[derive(Clone, Debug, Default)]
pub(super) struct Edited {
    /// Ids of published reports.
    pub(super) named: Vec<String>,
    /// Numbers of people in published reports without an id.
    pub(super) unnamed: Vec<usize>,
    pub(super) corrected: Vec<String>,
    pub(super) withdrawn: Vec<String>,
}

impl Editor {
    pub(super) fn start(url: &str, key: String, timeline: &Arc<Timeline>) -> Self {
        let stopping = CancellationToken::new();
        let requests = Requests {
            client: http(),
            url: format!("{url}/operator/v1/reports"),
            key,
            timeline: Arc::clone(timeline),
        };
        let stop = stopping.clone();
        let editing = tokio::spawn(async move {
            let mut edited = Edited::default();
            for number in 0.. {
                if stop.is_cancelled() {
                    break;
                }
                requests.edit(number, &mut edited).await;
                tokio::time::sleep(PAUSE).await;
            }
            edited
        });
        Self { stopping, editing }
    }

    pub(super) async fn stop(self) -> Edited {
        self.stopping.cancel();
        self.editing.await.unwrap()
    }
}

struct Requests {
    client: Client,
    url: String,
    key: String,
    timeline: Arc<Timeline>,
}

impl Requests {
    async fn edit(&self, number: usize, edited: &mut Edited) {
        let city = ["Lyon", "Nantes", "Lille", "Metz"][number % 4];
        let mut report = json!({ "type": "spirit", "city": city, "country": "France" });
        if number % 3 == 1 {
            report["peopleCount"] = json!(MARK + number);
            self.once(number, &report).await;
            edited.unnamed.push(MARK + number);
            return;
        }
        let id = format!("e-{number}");
        report["id"] = json!(id);
        self.until_done(|| {
            self.client.post(format!("{}?approve=true", self.url)).body(report.to_string())
        })
        .await;
        edited.named.push(id.clone());
        if number.is_multiple_of(3) {
            let change = json!({ "peopleCount": 7, "city": "Paris" }).to_string();
            self.until_done(|| {
                self.client.patch(format!("{}/{id}", self.url)).body(change.clone())
            })
            .await;
            edited.corrected.push(id.clone());
        }
        if number.is_multiple_of(2) {
            let ids = json!({ "ids": [id] }).to_string();
            self.until_done(|| {
                self.client.post(format!("{}/withdraw", self.url)).body(ids.clone())
            })
            .await;
            edited.withdrawn.push(id);
        }
    }

    /// Sends a request that can be repeated until it succeeds.
    async fn until_done(&self, request: impl Fn() -> RequestBuilder) {
        while let Err(trouble) = self.send(request()).await {
            self.timeline.note(format!("editor: {trouble}"));
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Adds a report without an id under an idempotency key: repeating the request must not add another one.
    async fn once(&self, number: usize, report: &Value) {
        loop {
            let request = self.client.post(format!("{}?approve=true", self.url));
            let request = request.body(report.to_string());
            let request = request.header("idempotency-key", format!("editor-{number}"));
            match self.send(request).await {
                Ok(()) => return,
                // The effect was there before the service was interrupted; the response is lost.
                Err(trouble) if trouble == "409 IDEMPOTENCY_CONFLICT retry-after=" => {
                    self.timeline.note(format!("editor: {trouble}"));
                    return;
                }
                Err(trouble) => self.timeline.note(format!("editor: {trouble}")),
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn send(&self, request: RequestBuilder) -> Result<(), String> {
        let request = request.bearer_auth(&self.key).header("content-type", "application/json");
        let response = request.send().await.map_err(|error| format!("{error:?}"))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // The connection may end within the response.
        let body = response.bytes().await.map_err(|error| format!("{error:?}"))?.to_vec();
        let answer = Answer { status, headers, body };
        if answer.status < 300 {
            return Ok(());
        }
        let body = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default();
        let (code, after) = (body["code"].as_str().unwrap_or("?"), answer.header("retry-after"));
        Err(format!("{} {code} retry-after={after}", answer.status))
    }
}
