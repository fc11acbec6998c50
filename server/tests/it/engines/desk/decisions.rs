use domain::scope::Scope;
use model::ReportType::{Spirit, Water};
use serde_json::{Value, json};
use store::Mode;

use crate::{
    desk::{Browser, confirmed, plain, running},
    harness::{But, Running, report},
};

const DECIDE: &str = "/desk/do/decide";

async fn filled() -> Running {
    let running = running().await;
    let reports = [
        report("r-1", Spirit).on("2026-02-01"),
        report("r-2", Water).on("2026-02-02"),
        report("r-3", Water).on("2026-02-03"),
        report("r-4", Spirit).on("2026-02-04"),
    ];
    running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    running
}

async fn total(running: &Running) -> u64 {
    running.service.app.snapshots.refresh().await;
    running.json("/api/v1/metrics").await["total"].as_u64().unwrap()
}

#[tokio::test]
async fn reports_are_decided_on_with_plain_forms() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Moderate).await;
    assert_eq!(browser.ids("/desk").await, ["r-4", "r-3", "r-2", "r-1"]);
    let back = ("back", "/desk?type=water");
    let one = browser.send(DECIDE, &[("one", "approve:r-1"), back]).await;
    assert_eq!((one.status, one.header("location")), (302, "/desk?type=water"));
    let several = [("ids[]", "r-2"), ("ids[]", "r-3"), ("step", "reject"), back];
    assert_eq!(browser.send(DECIDE, &several).await.status, 302);
    assert_eq!(browser.ids("/desk").await, ["r-4"]);
    assert_eq!(total(&running).await, 1);
    assert_eq!(browser.ids("/desk?status=REJECTED").await, ["r-3", "r-2"]);
}

#[tokio::test]
async fn the_list_is_narrowed_down_and_goes_on() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    assert_eq!(browser.ids("/desk?type=water&q=&country=").await, ["r-3", "r-2"]);
    assert_eq!(browser.ids("/desk?order=oldest&limit=3").await, ["r-1", "r-2", "r-3"]);
    let page = browser.get("/desk?order=oldest&limit=3").await.text();
    let next = page.split("<a href=\"/desk?").filter_map(|rest| rest.split('"').next());
    let next = next.into_iter().find(|query| query.contains("after=c_")).unwrap();
    let next = format!("/desk?{}", next.replace("&amp;", "&"));
    assert_eq!(browser.ids(&next).await, ["r-4"]);
    let wrong = browser.get("/desk?from=yesterday").await;
    assert!(wrong.text().contains("role=\"alert\" class=\"trouble\""));
}

#[tokio::test]
async fn the_second_of_two_people_is_told_who_was_first() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    maria.send(DECIDE, &[("one", "approve:r-1")]).await;
    let second = jo.send(DECIDE, &[("one", "reject:r-1")]).await;
    let page = jo.get(second.header("location")).await.text();
    let told = "r-1: Maria approved it on 1 Mar 2026, 12:00 UTC.";
    assert!(page.contains(told));
    assert_eq!(total(&running).await, 1);
}

#[tokio::test]
async fn the_list_is_sent_again_only_after_a_change_and_names_who_decided() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let look = async |version: &str| -> Value {
        maria.call("/desk/do/look", &[("query", ""), ("version", version)]).await
    };
    let version = |list: &Value| list["version"].as_str().unwrap().to_owned();
    let first = look("").await;
    assert_eq!(first["items"].as_array().unwrap().len(), 4);
    assert_eq!(look(&version(&first)).await, Value::Null);

    // The list changes for Maria when Jo looks at another report.
    let jos = jo.call("/desk/do/look", &[("query", ""), ("current", "r-3")]).await;
    assert_eq!(jos["others"], json!([]));
    let seen = look(&version(&first)).await;
    assert_eq!(seen["others"], json!([{ "who": "Jo", "id": "r-3" }]));
    assert_eq!(look(&version(&seen)).await, Value::Null);
    jo.call("/desk/do/look", &[("query", "")]).await;
    let first = look(&version(&seen)).await;
    assert_eq!(first["others"], json!([]));

    jo.send(DECIDE, &[("ids[]", "r-1"), ("ids[]", "r-2"), ("step", "reject")]).await;
    let second = look(&version(&first)).await;
    assert_eq!(second["waiting"], 2);
    assert_eq!(look(&version(&second)).await, Value::Null);
    let ids = [("ids[]", "r-1"), ("ids[]", "r-3"), ("ids[]", "r-none")];
    let outcomes = maria.call("/desk/do/outcomes", &ids).await;
    assert_eq!(
        outcomes,
        json!([
            { "id": "r-1", "reason": "Jo rejected it on 1 Mar 2026, 12:00 UTC" },
            { "id": "r-none", "reason": "it no longer exists" },
        ])
    );

    let reports = [report("r-5", Spirit)];
    running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    let third = look(&version(&second)).await;
    assert_eq!(third["items"][0]["id"], "r-5");
    let correction = [
        ("id", "r-5"),
        ("correction[kind]", "water"),
        ("correction[city]", "Oslo"),
        ("correction[region]", ""),
        ("correction[country]", "Norway"),
        ("correction[people]", "2"),
        ("correction[event_date]", "2026-02-05"),
        ("correction[lat]", ""),
        ("correction[lng]", ""),
    ];
    jo.send("/desk/do/correct", &correction).await;
    assert_eq!(look(&version(&third)).await["items"][0]["city"], "Oslo");
}

#[tokio::test]
async fn a_decision_is_undone_by_whoever_made_it_within_ten_minutes() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let entry = async || {
        let page = maria.get("/desk").await.text();
        let entries = page.split("name=\"entry\" value=\"").skip(1);
        entries.map(|rest| rest.split('"').next().unwrap().to_owned()).next().unwrap()
    };
    maria.send(DECIDE, &[("ids[]", "r-1"), ("ids[]", "r-2"), ("step", "approve")]).await;
    let approval = entry().await;
    assert_eq!(total(&running).await, 2);
    let undo = "/desk/do/undo";
    jo.send(undo, &[("entry", &approval)]).await;
    assert_eq!(total(&running).await, 2, "it was not Jo's");
    // Another user has changed one of the two reports since.
    let one = domain::report::Step::Withdraw;
    let store = &running.database.store;
    let actor = domain::actor::Actor::of_command_line("ops", "web1");
    store.clone().acting(actor).reports().decide(one, &["r-2".to_owned()]).await.unwrap();
    maria.send(undo, &[("entry", &approval)]).await;
    assert_eq!(total(&running).await, 0);
    assert_eq!(maria.ids("/desk").await, ["r-4", "r-3", "r-1"]);
    assert_eq!(maria.ids("/desk?status=WITHDRAWN").await, ["r-2"]);

    maria.send(DECIDE, &[("one", "reject:r-3")]).await;
    let rejection = entry().await;
    running.clock.advance(std::time::Duration::from_secs(601));
    maria.send(undo, &[("entry", &rejection)]).await;
    assert_eq!(maria.ids("/desk?status=REJECTED").await, ["r-3"], "it was too late");
}

#[tokio::test]
async fn a_decision_on_a_whole_list_is_undone_at_once() {
    let running = running().await;
    let store = &running.database.store;
    let reports: Vec<_> = (0..1_200).map(|number| report(&format!("r-{number}"), Spirit)).collect();
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let asked = maria.get("/desk/all?step=reject").await.text();
    let confirmed = confirmed(&asked);
    let fields = [
        ("step", "reject"),
        ("selected", ""),
        ("confirmed", &*confirmed),
        ("reason", "Test"),
        ("note", "of Saturday"),
    ];
    maria.send("/desk/do/decide-on-all", &fields).await;
    assert_eq!(maria.told(), "dRejected 1,200 reports.");
    let decided = maria.call("/desk/do/look", &[("query", "")]).await["decisions"].clone();
    assert_eq!(decided.as_array().unwrap().len(), 1, "{decided}");
    assert_eq!(decided[0]["text"], "Rejected 1,200 reports.");
    let history = plain(&maria.get("/desk/report?id=r-7").await.text());
    assert!(history.contains("reason: Test: of Saturday"), "{history}");
    let entry = decided[0]["entry"].to_string();
    maria.send("/desk/do/undo", &[("entry", &entry)]).await;
    assert_eq!(maria.told(), "dUndone: 1,200 reports wait for a decision again.");
    let list = maria.call("/desk/do/look", &[("query", "")]).await;
    assert_eq!((&list["decisions"], &list["waiting"]), (&json!([]), &json!(1_200)));
}

#[tokio::test]
async fn a_report_is_rejected_with_a_reason_from_the_operators_list() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let page = maria.get("/desk/report?id=r-1").await.text();
    for reason in ["Duplicate", "Not credible", "Test", "Wrong place or date", "Offensive"] {
        assert!(
            page.contains(&format!("<option value=\"{reason}\" data-key=")),
            "{reason}: {page}"
        );
    }
    let back = ("back", "/desk/report?id=r-1");
    maria.send(DECIDE, &[("one", "reject:r-1"), ("reason", "Not credible"), back]).await;
    assert_eq!(maria.told(), "dRejected r-1.");
    let page = plain(&maria.get("/desk/report?id=r-1").await.text());
    assert!(page.contains("reason: Not credible"), "{page}");
    let long = "x".repeat(501);
    maria.send(DECIDE, &[("one", "approve:r-2"), ("note", &long), back]).await;
    assert_eq!(maria.told(), "tThe reason is 501 characters long; the maximum is 500.");
    assert_eq!(maria.ids("/desk").await, ["r-4", "r-3", "r-2"]);
}

#[tokio::test]
async fn many_are_decided_on_only_if_they_are_those_that_were_confirmed() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let asked = maria.get("/desk/all?step=approve&type=water").await.text();
    assert!(asked.contains("Approve 2 reports?"));
    let all = "/desk/do/decide-on-all";
    let fields =
        |confirmed| [("step", "approve"), ("selected", "type=water"), ("confirmed", confirmed)];
    let seen = confirmed(&asked);
    // The list has the same length but different reports.
    maria.send(DECIDE, &[("one", "reject:r-2")]).await;
    running.database.store.reports().import(&[report("r-5", Water)], Mode::Pending).await.unwrap();
    let changed = maria.send(all, &fields(&seen)).await;
    let page = maria.get(changed.header("location")).await.text();
    assert!(page.contains("Nothing was decided: the list has changed."));
    assert_eq!(total(&running).await, 0);
    let seen = confirmed(&page);
    let done = maria.send(all, &fields(&seen)).await;
    assert_eq!(done.header("location"), "/desk?type=water");
    assert_eq!(total(&running).await, 2);
}

/// A decision changes only the reports that were shown and confirmed, for every step and list.
#[tokio::test]
async fn a_decision_on_all_of_a_list_touches_nothing_that_is_not_in_the_list() {
    for status in ["", "PENDING", "APPROVED", "REJECTED", "WITHDRAWN"] {
        for step in ["approve", "reject", "withdraw", "reopen", "restore"] {
            let running = filled().await;
            let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
            for decision in ["approve:r-1", "reject:r-2", "approve:r-3"] {
                maria.send(DECIDE, &[("one", decision)]).await;
            }
            maria.send(DECIDE, &[("one", "withdraw:r-3")]).await;
            let query = if status.is_empty() { String::new() } else { format!("status={status}") };
            let ids = async || {
                let statuses = ["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"];
                let mut all = Vec::new();
                for status in statuses {
                    all.push(maria.ids(&format!("/desk?status={status}")).await);
                }
                all
            };
            let (shown, before) = (maria.ids(&format!("/desk?{query}")).await, ids().await);
            assert_eq!(shown.len(), 1, "{status}");
            let asked = maria.get(&format!("/desk/all?step={step}&{query}")).await.text();
            let fields = [("step", step), ("selected", &query), ("confirmed", &confirmed(&asked))];
            maria.send("/desk/do/decide-on-all", &fields).await;
            let others = |lists: Vec<Vec<String>>| -> Vec<Vec<String>> {
                let others = |list: Vec<String>| list.into_iter().filter(|id| *id != shown[0]);
                lists.into_iter().map(|list| others(list).collect()).collect()
            };
            let after = ids().await;
            let is_possible = matches!(
                (step, status),
                ("approve" | "reject", "" | "PENDING")
                    | ("withdraw", "APPROVED")
                    | ("reopen", "REJECTED" | "WITHDRAWN")
                    | ("restore", "WITHDRAWN")
            );
            assert_eq!(before != after, is_possible, "{step} {status}");
            assert_eq!(others(before), others(after), "{step} {status}");
        }
    }
}

#[tokio::test]
async fn whoever_may_only_read_sees_the_queue_and_decides_nothing() {
    let running = filled().await;
    let browser = Browser::of(&running, "Ben", Scope::Read).await;
    assert_eq!(browser.ids("/desk").await.len(), 4);
    browser.send(DECIDE, &[("one", "approve:r-1")]).await;
    assert!(browser.told().starts_with("tYour key has the scope read"), "{}", browser.told());
    assert_eq!(total(&running).await, 0);
}

#[tokio::test]
async fn a_form_leads_nowhere_but_to_the_desk() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Moderate).await;
    for back in ["https://evil.example", "//evil.example", "/deskevil", "/desk\r\nx: y", "/docs"] {
        let answer = browser.send(DECIDE, &[("one", "approve:r-9"), ("back", back)]).await;
        assert_eq!(answer.header("location"), "/desk", "{back}");
    }
}

fn correction<'f>(city: &'f str, people: &'f str, lat: &'f str) -> Vec<(&'f str, &'f str)> {
    vec![
        ("id", "r-1"),
        ("correction[kind]", "both"),
        ("correction[city]", city),
        ("correction[region]", ""),
        ("correction[country]", "Norway"),
        ("correction[people]", people),
        ("correction[event_date]", "2026-02-11"),
        ("correction[lat]", lat),
        ("correction[lng]", if lat.is_empty() { "" } else { "10.75" }),
    ]
}

#[tokio::test]
async fn a_report_is_corrected_with_the_form_of_its_page() {
    const CORRECT: &str = "/desk/do/correct";
    let running = filled().await;
    running
        .database
        .store
        .reports()
        .decide(domain::report::Step::Approve, &["r-1".to_owned()])
        .await
        .unwrap();
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let page = maria.get("/desk/report?id=r-1").await.text();
    for field in [
        "name=\"correction[city]\" value=\"Campinas\"",
        "name=\"correction[event_date]\" value=\"2026-02-01\" required",
        "<option value=\"spirit\" selected>",
    ] {
        assert!(page.contains(field), "{field}: {page}");
    }
    let corrected = maria.send(CORRECT, &correction("Oslo", "12", "59.9")).await;
    let location = (corrected.status, corrected.header("location"));
    assert_eq!(location, (302, "/desk/report?id=r-1"), "{}", corrected.text());
    running.service.app.snapshots.refresh().await;
    let counters = running.json("/api/v1/metrics?country=NO&city=Oslo").await;
    assert_eq!((&counters["both"], &counters["total"]), (&1.into(), &1.into()));
    let page = plain(&maria.get("/desk/report?id=r-1").await.text());
    for said in [
        "Oslo, Norway",
        "<dd>12</dd>",
        "<dd>11 Feb 2026</dd>",
        "name=\"correction[lat]\" value=\"59.9\"",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    // The desk refuses the same values as an import, lists every fault, and changes nothing.
    let refused = maria.send(CORRECT, &correction("", "many", "")).await;
    let page = plain(&maria.get(refused.header("location")).await.text());
    for said in [
        "Nothing was changed.",
        "city:",
        "peopleCount:",
        "Oslo, Norway",
        "<dd>12</dd>",
        "value=\"many\"",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let jo = Browser::of(&running, "Jo", Scope::Read).await;
    assert!(!jo.get("/desk/report?id=r-1").await.text().contains("Correct this report"));
    let refused = jo.send(CORRECT, &correction("Bergen", "1", "")).await;
    assert!(
        jo.get(refused.header("location")).await.text().contains("Your key has the scope read")
    );
    assert_eq!(running.json("/api/v1/metrics?country=NO&city=Oslo").await["total"], 1);
    let none =
        [("id", "nobody")].into_iter().chain(correction("Oslo", "1", "").into_iter().skip(1));
    let unknown = maria.send(CORRECT, &none.collect::<Vec<_>>()).await;
    let page = maria.get(unknown.header("location")).await.text();
    assert!(page.contains("There is no report with this id."), "{page}");
}
