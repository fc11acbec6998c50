//! The page of a report, in the list that it was opened from.

use domain::scope::Scope;
use model::ReportType::{Spirit, Water};
use store::Mode;

use crate::{
    desk::{Browser, plain, running},
    harness::{But, Running, report},
};

const DECIDE: &str = "/desk/do/decide";

/// Four pending reports from `r-1`, the oldest, to `r-4`, the newest. `r-2` is no report about water.
async fn filled() -> Running {
    let running = running().await;
    let reports = [
        report("r-1", Water).on("2026-02-04"),
        report("r-2", Spirit).on("2026-02-02").at("Oslo", "", "Norway"),
        report("r-3", Water).on("2026-02-03").at("Bergen", "", "Norway"),
        report("r-4", Water).on("2026-02-01").at("Lima", "", "Peru"),
    ];
    running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    running
}

/// Path of the element with a key; empty if there is none.
fn at_key(page: &str, key: &str) -> String {
    let end = format!("data-key=\"{key}\"");
    let link = page.split("<a ").find(|link| link.split('>').next().unwrap().contains(&end));
    let href = link.and_then(|link| link.split("href=\"").nth(1));
    href.map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&")).unwrap_or_default()
}

/// Value of a hidden field of the form that decides.
fn hidden(page: &str, name: &str) -> String {
    let (_, form) = page.split_once("class=\"decide\"").unwrap();
    let (_, rest) = form.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
    rest.split('"').next().unwrap().replace("&amp;", "&")
}

#[tokio::test]
async fn a_page_leads_to_the_reports_beside_it_in_its_list() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let beside = async |id: &str, list: &str| {
        let list: String = url::form_urlencoded::byte_serialize(list.as_bytes()).collect();
        let page = maria.get(&format!("/desk/report?id={id}&list={list}")).await.text();
        let id = |key| {
            let path = at_key(&page, key);
            let id = path.split("id=").nth(1).map(|rest| rest.split('&').next().unwrap());
            id.unwrap_or_default().to_owned()
        };
        (id("k"), id("j"))
    };
    for (list, id, previous, next) in [
        ("", "r-4", "", "r-3"),
        ("", "r-2", "r-3", "r-1"),
        ("type=water", "r-3", "r-4", "r-1"),
        ("order=oldest", "r-3", "r-2", "r-4"),
        ("order=event-newest", "r-1", "", "r-3"),
        ("order=event-newest", "r-3", "r-1", "r-2"),
        // On any page of the list, and of a report that the list does not contain.
        ("limit=1&order=oldest", "r-3", "r-2", "r-4"),
        ("type=water", "r-2", "r-3", "r-1"),
        ("status=REJECTED", "r-2", "", ""),
        ("order=random", "r-2", "", ""),
    ] {
        let expected = (previous.to_owned(), next.to_owned());
        assert_eq!(beside(id, list).await, expected, "{list} {id}");
    }
    // Without a list, there is nothing beside it.
    let page = maria.get("/desk/report?id=r-2").await.text();
    assert_eq!(
        (at_key(&page, "j"), at_key(&page, "o")),
        (String::new(), "/desk#report-r-2".into())
    );
}

#[tokio::test]
async fn a_decision_leads_to_the_next_report_and_at_last_to_the_list() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let mut path = "/desk/report?id=r-3&list=type%3Dwater".to_owned();
    let mut seen = Vec::new();
    while path.starts_with("/desk/report") {
        let page = maria.get(&path).await.text();
        let id = path.split("id=").nth(1).unwrap().split('&').next().unwrap().to_owned();
        let (back, own) = (hidden(&page, "back"), hidden(&page, "page"));
        let one = format!("approve:{id}");
        let decided = maria.send(DECIDE, &[("one", &one), ("back", &back), ("page", &own)]).await;
        assert_eq!(maria.told(), format!("dApproved {id}."));
        path = decided.header("location").to_owned();
        seen.push(id);
    }
    assert_eq!(
        (seen, &*path),
        (vec!["r-3".into(), "r-1".into(), "r-4".into()], "/desk?type=water")
    );
    assert_eq!(maria.ids(&path).await, [""; 0]);
    assert_eq!(maria.ids("/desk").await, ["r-2"]);
}

#[tokio::test]
async fn a_refused_decision_stays_on_the_page_which_names_who_was_first() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let own = "/desk/report?id=r-3&list=";
    let page = maria.get(own).await.text();
    let (back, page) = (hidden(&page, "back"), hidden(&page, "page"));
    assert_eq!((&*back, &*page), ("/desk/report?id=r-2&list=", own));
    let approve = [("one", "approve:r-3"), ("back", &*back), ("page", &*page)];
    let long = "x".repeat(501);
    let refused = maria.send(DECIDE, &[&approve[..], &[("note", &long)]].concat()).await;
    assert_eq!(refused.header("location"), own);
    jo.send(DECIDE, &[("one", "reject:r-3"), ("reason", "Test")]).await;
    let late = maria.send(DECIDE, &approve).await;
    assert_eq!(late.header("location"), own);
    let page = plain(&maria.get(own).await.text());
    let status = "<dd>rejected: Jo rejected it on 1 Mar 2026, 12:00 UTC (Test)</dd>";
    assert!(page.contains(status), "{page}");
}

#[tokio::test]
async fn a_correction_keeps_the_list_and_the_last_decision_is_undone_on_its_page() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let correction = [
        ("id", "r-3"),
        ("list", "type=water"),
        ("correction[kind]", "water"),
        ("correction[city]", "Oslo"),
        ("correction[region]", ""),
        ("correction[country]", "Norway"),
        ("correction[people]", "2"),
        ("correction[event_date]", "2026-02-05"),
        ("correction[lat]", ""),
        ("correction[lng]", ""),
    ];
    let own = "/desk/report?id=r-3&list=type%3Dwater";
    assert!(!maria.get(own).await.text().contains("data-key=\"u\""));
    let corrected = maria.send("/desk/do/correct", &correction).await;
    assert_eq!(corrected.header("location"), own);
    maria.send(DECIDE, &[("one", "reject:r-3")]).await;
    let next = maria.get("/desk/report?id=r-1&list=type%3Dwater").await.text();
    let (_, form) = next.split_once("class=\"last\"").unwrap();
    let value = |name: &str| {
        let (_, rest) = form.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
        rest.split('"').next().unwrap().replace("&amp;", "&")
    };
    let (entry, back) = (value("entry"), value("back"));
    let undone = maria.send("/desk/do/undo", &[("entry", &entry), ("back", &back)]).await;
    assert_eq!(undone.header("location"), own, "back to the report that waits again");
    assert_eq!(maria.ids("/desk").await, ["r-4", "r-3", "r-2", "r-1"]);
    let jo = Browser::of(&running, "Jo", Scope::Read).await;
    assert!(!jo.get(own).await.text().contains("data-key=\"u\""));
}
