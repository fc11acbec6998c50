use domain::scope::Scope;
use model::ReportType::{Spirit, Water};
use reqwest::Method;
use store::Mode;

use crate::{
    desk::{Browser, running},
    harness::{But, Running, report},
};

const DECIDE: &str = "/desk/do/decide";

/// Service in which Maria has approved one report, rejected two and corrected one, and Jo has
/// withdrawn one.
async fn worked() -> Running {
    let running = running().await;
    let reports = ["r-1", "r-2", "r-3"].map(|id| report(id, Water).on("2026-02-01"));
    running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    maria.send(DECIDE, &[("one", "approve:r-1")]).await;
    maria.send(DECIDE, &[("ids[]", "r-2"), ("ids[]", "r-3"), ("step", "reject")]).await;
    let correction = [
        ("id", "r-2"),
        ("correction[kind]", "spirit"),
        ("correction[city]", "Bergen"),
        ("correction[region]", ""),
        ("correction[country]", "Norway"),
        ("correction[people]", "4"),
        ("correction[event_date]", "2026-02-11"),
        ("correction[lat]", ""),
        ("correction[lng]", ""),
    ];
    maria.send("/desk/do/correct", &correction).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    jo.send(DECIDE, &[("one", "withdraw:r-1")]).await;
    running
}

/// Text of a page's entries, newest first, without times and origins.
fn entries(page: &str) -> Vec<String> {
    let lists = page.split("<ol class=\"history\">").skip(1);
    let lists = lists.filter_map(|rest| rest.split_once("</ol>")).map(|(list, _)| list);
    let entries = lists.flat_map(|list| list.split("<li>").skip(1).map(str::to_owned));
    let text = |entry: String| {
        let (_, shown) = entry.split_once("</time>").unwrap();
        let (shown, _) = shown.split_once("<span class=\"from\">").unwrap();
        let shown = shown.replace("<span class=\"changes\">", " | ");
        let parts =
            shown.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        parts.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    entries.map(text).collect()
}

#[tokio::test]
async fn who_did_what_is_found_in_words_with_links() {
    let running = worked().await;
    let ada = Browser::of(&running, "Ada", Scope::Read).await;
    let found = async |query: &str| {
        let page = ada.get(&format!("/desk/audit?{query}")).await;
        assert_eq!(page.status, 200);
        assert!(!page.text().contains("{&quot;") && !page.text().contains("{\""), "JSON");
        entries(&page.text().replace("<!>", ""))
    };
    assert_eq!(found("subject=r-1").await, ["Jo withdrew r-1", "Maria approved r-1"]);
    assert_eq!(found("subject=+r-1+&action=reports.approve").await, ["Maria approved r-1"]);
    let of_one = found("subject=r-2").await;
    assert!(of_one[0].starts_with("Maria corrected r-2 | "), "{of_one:?}");
    assert!(of_one[0].contains("city: "), "{of_one:?}");
    assert!(of_one[0].contains("date: 1 Feb 2026 → 11 Feb 2026"), "{of_one:?}");
    assert_eq!(of_one[1..], ["Maria rejected 2 reports"]);
    assert_eq!(found("actor=Jo&action=reports.withdraw").await, ["Jo withdrew r-1"]);
    assert_eq!(found("actor=Jo&to=2026-02-28").await, [""; 0]);
    assert_eq!(found("actor=Jo&from=2026-03-01&to=2026-03-01").await.len(), 2);
    assert_eq!(found("").await.len(), 7, "with three sessions");

    let page = ada.get("/desk/audit?subject=r-").await.text();
    assert!(page.contains("<a href=\"/desk/report?id=r-1\"><bdi>r-1</bdi></a>"), "{page}");
    assert!(page.contains("<option value=\"Maria\">"), "{page}");
    let several = ada.get("/desk/audit?action=reports.reject").await.text();
    let (_, link) = several.split_once("<a href=\"/desk/audit/entry?id=").unwrap();
    let entry = link.split('"').next().unwrap();
    let reports = ada.get(&format!("/desk/audit/entry?id={entry}")).await.text().replace("<!>", "");
    for expected in [
        "<h1><bdi>Maria</bdi> rejected <bdi>2 reports</bdi></h1>",
        "<bdi>r-2</bdi></a>",
        "<bdi>r-3</bdi></a>",
        "now rejected",
    ] {
        assert!(reports.contains(expected), "{expected} is not in {reports}");
    }
    for unknown in ["", "x", "4711"] {
        let page = ada.get(&format!("/desk/audit/entry?id={unknown}")).await.text();
        assert!(page.contains("There is no such entry."), "{page}");
    }
    let nothing = ada.get("/desk/audit?subject=zzz").await.text();
    assert!(nothing.contains("No entry matches."), "{nothing}");
    let wrong = ada.get("/desk/audit?from=yesterday").await.text();
    assert!(wrong.contains("give a date that exists, as YYYY-MM-DD"), "{wrong}");
}

#[tokio::test]
async fn the_audit_is_read_page_by_page() {
    let running = worked().await;
    let ada = Browser::of(&running, "Ada", Scope::Read).await;
    let all = entries(&ada.get("/desk/audit").await.text().replace("<!>", ""));
    let (mut path, mut read) = ("/desk/audit?limit=3".to_owned(), Vec::new());
    loop {
        let page = ada.get(&path).await.text().replace("<!>", "");
        read.extend(entries(&page));
        let links = page.split("href=\"").filter_map(|rest| rest.split_once("\">More</a>"));
        let Some((next, _)) = links.last() else { break };
        path = next.rsplit("href=\"").next().unwrap().replace("&amp;", "&");
    }
    assert_eq!(read, all);
}

#[tokio::test]
async fn the_history_of_a_report_and_the_overview_are_in_the_same_words() {
    let running = worked().await;
    let ada = Browser::of(&running, "Ada", Scope::Read).await;
    let report = entries(&ada.get("/desk/report?id=r-2").await.text().replace("<!>", ""));
    assert!(
        report[0].starts_with("Maria corrected | type: water → spirit; city: Campinas → Bergen; "),
        "{report:?}"
    );
    assert_eq!(report[1..], ["Maria rejected 2 reports"]);
    let overview = entries(&ada.get("/desk/overview").await.text().replace("<!>", ""));
    assert!(overview.iter().any(|line| line == "Maria approved r-1"), "{overview:?}");
    let is_sign_in = |line: &String| line.starts_with("Ada signed in with the key svc_");
    assert!(overview.iter().any(is_sign_in), "{overview:?}");
}

#[tokio::test]
async fn reports_are_counted_by_person_and_day() {
    let running = worked().await;
    let ada = Browser::of(&running, "Ada", Scope::Read).await;
    let page = ada.get("/desk/audit?by=day").await.text();
    let (_, body) = page.split_once("<tbody>").unwrap();
    let rows = body.split("<tr").skip(1).map(|row| {
        let parts = row.split('<').filter_map(|part| part.split_once('>'));
        parts
            .map(|(_, text)| text)
            .filter(|text| !text.is_empty())
            .take(6)
            .collect::<Vec<_>>()
            .join(" ")
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "Last 14 days Jo 0 0 1 0",
            "Last 14 days Maria 1 2 0 1",
            "1 Mar 2026 Jo 0 0 1 0",
            "1 Mar 2026 Maria 1 2 0 1",
        ]
    );
    assert!(page.contains("/desk/audit?actor=Jo&amp;from=2026-03-01&amp;to=2026-03-01"), "{page}");
    running.clock.advance(std::time::Duration::from_secs(14 * 86_400));
    let later = Browser::of(&running, "Ada", Scope::Read).await;
    let empty = later.get("/desk/audit?by=day").await.text();
    assert!(empty.contains("Nobody has decided on a report in the last 14 days."), "{empty}");
}

#[tokio::test]
async fn what_is_shown_can_be_downloaded() {
    let running = worked().await;
    let ada = Browser::of(&running, "=Ada", Scope::Moderate).await;
    ada.send(DECIDE, &[("one", "reopen:r-1")]).await;
    let file = ada.get("/desk/audit.csv?subject=r-1").await;
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"audit.csv\"");
    let at = "2026-03-01T12:00:00";
    let lines: Vec<String> = file.text().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "\u{FEFF}time,person,action,subject,changes,from");
    // A name that could be a formula is marked as text.
    assert!(lines[1].starts_with(at), "{lines:?}");
    assert!(lines[1].contains(",'=Ada,reopened,r-1,status: withdrawn → pending,"), "{lines:?}");
    assert!(lines[2].contains(",Jo,withdrew,r-1,,"), "{lines:?}");
    assert!(lines[3].contains(",Maria,approved,r-1,,"), "{lines:?}");
    assert_eq!(lines.len(), 4);
    let wrong = ada.get("/desk/audit.csv?from=yesterday").await;
    assert_eq!(wrong.status, 400);
    let nobody = Browser::new(&running).get("/desk/audit.csv").await;
    assert_eq!(nobody.status, 401);
}

#[tokio::test]
async fn the_audit_is_in_the_persons_language_and_its_file_in_english() {
    let running = worked().await;
    let ada = Browser::of(&running, "Ada", Scope::Read).await;
    let read = async |path: &str, lang: &str| {
        let request = ada.request(Method::GET, path);
        running.ask(request, &[("accept-language", lang)]).await.text().replace("<!>", "")
    };
    for (lang, rejected, corrected) in [
        ("de", "Maria: 2 Berichte abgelehnt", "Datum: 1. Feb. 2026 → 11. Feb. 2026"),
        ("fr", "Maria a rejeté 2 signalements", "date\u{202f}: 1 févr. 2026 → 11 févr. 2026"),
        ("ar", "Maria: رفض بلاغين", "التاريخ: 1 فبراير 2026 ← 11 فبراير 2026"),
    ] {
        let found = entries(&read("/desk/audit?subject=r-2", lang).await);
        assert_eq!(found[1], rejected);
        // The helper joins words by plain spaces.
        let corrected = corrected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(found[0].contains(&corrected), "{found:?}");
        let file = read("/desk/audit.csv?subject=r-2", lang).await;
        assert!(file.contains(",Maria,corrected,r-2,type: water → spirit; "), "{file}");
        assert!(file.contains(",Maria,rejected,2 reports,,"), "{file}");
    }
    let wrong = read("/desk/audit?from=2026-02-02&to=2026-02-01", "es").await;
    assert!(wrong.contains("Las fechas no son posibles"), "{wrong}");
}

/// More entries than are read at once.
#[tokio::test]
async fn a_download_of_any_length_has_every_entry_once() {
    let running = running().await;
    let reports: Vec<_> = (0..1_203).map(|n| report(&format!("r-{n}"), Spirit)).collect();
    let store = &running.database.store;
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    let entries = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
        INSERT INTO audit_log (at, actor, origin, action, subject)
        SELECT 1000 + i / 7, 'maria', 'web1', 'reports.reject', 'r-' || i FROM n";
    running.database.tamper(entries).await;
    let ada = Browser::of(&running, "Ada", Scope::Read).await;
    let file = ada.get("/desk/audit.csv?actor=maria").await.text();
    let subjects = file.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().to_owned());
    let expected = (1..=1_203).rev().map(|n| format!("r-{n}"));
    assert_eq!(subjects.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
