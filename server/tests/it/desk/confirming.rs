use domain::scope::Scope;
use model::ReportType::{Spirit, Water};
use store::Mode;

use super::{Browser, confirmed, plain, running};
use crate::harness::{Running, report};

async fn filled() -> Running {
    let running = running().await;
    let reports =
        [report("r-1", Spirit), report("r-2", Spirit), report("r-3", Spirit), report("r-4", Water)];
    running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    running
}

/// Sends a form, and returns the message of the page that follows, which shows it once.
async fn told(browser: &Browser<'_>, function: &str, fields: &[(&str, &str)]) -> String {
    let led = browser.send(&format!("/desk/do/{function}"), fields).await;
    assert_eq!(led.status, 302, "{function}: {}", led.text());
    let read = async || {
        let page = plain(&browser.get(led.header("location")).await.text());
        let messages = ["role=\"status\" class=\"done\">", "role=\"alert\" class=\"trouble\">"];
        let found = messages.iter().find_map(|message| page.split_once(message));
        found.map(|(_, rest)| rest.split_once("</p>").unwrap().0.to_owned())
    };
    let message = read().await.unwrap_or_else(|| panic!("{function} confirms nothing"));
    assert_eq!(read().await, None, "{function}: shown twice");
    message
}

#[tokio::test]
async fn every_form_confirms_what_was_done() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let decide = async |fields: &[(&str, &str)]| told(&maria, "decide", fields).await;
    assert_eq!(decide(&[("one", "approve:r-1")]).await, "Approved r-1.");
    let several = [("ids[]", "r-2"), ("ids[]", "r-3"), ("step", "reject")];
    assert_eq!(decide(&several).await, "Rejected 2 reports.");
    assert_eq!(
        decide(&[("ids[]", "r-1"), ("ids[]", "r-4"), ("step", "reject")]).await,
        "Rejected r-4. r-1: Maria approved it on 1 Mar 2026, 12:00 UTC."
    );
    assert_eq!(
        decide(&[("step", "approve")]).await,
        "Nothing was decided: select at least one report."
    );

    let page = maria.get("/desk").await.text();
    let (_, entry) = page.split_once("name=\"entry\" value=\"").unwrap();
    let undone = told(&maria, "undo", &[("entry", entry.split('"').next().unwrap())]).await;
    assert_eq!(undone, "Undone: 1 report waits for a decision again.");

    let all = maria.get("/desk/all?step=approve&type=water").await.text();
    let fields =
        [("step", "approve"), ("selected", "type=water"), ("confirmed", &*confirmed(&all))];
    assert_eq!(told(&maria, "decide-on-all", &fields).await, "Approved 1 report.");

    let correction = [
        ("id", "r-4"),
        ("correction[kind]", "water"),
        ("correction[city]", "Oslo"),
        ("correction[region]", ""),
        ("correction[country]", "Norway"),
        ("correction[people]", "4"),
        ("correction[event_date]", "2026-02-11"),
        ("correction[lat]", ""),
        ("correction[lng]", ""),
    ];
    assert_eq!(told(&maria, "correct", &correction).await, "Saved.");
    assert_eq!(told(&maria, "sign-out", &[]).await, "You are signed out.");
}

/// The script shows the result itself.
#[tokio::test]
async fn a_script_gets_no_message_for_the_next_page() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    maria.call("/desk/do/decide", &[("ids[]", "r-1"), ("step", "approve")]).await;
    assert_eq!(maria.told(), "");
    let page = maria.get("/desk").await.text();
    assert!(!page.contains("class=\"done\""), "{page}");
}

#[tokio::test]
async fn what_cannot_be_used_is_not_shown() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let empty = maria.get("/desk").await.text();
    assert!(empty.contains("Nothing waits for a decision."), "{empty}");
    assert!(empty.contains("<div hidden class=\"bulk\">"), "{empty}");
    assert!(!empty.contains("All of this list"), "{empty}");
    running.database.store.reports().import(&[report("r-1", Spirit)], Mode::Pending).await.unwrap();
    let page = maria.get("/desk").await.text();
    assert!(page.contains("<div class=\"bulk\"><label hidden>"), "scripts select all");
    assert!(page.contains("<div class=\"keys\"><label hidden"), "scripts handle keys");
    assert!(page.contains("All of this list"));

    let imports = maria.get("/desk/imports").await.text();
    assert!(imports.contains("Nothing has been imported yet."), "{imports}");
    let webhooks = maria.get("/desk/webhooks").await.text();
    assert!(webhooks.contains("No partner has subscribed yet."), "{webhooks}");
    let audit = maria.get("/desk/audit?actor=Nobody").await.text();
    assert!(audit.contains("No entry matches."), "{audit}");
    assert!(!audit.contains("Download as CSV"), "{audit}");
}
