//! Events written by a publication: which, for whom, and in which order.

use base::clock::Clock;
use domain::report::Step;
use domain::{event::EventName, event::EventName::ReportWithdrawn};
use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};
use store::{Mode, QueuedEvent};

use crate::{
    harness::{But, Svc, report},
    node::{MetricsUpdated, Node, PATIENT, ReportCreated, Subscription},
};

const NOWHERE: &str = "http://127.0.0.1:9/";

fn body(event: &QueuedEvent) -> Value {
    serde_json::from_slice(&event.body).unwrap()
}

/// Events that wait for a subscription, in the order in which they were written.
async fn told(node: &Node, subscription: &Subscription) -> Vec<Value> {
    node.take_all(subscription).await.iter().map(body).collect()
}

fn names(told: &[Value]) -> Vec<&str> {
    told.iter().map(|body| body["event"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn each_event_of_a_batch_tells_the_counters_as_they_are_after_its_own_report() {
    let node = Node::new().await;
    let subscription = node.subscribe(NOWHERE, &[ReportCreated, MetricsUpdated]).await;
    let batch = [
        report("a", Spirit),
        report("b", Water).on("2026-02-28"),
        report("c", Spirit).at("Oslo", "", "Norway"),
        report("d", Both).at("OSLO", "", "Norge"),
    ];
    node.store().reports().import(&batch, Mode::Pending).await.unwrap();
    // Events follow the order of the decision, not that of the import.
    let ids = ["b", "a", "d", "c"].map(str::to_owned);
    node.store().reports().decide(Step::Approve, &ids).await.unwrap();
    let told = told(&node, &subscription).await;
    let (created, updated) = ("report.created", "metrics.updated");
    assert_eq!(names(&told), [created, updated].repeat(4));
    let fields = ["spirit", "water", "both", "total", "totalToday", "countries", "cities"];
    let steps: Vec<(Value, Vec<u64>)> = told
        .chunks(2)
        .map(|pair| {
            let counted = fields.map(|field| pair[1]["data"][field].as_u64().unwrap());
            (pair[0]["data"]["id"].clone(), counted.into())
        })
        .collect();
    assert_eq!(
        steps,
        [
            (json!("b"), vec![0, 1, 0, 1, 0, 1, 1]),
            (json!("a"), vec![1, 1, 0, 2, 1, 1, 1]),
            (json!("d"), vec![1, 1, 1, 3, 2, 2, 2]),
            (json!("c"), vec![2, 1, 1, 4, 3, 2, 2]),
        ]
    );
}

#[tokio::test]
async fn a_report_that_is_reopened_and_approved_again_is_told_again_as_another_event() {
    let node = Node::new().await;
    let subscription = node.subscribe(NOWHERE, &[ReportCreated]).await;
    let id = ["a".to_owned()];
    node.store().reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    node.store().reports().decide(Step::Withdraw, &id).await.unwrap();
    node.store().reports().decide(Step::Reopen, &id).await.unwrap();
    node.store().reports().decide(Step::Approve, &id).await.unwrap();
    let told = node.take_all(&subscription).await;
    let reports: Vec<Value> = told.iter().map(|event| body(event)["data"].clone()).collect();
    assert_eq!(reports.len(), 2);
    assert_eq!((&reports[0]["id"], &reports[0]), (&json!("a"), &reports[1]));
    assert_ne!(told[0].id, told[1].id);
}

#[tokio::test]
async fn a_report_that_is_published_again_is_told_with_the_same_content() {
    let node = Node::new().await;
    let subscription = node.subscribe(NOWHERE, &EventName::PUBLIC).await;
    let ids = ["a".to_owned()];
    node.store().reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    node.store().reports().decide(Step::Withdraw, &ids).await.unwrap();
    node.store().reports().decide(Step::Restore, &ids).await.unwrap();
    let told = told(&node, &subscription).await;
    let (created, updated) = ("report.created", "metrics.updated");
    assert_eq!(names(&told), [created, updated, "report.withdrawn", created, updated]);
    assert_eq!(told[0]["data"], told[3]["data"]);
}

#[tokio::test]
async fn history_and_refusals_tell_nobody() {
    let node = Node::new().await;
    node.subscribe(NOWHERE, &EventName::PUBLIC).await;
    let reports = [report("a", Spirit), report("b", Water), report("c", Both)];
    node.store().reports().import(&reports[..1], Mode::Backfill).await.unwrap();
    node.store().reports().import(&reports, Mode::Pending).await.unwrap();
    let ids = ["a", "b", "x"].map(str::to_owned);
    node.store().reports().decide(Step::Withdraw, &ids[1..]).await.unwrap();
    node.store().reports().decide(Step::Reject, &ids).await.unwrap();
    node.store().reports().decide(Step::Approve, &ids).await.unwrap();
    node.store().reports().import(&reports, Mode::Approve).await.unwrap();
    assert_eq!(node.rows("events").await, 0);
    node.store().reports().decide(Step::Approve, &["c".to_owned()]).await.unwrap();
    assert_eq!(node.rows("events").await, 2);
}

#[tokio::test]
async fn a_withdrawal_is_told_to_those_who_list_it() {
    let node = Node::new().await;
    let (old, new) = (
        node.subscribe(NOWHERE, &[ReportCreated]).await,
        node.subscribe(NOWHERE, &[ReportCreated, ReportWithdrawn]).await,
    );
    node.approve(&["a", "b"]).await;
    // One report is named twice, and one does not exist.
    let ids = ["b", "b", "x"].map(str::to_owned);
    node.store().reports().decide(Step::Withdraw, &ids).await.unwrap();
    node.store().reports().decide(Step::Withdraw, &ids).await.unwrap();
    let (created, withdrawn) = ("report.created", "report.withdrawn");
    assert_eq!(names(&told(&node, &old).await), [created; 2]);
    let told = told(&node, &new).await;
    assert_eq!(names(&told), [created, created, withdrawn]);
    let expected = json!({ "status": "WITHDRAWN" });
    let mut data = told[1]["data"].clone();
    data.as_object_mut().unwrap().extend(expected.as_object().unwrap().clone());
    assert_eq!(told[2]["data"], data);
}

#[tokio::test]
async fn events_are_written_once_however_many_subscribe() {
    let node = Node::new().await;
    node.approve(&["a"]).await;
    assert_eq!(node.rows("events").await, 2);
    let updates = node.subscribe(NOWHERE, &[MetricsUpdated]).await;
    node.approve(&["b"]).await;
    let late = node.subscribe(NOWHERE, &[ReportCreated, MetricsUpdated]).await;
    node.approve(&["c"]).await;
    // A subscription has no rows before something is sent to it.
    assert_eq!((node.rows("events").await, node.rows("deliveries").await), (6, 0));
    // Each subscription receives the events it lists, starting at its creation.
    assert_eq!(names(&told(&node, &updates).await), ["metrics.updated"; 2]);
    let late = told(&node, &late).await;
    assert_eq!(names(&late), ["report.created", "metrics.updated"]);
    assert_eq!((&late[0]["data"]["id"], &late[1]["data"]["total"]), (&json!("c"), &json!(3)));
}

#[tokio::test]
async fn a_publication_that_breaks_off_leaves_neither_the_report_nor_its_events() {
    let node = Node::new().await;
    node.subscribe(NOWHERE, &EventName::PUBLIC).await;
    node.store().reports().import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    // The last statement of the transaction fails.
    node.database.refuse("UPDATE ON data_version").await;
    node.store().reports().decide(Step::Approve, &["a".to_owned()]).await.unwrap_err();
    assert_eq!(node.rows("events").await, 0);
    node.database.permit("data_version").await;
    node.store().reports().decide(Step::Approve, &["a".to_owned()]).await.unwrap();
    assert_eq!(node.rows("events").await, 2);
    assert_eq!(node.store().check().await.unwrap().differences, []);
}

/// The number of rows exceeds one transaction.
#[tokio::test]
async fn an_approving_import_tells_every_report_in_its_order() {
    const ROWS: usize = 2_500;
    // The command uses the system's clock.
    let node = Node::with(Clock::system(), PATIENT).await;
    let subscription = node.subscribe(NOWHERE, &EventName::PUBLIC).await;
    let id = |number: usize| format!("r{}", number * 7_919 % ROWS);
    let rows: String =
        (0..ROWS).map(|number| format!("{},spirit,Oslo,Norway\n", id(number))).collect();
    // One row is refused, and one is a duplicate.
    let csv = format!("id,type,city,country\n{rows}x,fire,Oslo,Norway\nr0,spirit,Oslo,Norway\n");
    let ran = Svc::new().import(csv, &["--approve", "--database-url", &node.database.url()]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let told = told(&node, &subscription).await;
    assert_eq!(told.len(), 2 * ROWS);
    for (number, pair) in told.chunks(2).enumerate() {
        assert_eq!(names(pair), ["report.created", "metrics.updated"]);
        assert_eq!(pair[0]["data"]["id"], id(number));
        assert_eq!(pair[1]["data"]["total"], number + 1);
    }
}
