use domain::report::NewReport;
use domain::report::Step;
use model::ReportType::{Both, Spirit, Water};
use reqwest::Method;
use serde_json::{Value, json};
use store::{Mode, ReportList, Selection};

use crate::{
    harness::{But, Database, report},
    operator::Desk,
};

/// Creates seven reports of all statuses.
async fn filled() -> Desk {
    let desk = Desk::new().await;
    let store = &desk.running.database.store;
    let reports = [
        report("r-1", Spirit).on("2026-02-01"),
        report("r-2", Water).on("2026-02-02"),
        report("r-3", Both).on("2026-02-03"),
        NewReport { city: "São Luís".to_owned(), ..report("r-4", Water) },
        NewReport { country: "Norway".to_owned(), city: "Oslo".to_owned(), ..report("r-5", Water) },
        report("night-6", Spirit),
        report("r-7", Spirit),
    ];
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    store.reports().decide(Step::Approve, &["r-2".to_owned(), "r-3".to_owned()]).await.unwrap();
    store.reports().decide(Step::Withdraw, &["r-3".to_owned()]).await.unwrap();
    store.reports().decide(Step::Reject, &["r-7".to_owned()]).await.unwrap();
    desk
}

#[tokio::test]
async fn reports_are_found_by_status_place_period_type_and_text() {
    let desk = filled().await;
    let all = ["r-7", "night-6", "r-5", "r-4", "r-3", "r-2", "r-1"];
    for (query, expected) in [
        ("", &all[..]),
        ("?order=oldest&limit=2", &["r-1", "r-2"]),
        ("?status=PENDING", &["night-6", "r-5", "r-4", "r-1"]),
        ("?status=APPROVED", &["r-2"]),
        ("?status=WITHDRAWN", &["r-3"]),
        ("?status=REJECTED", &["r-7"]),
        ("?type=water", &["r-5", "r-4", "r-2"]),
        ("?country=NO", &["r-5"]),
        ("?country=Brasil&city=sao%20luis", &["r-4"]),
        ("?city=OSLO", &["r-5"]),
        ("?from=2026-02-02&to=2026-02-03", &["r-3", "r-2"]),
        ("?q=NIGHT", &["night-6"]),
        ("?q=luis", &["r-4"]),
        ("?q=%C3%B3slo", &["r-5"]),
        ("?q=%20", &all),
        ("?q=nowhere", &[]),
        ("?status=PENDING&type=spirit&country=BR&q=r-", &["r-1"]),
    ] {
        assert_eq!(desk.ids(query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn an_import_that_does_not_exist_selects_nothing_and_says_so() {
    let desk = filled().await;
    let list = desk.ask(&desk.key, Method::GET, "/operator/v1/reports?import=imp_1m8230hv5", None);
    let filter = json!({ "filter": { "import": "imp_1m8230hv5" } }).to_string();
    let decision = desk.post("/operator/v1/reports/approve", "application/json", filter);
    for answer in [list.await, decision.await] {
        let problem = answer.json();
        assert_eq!((answer.status, &problem["code"]), (400, &json!("INVALID_PARAMETER")));
        assert_eq!(problem["detail"], "There is no import imp_1m8230hv5.");
    }
}

#[tokio::test]
async fn a_list_goes_on_where_it_ended_whatever_comes_in_meanwhile() {
    let desk = filled().await;
    for (order, expected) in [
        ("newest", ["r-7", "night-6", "r-5", "r-4", "r-3", "r-2", "r-1"]),
        ("oldest", ["r-1", "r-2", "r-3", "r-4", "r-5", "night-6", "r-7"]),
    ] {
        let (mut found, mut after) = (Vec::new(), String::new());
        loop {
            let path = format!("/operator/v1/reports?order={order}&limit=2{after}");
            let page = desk.get(&path).await;
            let items = page["items"].as_array().unwrap();
            assert!(items.len() <= 2);
            found.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
            assert_eq!(page["more"], page.get("next").is_some());
            let Some(next) = page.get("next").and_then(Value::as_str) else { break };
            after = format!("&after={next}");
        }
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn a_list_that_looks_at_few_reports_gets_to_all_of_them_in_the_end() {
    let database = Database::new().await;
    let store = &database.store;
    let reports: Vec<NewReport> = (0..40)
        .map(|number| {
            let city = if number % 13 == 0 { "Oslo" } else { "Campinas" };
            NewReport { city: city.to_owned(), ..report(&format!("r-{number}"), Spirit) }
        })
        .collect();
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    let place = store::PlaceFilter::new(None, None, Some("oslo"));
    let selection = Selection { place, ..Selection::default() };
    let mut list =
        ReportList { selection, limit: 3, most_examined: Some(7), ..ReportList::default() };
    let (mut found, mut calls) = (Vec::new(), 0);
    loop {
        let listed = store.reports().list(&list).await.unwrap();
        found.extend(listed.reports.into_iter().map(|report| report.id));
        calls += 1;
        let Some(next) = listed.next else { break };
        list.after = Some(next);
    }
    assert_eq!((found, calls), (["r-39", "r-26", "r-13", "r-0"].map(str::to_owned).to_vec(), 6));
}

#[tokio::test]
async fn a_report_is_shown_with_what_was_done_to_it() {
    let desk = filled().await;
    desk.decide("approve", json!({ "ids": ["r-1"] })).await;
    let mut shown = desk.get("/operator/v1/reports/r-1").await;
    let history = shown["history"].take();
    assert_eq!(
        shown,
        json!({
            "id": "r-1",
            "type": "spirit",
            "status": "APPROVED",
            "city": "Campinas",
            "region": "São Paulo",
            "country": "Brazil",
            "peopleCount": 1,
            "eventDate": "2026-02-01",
            "createdAt": shown["createdAt"],
            "publishedAt": "2026-03-01T12:00:00.002Z",
            "import": null,
            "history": null,
        })
    );
    assert_eq!(
        history,
        json!([{
            "at": "2026-03-01T12:00:00.002Z",
            "actor": "Maria",
            "key": desk.key.prefix(),
            "origin": history[0]["origin"],
            "action": "reports.approve",
            "subject": "r-1",
            "before": { "status": "PENDING" },
            "after": { "status": "APPROVED" },
        }])
    );
    let address = history[0]["origin"].as_str().unwrap();
    assert!(address.parse::<std::net::IpAddr>().is_ok(), "{address}");
    let unknown = desk.ask(&desk.key, reqwest::Method::GET, "/operator/v1/reports/no", None).await;
    assert_eq!(
        (unknown.status, &unknown.json()["detail"]),
        (404, &json!("There is no report \"no\"."))
    );
}

#[tokio::test]
async fn what_a_list_is_asked_with_is_checked() {
    let desk = Desk::new().await;
    for (query, code, detail) in [
        (
            "status=OPEN",
            "INVALID_PARAMETER",
            "\"status\" is \"OPEN\": give one of PENDING, APPROVED, REJECTED, WITHDRAWN.",
        ),
        (
            "type=fire",
            "INVALID_PARAMETER",
            "\"type\" is \"fire\": give one of spirit, water, both.",
        ),
        ("order=best", "INVALID_PARAMETER", "\"order\" is \"best\": give one of newest, oldest."),
        ("import=1", "INVALID_PARAMETER", "\"import\" is \"1\", which is not a valid import id."),
        ("limit=0", "INVALID_LIMIT", "\"limit\" is \"0\": give a whole number from 1 to 100."),
        (
            "from=2026-02-30",
            "INVALID_PERIOD",
            "\"from\" is \"2026-02-30\": give a date that exists, as YYYY-MM-DD.",
        ),
    ] {
        let path = format!("/operator/v1/reports?{query}");
        let answer = desk.ask(&desk.key, reqwest::Method::GET, &path, None).await;
        let problem = answer.json();
        assert_eq!(
            (answer.status, &problem["code"], &problem["detail"]),
            (400, &json!(code), &json!(detail))
        );
    }
}
