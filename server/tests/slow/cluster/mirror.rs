//! Reader of the log, through the load balancer.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

use crate::harness::http;

/// Poll interval of the log.
const EVERY: Duration = Duration::from_millis(500);

/// Reader that stops on drop.
pub(super) struct Mirror {
    read: Arc<Mutex<Read>>,
    _reading: AbortOnDropHandle<()>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Read {
    /// Ids of events in the order in which they were read.
    pub(super) ids: Vec<String>,
    pub(super) sequences: Vec<u64>,
    /// Number of times that the service required to read everything again.
    pub(super) starts_again: usize,
}

impl Mirror {
    /// Reads the log from its beginning.
    pub(super) fn start(url: &str, key: &str) -> Self {
        let read = Arc::<Mutex<Read>>::default();
        let (its, url, key) = (Arc::clone(&read), url.to_owned(), key.to_owned());
        let reading = tokio::spawn(async move {
            let mut after = String::new();
            loop {
                match page(&url, &key, &after).await {
                    Some((200, page)) => {
                        let mut read = its.lock().unwrap();
                        for event in page["events"].as_array().unwrap() {
                            read.ids.push(event["id"].as_str().unwrap().to_owned());
                            read.sequences.push(event["sequence"].as_u64().unwrap());
                        }
                        after = format!("&after={}", page["next"].as_str().unwrap());
                    }
                    Some((410, _)) => {
                        after = String::new();
                        let mut read = its.lock().unwrap();
                        *read = Read { starts_again: read.starts_again + 1, ..Read::default() };
                    }
                    _ => {}
                }
                tokio::time::sleep(EVERY).await;
            }
        });
        Self { read, _reading: AbortOnDropHandle::new(reading) }
    }

    pub(super) fn read(&self) -> Read {
        self.read.lock().unwrap().clone()
    }
}

async fn page(url: &str, key: &str, after: &str) -> Option<(u16, Value)> {
    let request = http().get(format!("{url}/api/v1/events?limit=100{after}")).bearer_auth(key);
    let response = request.send().await.ok()?;
    let status = response.status().as_u16();
    Some((status, serde_json::from_slice(&response.bytes().await.ok()?).ok()?))
}
