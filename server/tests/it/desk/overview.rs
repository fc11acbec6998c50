use domain::scope::Scope;
use model::ReportType::{Both, Spirit, Water};

use store::Mode;

use svc::{
    config::{self, ListenAddress},
    mail::LOOK_EVERY,
};

use super::{Browser, START, running};
use crate::{
    engines::mail::mailing,
    harness::{But, Running, report, soon},
    smtp_server::{Reaction, SmtpServer},
};

/// Text between two others.
fn between<'p>(page: &'p str, before: &str, after: &str) -> &'p str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("no {before} in {page}"));
    rest.split_once(after).unwrap().0
}

/// Rows of the chart's table, newest first.
fn rows(page: &str) -> Vec<Vec<String>> {
    let table = between(page, "aria-label=\"Numbers of the chart\"", "</table>");
    let body = between(table, "<tbody>", "</tbody>");
    let cells = |row: &str| {
        let cells = row.split('<').filter_map(|tag| tag.split_once('>'));
        cells.map(|(_, text)| text.to_owned()).filter(|text| !text.is_empty()).collect()
    };
    body.split("<tr>").skip(1).map(cells).collect()
}

#[tokio::test]
async fn the_overview_shows_what_was_published_by_day_week_and_month() {
    let running = running().await;
    running
        .publish(&[
            report("a", Spirit),
            report("b", Water).on("2026-02-28"),
            report("c", Both).on("2026-02-01"),
            report("d", Water).on("2024-04-30"),
            report("e", Water).on("2024-03-31"),
        ])
        .await;
    let browser = Browser::of(&running, "Ada", Scope::Read).await;
    for (query, length, newest, oldest) in [
        ("", 30, ["1 Mar 2026", "1", "0", "0", "1"], ["31 Jan 2026", "0", "0", "0", "0"]),
        (
            "?interval=day",
            30,
            ["1 Mar 2026", "1", "0", "0", "1"],
            ["31 Jan 2026", "0", "0", "0", "0"],
        ),
        (
            "?interval=week",
            26,
            ["23 Feb 2026 – 1 Mar 2026", "1", "1", "0", "2"],
            ["1 Sep 2025 – 7 Sep 2025", "0", "0", "0", "0"],
        ),
        (
            "?interval=month",
            24,
            ["1 Mar 2026 – 1 Mar 2026", "1", "0", "0", "1"],
            ["1 Apr 2024 – 30 Apr 2024", "0", "1", "0", "1"],
        ),
        (
            "?interval=x",
            30,
            ["1 Mar 2026", "1", "0", "0", "1"],
            ["31 Jan 2026", "0", "0", "0", "0"],
        ),
    ] {
        let answer = browser.get(&format!("/desk/overview{query}")).await;
        assert_eq!(answer.status, 200, "{query}");
        let rows = rows(&answer.text());
        assert_eq!(rows.len(), length, "{query}");
        assert_eq!(rows[0], newest, "{query}");
        assert_eq!(rows[length - 1], oldest, "{query}");
    }
}

#[tokio::test]
async fn the_chart_is_drawn_and_said() {
    let running = running().await;
    running.publish(&[report("a", Spirit), report("b", Water), report("c", Both)]).await;
    let browser = Browser::of(&running, "Ada", Scope::Read).await;
    let page = browser.get("/desk/overview?interval=month").await.text();
    assert!(page.contains("aria-label=\"1 Apr 2024 to 1 Mar 2026: 3 reports\""), "{page}");
    let drawing = between(&page, "role=\"img\"", "</svg>");
    // Each bar is one report high, on a scale of four, in the last of 24 months.
    for bar in ["M9641 750h300v250h-300z", "M9641 500h300v250h-300z", "M9641 250h300v250h-300z"] {
        assert!(drawing.contains(bar), "{bar} is not in {drawing}");
    }
}

#[tokio::test]
async fn plain_links_lead_from_one_chart_to_the_others() {
    let running = running().await;
    let browser = Browser::of(&running, "Ada", Scope::Read).await;
    for (interval, name) in [("day", "Days"), ("week", "Weeks"), ("month", "Months")] {
        let address = format!("/desk/overview?interval={interval}");
        let page = browser.get(&address).await.text();
        let charts = between(&page, "<section class=\"over-time\">", "</section>");
        assert_eq!(charts.matches("aria-current=\"page\"").count(), 1, "{interval}");
        let current = between(charts, "aria-current=\"page\"", "</a>");
        assert!(current.ends_with(&format!(">{name}")), "{interval}: {current}");
        for other in ["day", "week", "month"] {
            let link = format!("href=\"/desk/overview?interval={other}#over-time\"");
            assert!(page.contains(&link), "{link} is not in {page}");
        }
    }
}

#[tokio::test]
async fn the_navigation_says_on_which_page_one_is() {
    let running = running().await;
    let browser = Browser::of(&running, "Ada", Scope::Read).await;
    for (path, name) in
        [("/desk", "Queue"), ("/desk/imports", "Imports"), ("/desk/overview", "Overview")]
    {
        let page = browser.get(path).await.text();
        let nav = between(&page, "<nav aria-label=\"Desk\">", "</nav>");
        let current = between(nav, "aria-current=\"page\">", "</a>");
        assert_eq!((current, nav.matches("aria-current").count()), (name, 1));
    }
}

#[tokio::test]
async fn the_overview_names_mails_and_why_the_last_one_was_not_sent() {
    let silent = running().await;
    let page = Browser::of(&silent, "Ada", Scope::Read).await.get("/desk/overview").await.text();
    assert!(!page.contains("Mails about"), "{page}");
    let server = SmtpServer::start(None).await;
    server.react(Reaction::Refuse);
    let settings = config::Serve { operator_on: ListenAddress::Public, ..mailing(server.address) };
    let running = Running::with(settings, START).await;
    let store = &running.database.store;
    store.reports().import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    let browser = Browser::of(&running, "Ada", Scope::Read).await;
    let problem = "the mail about pending reports was not sent on 1 Mar 2026, 12:0";
    let page = soon("the failure", async {
        loop {
            // The service looks every minute.
            running.clock.advance(LOOK_EVERY);
            tokio::task::yield_now().await;
            let page = browser.get("/desk/overview").await.text();
            if page.contains(problem) {
                break page;
            }
        }
    })
    .await;
    assert!(page.contains("no such mailbox here"), "{page}");
    let about = "Mails about pending reports go to 2 addresses, at most once every 24 hours; none was sent yet.";
    assert!(page.contains(about), "{page}");
}
