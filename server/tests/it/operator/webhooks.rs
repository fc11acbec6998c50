use std::time::Duration;

use domain::{scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};

use svc::keys::ApiKey;

use webhooks::dispatcher::POLL_INTERVAL;

use super::{Desk, key};
use crate::{
    harness::{report, soon},
    receiver::{Receiver, Reply},
};

const WEBHOOKS: &str = "/operator/v1/webhooks";
const JSON: &str = "application/json";

/// Partner with a subscription.
struct Partner {
    key: ApiKey,
    id: String,
}

impl Partner {
    async fn subscribed(desk: &Desk, url: &str) -> Self {
        let key = key(&desk.running, "Aid", Tier::Partner, None).await;
        let new = json!({ "url": url, "events": ["report.created"] });
        let path = "/api/v1/webhooks";
        let answer = desk.ask(&key, Method::POST, path, Some((JSON, new.to_string()))).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let id = answer.json()["subscription"]["id"].as_str().unwrap().to_owned();
        Self { key, id }
    }

    /// Subscription as the partner sees it.
    async fn sees(&self, desk: &Desk) -> Value {
        let answer = desk.ask(&self.key, Method::GET, "/api/v1/webhooks", None).await;
        answer.json()["subscriptions"][0].clone()
    }
}

impl Desk {
    /// Advances the clock until the receiver has `count` requests.
    async fn until(&self, receiver: &Receiver, count: usize) {
        let enough = async {
            while receiver.count() < count {
                self.running.clock.advance(POLL_INTERVAL);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        soon(&format!("request {count}"), enough).await;
    }

    /// Waits until there are `count` successful deliveries, and returns them.
    async fn delivered(&self, count: usize) -> Value {
        let made = async {
            loop {
                let list = self.get(&format!("{WEBHOOKS}/deliveries?status=DELIVERED")).await;
                if list["items"].as_array().unwrap().len() == count {
                    return list;
                }
                self.running.clock.advance(POLL_INTERVAL);
            }
        };
        soon(&format!("{count} deliveries"), made).await
    }

    /// Runs an action on a subscription, and returns the status and body of the response.
    async fn manage(&self, id: &str, what: &str, body: Value) -> (u16, Value) {
        let answer = self.post(&format!("{WEBHOOKS}/{id}/{what}"), JSON, body.to_string()).await;
        (answer.status, answer.json())
    }
}

#[tokio::test]
async fn a_subscription_is_disabled_enabled_and_deleted() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    let partner = Partner::subscribed(&desk, "http://127.0.0.1:9/hook").await;
    let id = &partner.id;
    let listed = desk.get(WEBHOOKS).await;
    let first = &listed["items"][0];
    assert_eq!(
        (&first["id"], &first["partner"], &first["status"], &listed["more"]),
        (&json!(id), &json!("Aid"), &json!("ACTIVE"), &json!(false))
    );

    let disabled = json!({ "subscription": id, "disabled": true });
    let bare = desk.ask(&desk.key, Method::POST, &format!("{WEBHOOKS}/{id}/disable"), None).await;
    assert_eq!((bare.status, bare.json()), (200, disabled.clone()));
    assert_eq!(partner.sees(&desk).await["disabledReason"], "The operator has disabled it.");
    let why = json!({ "reason": " The contract has ended. " });
    assert_eq!(desk.manage(id, "disable", why).await, (200, disabled));
    assert_eq!(partner.sees(&desk).await["disabledReason"], "The contract has ended.");
    let (status, problem) = desk.manage(id, "disable", json!({ "reason": 7 })).await;
    assert_eq!((status, &problem["code"]), (400, &json!("INVALID_PARAMETER")));

    let enabled = json!({ "subscription": id, "enabled": true, "missed": 0 });
    assert_eq!(desk.manage(id, "enable", json!({})).await, (200, enabled));
    assert_eq!(partner.sees(&desk).await["status"], "ACTIVE");

    let path = format!("{WEBHOOKS}/{id}");
    assert_eq!(desk.delete(&path).await.json(), json!({ "subscription": id, "deleted": true }));
    assert_eq!(desk.get(WEBHOOKS).await["items"], json!([]));
    let again = desk.delete(&path).await;
    let detail = format!("There is no subscription \"{id}\".");
    assert_eq!((again.status, &again.json()["detail"]), (404, &json!(detail)));
    let log = desk.get("/operator/v1/audit").await;
    let actions: Vec<_> =
        log["items"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    let expected = ["webhooks.delete", "webhooks.enable", "webhooks.disable", "webhooks.disable"];
    assert_eq!(actions[..4], expected);
}

#[tokio::test]
async fn deliveries_are_listed_in_parts_and_sent_again() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    let partner = Partner::subscribed(&desk, &receiver.url()).await;
    for (count, id) in (1..).zip(["r-1", "r-2", "r-3"]) {
        desk.running.publish(&[report(id, Spirit)]).await;
        desk.until(&receiver, count).await;
    }
    let whole = desk.delivered(3).await;
    let path = format!("{WEBHOOKS}/deliveries?limit=2&subscription={}", partner.id);
    let first = desk.get(&path).await;
    let next = first["next"].as_str().unwrap();
    let second = desk.get(&format!("{path}&after={next}")).await;
    let items = |list: &Value| list["items"].as_array().unwrap().clone();
    assert_eq!([items(&first), items(&second)].concat(), items(&whole));
    assert_eq!((items(&first).len(), items(&second).len()), (2, 1));
    assert_eq!((&first["more"], &second["more"]), (&json!(true), &json!(false)));

    let newest = items(&first)[0]["id"].as_str().unwrap().to_owned();
    let again = format!("{WEBHOOKS}/deliveries/{newest}/redeliver");
    let sent = desk.post(&again, JSON, "{}").await;
    assert_eq!((sent.status, sent.json()), (202, json!({ "delivery": newest, "due": true })));
    desk.until(&receiver, 4).await;

    desk.manage(&partner.id, "disable", json!({})).await;
    let refused = desk.post(&again, JSON, "{}").await;
    assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("CONFLICT")));
    for unknown in ["dlv_99_1", "nothing"] {
        let path = format!("{WEBHOOKS}/deliveries/{unknown}/redeliver");
        assert_eq!(desk.post(&path, JSON, "{}").await.status, 404);
    }
}

#[tokio::test]
async fn events_are_sent_again_and_an_endpoint_is_tested() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    let partner = Partner::subscribed(&desk, &receiver.url()).await;
    desk.running.publish(&[report("r-1", Spirit)]).await;
    desk.until(&receiver, 1).await;
    let replayed =
        desk.manage(&partner.id, "replay", json!({ "from": "2026-01-01T00:00:00Z" })).await;
    assert_eq!(replayed, (202, json!({ "events": 1 })));
    desk.until(&receiver, 2).await;
    let [first, again] = receiver.requests().try_into().unwrap();
    assert_eq!(first.headers["webhook-id"], again.headers["webhook-id"]);
    let (status, tested) = desk.manage(&partner.id, "test", json!({})).await;
    assert_eq!((status, &tested["status"]), (200, &json!(204)));
    let (status, problem) = desk.manage("sub_x", "replay", json!({ "status": "FAILED" })).await;
    assert_eq!((status, &problem["code"]), (404, &json!("NOT_FOUND")));
}

#[tokio::test]
async fn moderators_see_subscriptions_but_change_none() {
    let desk = Desk::new().await;
    let partner = Partner::subscribed(&desk, "http://127.0.0.1:9/hook").await;
    assert_eq!(desk.get(WEBHOOKS).await["items"][0]["id"], partner.id.as_str());
    assert_eq!(desk.get(&format!("{WEBHOOKS}/deliveries")).await["items"], json!([]));
    for what in ["enable", "disable", "replay", "test"] {
        assert_eq!(desk.manage(&partner.id, what, json!({})).await.0, 403, "{what}");
    }
    assert_eq!(desk.delete(&format!("{WEBHOOKS}/{}", partner.id)).await.status, 403);
    assert_eq!(partner.sees(&desk).await["status"], "ACTIVE");
}
