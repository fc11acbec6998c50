use super::{partner, running};
use crate::{desk::plain, harness::report};
use model::ReportType::{Spirit, Water};

#[tokio::test]
async fn the_newest_events_show_what_a_filter_would_send() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    assert!(browser.get("/partners").await.text().contains("There are none yet."));
    running.publish(&[report("a", Spirit), report("b", Water)]).await;
    running.withdraw("b").await;
    let fields = [
        ("url", "http://127.0.0.1:9/secret-path"),
        ("event", "report.created"),
        ("event", "report.withdrawn"),
        ("type", "water"),
        ("once", "x"),
    ];
    let tried = browser.send("/partners/do/try", &fields).await;
    let way = "/partners?try=1&event=report.created&event=report.withdrawn&type=water#events";
    assert_eq!((tried.status, tried.header("location")), (303, way));
    let page = plain(&browser.get(way.trim_end_matches("#events")).await.text());
    assert!(page.contains("2 of 3 events pass the filter."), "{page}");
    let (_, log) = page.split_once("id=\"log\"").unwrap();
    let marks: Vec<_> = log
        .split("class=\"state")
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().1.split('<').next().unwrap())
        .collect();
    assert_eq!(marks, ["is sent", "is sent", "is not sent"]);
    assert!(!log.contains("metrics.updated"), "{log}");
    // Events of the operator are not for partners.
    let page = plain(&browser.get("/partners?try=1&event=report.pending").await.text());
    assert!(page.contains("There are none yet."), "{page}");
    assert_eq!(running.database.store.subscriptions().list().await.unwrap(), []);
}
