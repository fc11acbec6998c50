use super::{page_of, partner, running, subscribe};
use crate::harness::report;
use model::ReportType::Spirit;

#[tokio::test]
async fn a_partner_sees_and_changes_no_subscription_of_another() {
    let running = running().await;
    let (aid, rivals) = (partner(&running, "Aid").await, partner(&running, "Rivals").await);
    let id = subscribe(&aid, "http://127.0.0.1:9/secret-path").await;
    running.publish(&[report("a", Spirit)]).await;
    let store = &running.database.store;
    let before = store.subscriptions().list().await.unwrap();
    let page = rivals.get("/partners").await.text();
    assert!(!page.contains("secret-path") && !page.contains(&id), "{page}");
    for path in [page_of(&id), page_of("sub_none"), "/partners/subscription".to_owned()] {
        let page = rivals.get(&path).await;
        assert_eq!(page.status, 404);
        assert!(page.text().contains("There is nothing here"), "{}", page.text());
    }
    let form = rivals.get(&format!("/partners?change={id}")).await.text();
    assert!(form.contains("New subscription") && !form.contains("secret-path"), "{form}");
    let seq = before[0].seq;
    let delivery = format!("dlv_{seq}_1");
    for (action, fields) in [
        ("pause", &[][..]),
        ("enable", &[]),
        ("rotate", &[]),
        ("test", &[]),
        ("delete", &[]),
        ("resend", &[]),
        ("replay", &[("from", "2026-03-01T00:00")]),
        ("redeliver", &[("delivery", &*delivery)]),
        ("change", &[("url", "http://127.0.0.1:9/mine"), ("event", "report.created")]),
    ] {
        let fields = [&[("id", &*id)], fields].concat();
        rivals.send(&format!("/partners/do/{action}"), &fields).await;
        assert_eq!(rivals.told(), format!("tThere is no subscription {id:?}."), "{action}");
    }
    assert_eq!(store.subscriptions().list().await.unwrap(), before);
    // A delivery of another partner's subscription, sent in the name of one's own.
    let own = subscribe(&rivals, "http://127.0.0.1:9/").await;
    let fields = [("id", &*own), ("delivery", &*delivery)];
    rivals.send("/partners/do/redeliver", &fields).await;
    assert_eq!(rivals.told(), "tThere is no such delivery; old ones are removed.");
}
