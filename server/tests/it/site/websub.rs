use std::time::Duration;

use model::ReportType::Spirit;
use svc::config::{OpenData, Serve};
use url::form_urlencoded;

use crate::{
    harness::{Running, START, reached_at, report, settings, soon},
    receiver::{Receiver, Reply},
};

async fn running(hub: &Receiver, settings: Serve) -> Running {
    let websub_hub = Some(format!("http://{}/hub", hub.address).parse().unwrap());
    let open_data = OpenData { websub_hub, ..OpenData::default() };
    Running::with(Serve { open_data, ..settings }, START).await
}

#[tokio::test]
async fn the_hub_is_notified_of_new_reports_at_most_once_a_minute() {
    let hub = Receiver::with(Reply::Status(204)).await;
    let running = running(&hub, reached_at("https://svc.example.org/counters")).await;
    running.publish(&[report("a", Spirit)]).await;
    hub.until(1).await;
    let requests = hub.requests();
    let kind = requests[0].headers["content-type"].to_str().unwrap();
    assert_eq!(kind, "application/x-www-form-urlencoded");
    let pairs: Vec<_> = form_urlencoded::parse(&requests[0].body).into_owned().collect();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let base = "https://svc.example.org/counters/feeds/reports";
    assert_eq!(
        pairs,
        [
            pair("hub.mode", "publish"),
            pair("hub.url", &format!("{base}.atom")),
            pair("hub.url", &format!("{base}.json")),
        ]
    );
    running.publish(&[report("b", Spirit)]).await;
    running.publish(&[report("c", Spirit)]).await;
    assert_eq!(hub.count(), 1);
    let notified = async {
        while hub.count() < 2 {
            running.clock.advance(Duration::from_secs(60));
            tokio::task::yield_now().await;
        }
    };
    soon("the second notification", notified).await;
    assert_eq!(hub.count(), 2, "two publications are one notification");
}

#[tokio::test]
async fn without_a_public_url_or_new_reports_the_hub_is_left_alone() {
    let hub = Receiver::with(Reply::Status(204)).await;
    let running = running(&hub, settings()).await;
    running.publish(&[report("a", Spirit)]).await;
    assert!(running.get("/feeds/reports.atom").await.text().contains("rel=\"hub\""));
    running.service.stop().await;
    assert_eq!(hub.count(), 0);
}
