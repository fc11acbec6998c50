//! Faults around the service: disks, files, other processes, clocks, and many clients at once. Nothing is lost or
//! counted twice, and the service recovers without help. Tests that kill processes are beside the operations that they
//! interrupt.

mod busy;
mod crowd;
mod damaged;
mod full;
mod migrating;
mod mounted;
mod read_only;

use std::{collections::BTreeMap, fs::File, time::Duration};

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::{
    harness::{Answer, Svc, http, soon},
    receiver::{Receiver, Reply},
    served::Served,
};

/// CSV file of `count` pending reports, `r0` and on.
pub(crate) fn pending(count: usize) -> String {
    let rows = (0..count).map(|row| format!("r{row},spirit,City {},Norway\n", row % 50));
    format!("id,type,city,country\n{}", rows.collect::<String>())
}

pub(crate) fn ids(rows: std::ops::Range<usize>) -> Vec<String> {
    rows.map(|row| format!("r{row}")).collect()
}

/// Service in a separate process, with a moderator's key, a partner's key and a subscriber.
pub(crate) struct Scene {
    served: Served,
    moderator: String,
    partner: String,
    receiver: Receiver,
}

impl Scene {
    /// Sets up keys and a subscription. `run` runs a command on the same database, which has to succeed, and returns
    /// its JSON output.
    pub(crate) async fn of(served: Served, run: impl Fn(&[&str]) -> Value) -> Self {
        let create = |name: &str, flags: &[&str]| {
            let created = run(&[&["keys", "create", "--json", "--partner", name], flags].concat());
            created["key"].as_str().unwrap().to_owned()
        };
        let scene = Self {
            served,
            moderator: create("Maria", &["--tier", "operator", "--scope", "moderate"]),
            partner: create("Aid", &["--tier", "enterprise"]),
            receiver: Receiver::with(Reply::Status(200)).await,
        };
        let body = json!({ "url": scene.receiver.url(), "events": ["report.created"] });
        let request = http().post(format!("{}/api/v1/webhooks", scene.served.url));
        let request = request.header("content-type", "application/json").body(body.to_string());
        let answer = scene.ask(request.bearer_auth(&scene.partner)).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        scene
    }

    pub(crate) async fn ask(&self, request: RequestBuilder) -> Answer {
        Answer::of(request.send().await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = http().get(format!("{}{path}", self.served.url));
        self.ask(request.bearer_auth(&self.partner)).await
    }

    pub(crate) async fn approve(&self, ids: &[String]) -> Answer {
        let request = http().post(format!("{}/operator/v1/reports/approve", self.served.ops));
        let request = request.header("content-type", "application/json");
        self.ask(request.bearer_auth(&self.moderator).body(json!({ "ids": ids }).to_string())).await
    }

    pub(crate) async fn total(&self) -> u64 {
        let answer = self.get("/api/v1/metrics").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["total"].as_u64().unwrap()
    }

    /// Waits until the public total is `total`.
    pub(crate) async fn shows(&self, total: u64) {
        let shown = async {
            while self.total().await != total {
                tokio::task::yield_now().await;
            }
        };
        soon(&format!("a total of {total}"), shown).await;
    }

    /// Waits until the subscriber has received `count` reports, each in one event.
    pub(crate) async fn tells(&self, count: usize) {
        let mut told = BTreeMap::new();
        let all = async {
            loop {
                for request in self.receiver.requests() {
                    let event = told.entry(request.report()).or_insert(request.id().to_owned());
                    assert_eq!(event, request.id(), "two events of one report");
                }
                if told.len() >= count {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        soon(&format!("{count} reports"), all).await;
        assert_eq!(told.len(), count);
    }
}

/// Command line of a service that permits a subscriber on this machine.
const SERVE: [&str; 5] = [
    "serve",
    "--addr=127.0.0.1:0",
    "--ops-addr=127.0.0.1:0",
    "--webhook-allow-http",
    "--webhook-allow-private",
];

/// Starts a service on the database of `svc`. Its log is written to the file `log`.
pub(crate) async fn serve(svc: &Svc) -> Scene {
    let log = File::options().create(true).append(true).open(svc.path("log")).unwrap();
    let mut command = svc.command(&SERVE);
    command.stderr(log);
    let served = Served::of(command).unwrap_or_else(|_| panic!("{}", logged(svc)));
    Scene::of(served, |arguments| svc.json(arguments)).await
}

fn logged(svc: &Svc) -> String {
    std::fs::read_to_string(svc.path("log")).unwrap()
}
