//! Visitors that read the API through nginx, and a client that exceeds its rate limit.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use reqwest::Client;
use tokio::task::JoinSet;

use super::{balancer::NODE, timeline::Timeline};
use crate::harness::Answer;

/// Number of visitor addresses. Each sends a request every other second, which fits a node's share of the limit without
/// Redis.
const VISITORS: u8 = 40;
const EVERY: Duration = Duration::from_millis(50);
/// Pause after each response to the client that exceeds its limit.
const PAUSE: Duration = Duration::from_millis(20);

/// Traffic that stops on drop.
pub(super) struct Traffic {
    seen: Arc<Seen>,
    _tasks: JoinSet<()>,
}

struct Seen {
    nodes: Vec<SocketAddr>,
    timeline: Arc<Timeline>,
    failed_requests: Mutex<Vec<FailedRequest>>,
    accepted: Mutex<Vec<Accepted>>,
}

/// Request without a response, or with a status of 500 or higher.
#[derive(Clone, Debug)]
pub(super) struct FailedRequest {
    pub(super) sent: Instant,
    pub(super) received: Instant,
    pub(super) path: String,
    /// Status, `Retry-After` and problem code of the response, or the error.
    pub(super) answer: String,
}

/// Accepted request of the client that exceeds its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    pub(super) sent: Instant,
    pub(super) received: Instant,
    pub(super) node: usize,
}

impl Traffic {
    pub(super) fn start(url: &str, nodes: &[SocketAddr], timeline: &Arc<Timeline>) -> Self {
        let seen = Arc::new(Seen {
            nodes: nodes.to_vec(),
            timeline: Arc::clone(timeline),
            failed_requests: Mutex::default(),
            accepted: Mutex::default(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(visit(url.to_owned(), Arc::clone(&seen)));
        tasks.spawn(hammer(url.to_owned(), Arc::clone(&seen)));
        Self { seen, _tasks: tasks }
    }

    pub(super) fn failed_requests(&self) -> Vec<FailedRequest> {
        self.seen.failed_requests.lock().unwrap().clone()
    }

    pub(super) fn accepted(&self) -> Vec<Accepted> {
        self.seen.accepted.lock().unwrap().clone()
    }
}

fn client(address: [u8; 4]) -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().local_address(IpAddr::from(address)).build().unwrap()
}

/// Path of a request. Some are unique, so no cache has their response.
fn path(number: usize) -> String {
    match number % 5 {
        0 => "/api/v1/metrics".to_owned(),
        1 => "/api/v1/reports?limit=5".to_owned(),
        2 => format!("/api/v1/metrics?country=Brazil&to={}-01-01", 2027 + number % 7_000),
        3 => "/api/v1/reports?country=Brazil&limit=3".to_owned(),
        _ => format!("/api/v1/metrics?city=Recife&to={}-02-01", 2027 + number % 7_000),
    }
}

async fn visit(url: String, seen: Arc<Seen>) {
    let clients: Vec<Client> = (1..=VISITORS).map(|last| client([127, 2, 0, last])).collect();
    let mut turns = tokio::time::interval(EVERY);
    let mut asking = JoinSet::new();
    for number in 0.. {
        turns.tick().await;
        while asking.try_join_next().is_some() {}
        let (client, seen) = (clients[number % clients.len()].clone(), Arc::clone(&seen));
        let (url, path) = (url.clone(), path(number));
        asking.spawn(async move {
            seen.ask(&client, &url, path, true).await;
        });
    }
}

async fn hammer(url: String, seen: Arc<Seen>) {
    let client = client([127, 3, 0, 1]);
    loop {
        let sent = Instant::now();
        let answered = seen.ask(&client, &url, "/api/v1/metrics".to_owned(), false).await;
        if let Some((status, Some(node))) = answered {
            let received = Instant::now();
            seen.timeline.limited(status == 200);
            if status == 200 {
                seen.accepted.lock().unwrap().push(Accepted { sent, received, node });
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

impl Seen {
    async fn ask(
        &self,
        client: &Client,
        url: &str,
        path: String,
        is_shown: bool,
    ) -> Option<(u16, Option<usize>)> {
        let sent = Instant::now();
        let answer = match client.get(format!("{url}{path}")).send().await {
            Ok(response) => Answer::of(response).await,
            Err(error) => {
                self.timeline.answered(0, None, sent.elapsed());
                self.trouble(sent, path, format!("{error:?}"));
                return None;
            }
        };
        // After a retry, the header lists all nodes that nginx has tried.
        let node = answer.header(NODE).rsplit(", ").next().and_then(|node| node.parse().ok());
        let node = self.nodes.iter().position(|address| Some(*address) == node);
        if is_shown {
            self.timeline.answered(answer.status, node, sent.elapsed());
        }
        if answer.status >= 500 || (is_shown && answer.status != 200) {
            let code = serde_json::from_slice::<serde_json::Value>(&answer.body).ok();
            let code = code.and_then(|body| Some(body["code"].as_str()?.to_owned()));
            let (after, code) = (answer.header("retry-after"), code.unwrap_or_default());
            self.trouble(sent, path, format!("{} retry-after={after} {code}", answer.status));
        }
        Some((answer.status, node))
    }

    fn trouble(&self, sent: Instant, path: String, answer: String) {
        let trouble = FailedRequest { sent, received: Instant::now(), path, answer };
        self.failed_requests.lock().unwrap().push(trouble);
    }
}
