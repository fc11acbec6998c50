//! Upper limit for counting pending events: a long log is not counted as a whole.

use store::Enabled;

use crate::webhooks::switchable_receiver::with_subscription;

#[tokio::test]
async fn of_a_long_log_only_the_next_hundred_thousand_events_are_counted() {
    let (node, _moody, subscription) = with_subscription(200).await;
    let log = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000)
               INSERT INTO events (id, name, body, created_at)
               SELECT 'evt_' || i, CASE WHEN i % 4 <> 0 THEN 'report.created' ELSE 'metrics.updated' END,
                      x'7b7d', 1772366400000
               FROM n";
    node.database.tamper(log).await;
    let store = node.store();
    let pending = store.subscriptions().find(&subscription.id).await.unwrap().unwrap().pending;
    assert_eq!(pending, 75_000);
    store.subscriptions().disable(&subscription.id, "A test.").await.unwrap();
    let enabled = store.subscriptions().enable(&subscription.id).await.unwrap();
    assert_eq!(enabled, Enabled::Now { missed: 75_000 });
}
