use std::time::Duration;

use domain::{event::EventName, tier::Tier};
use model::ReportType::Spirit;

use super::{holder, page_of, partner, running, subscribe};
use crate::{
    desk::plain,
    harness::report,
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn the_portal_of_a_sandbox_says_so_and_shows_samples_instead_of_real_events() {
    let running = running().await;
    running.publish(&[report("real-one", Spirit)]).await;
    let says = "Endpoints receive only tests, and nothing here is real.";
    let real = plain(&partner(&running, "Aid").await.get("/partners").await.text());
    assert!(real.contains("real-one") && !real.contains(says), "{real}");

    let sandbox = holder(&running, "Aid", Tier::Test).await;
    let page = plain(&sandbox.get("/partners").await.text());
    assert!(page.contains(says) && page.contains("Sample events"), "{page}");
    assert!(!page.contains("real-one"), "{page}");
    assert!(page.contains("5 of 5 events pass the filter."), "{page}");
    let query = "try=1&event=report.created&event=report.withdrawn&region=Sao%20Paulo&type=water";
    let tried = plain(&sandbox.get(&format!("/partners?{query}")).await.text());
    assert!(tried.contains("0 of 2 events pass the filter."), "{tried}");
    let tried = sandbox.get(&format!("/partners?{}", query.replace("water", "spirit"))).await;
    assert!(plain(&tried.text()).contains("2 of 2 events pass the filter."), "{}", tried.text());
    assert!(tried.text().contains("rep_test"), "{}", tried.text());
}

#[tokio::test]
async fn every_event_can_be_sent_as_a_test() {
    let running = running().await;
    let sandbox = holder(&running, "Aid", Tier::Test).await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    let id = subscribe(&sandbox, &receiver.url()).await;
    let page = sandbox.get(&page_of(&id)).await.text();
    assert!(!page.contains("/partners/do/replay"), "a sandbox has no events to replay: {page}");
    for event in EventName::PUBLIC.map(EventName::as_str) {
        assert!(page.contains(&format!("<option value=\"{event}\"")), "{event}: {page}");
        let sent = sandbox.send("/partners/do/test", &[("id", &id), ("event", event)]).await;
        let page = format!("{}&event={event}", page_of(&id));
        assert_eq!(sent.header("location"), page);
        assert!(sandbox.told().starts_with("dThe endpoint responded 204 after "), "{event}");
        let body = receiver.requests().pop().unwrap().json();
        assert_eq!((&body["event"], &body["data"]["test"]), (&event.into(), &true.into()));
        let page = sandbox.get(&page).await.text();
        assert!(page.contains(&format!("<option value=\"{event}\" selected")), "{page}");
        running.clock.advance(Duration::from_secs(5));
    }
    sandbox.send("/partners/do/test", &[("id", &id), ("event", "report.pending")]).await;
    assert!(sandbox.told().starts_with("t\"event\" must be "), "{}", sandbox.told());
    sandbox.send("/partners/do/replay", &[("id", &id), ("from", "2026-03-01T00:00")]).await;
    assert_eq!(sandbox.told(), "d0 events are sent again.");
}
