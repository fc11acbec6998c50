//! Lists of reports of every status, with their filters, counts, downloads and saved views.

use domain::{
    report::{NewReport, Step},
    scope::Scope,
};
use model::ReportType::{Spirit, Water};
use store::{Mode, NewSubmission};

use crate::{
    desk::{Browser, running},
    harness::{But, Running, report},
};

/// 130 reports, every tenth of which is from Oslo, and some of which are decided on.
async fn filled() -> Running {
    let running = running().await;
    let reports: Vec<NewReport> = (0..130)
        .map(|number| {
            let report =
                report(&format!("r-{number:03}"), if number % 3 == 0 { Water } else { Spirit });
            let report = report.on(&format!("2026-02-{:02}", 1 + number * 7 % 28));
            if number % 10 == 0 { report.at("Oslo", "", "Norway") } else { report }
        })
        .collect();
    let store = &running.database.store;
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    let ids = |numbers: std::ops::Range<usize>| -> Vec<String> {
        reports[numbers].iter().map(|report| report.id.to_string()).collect()
    };
    for (step, ids) in
        [(Step::Approve, ids(0..12)), (Step::Withdraw, ids(0..2)), (Step::Reject, ids(12..20))]
    {
        store.reports().decide(step, &ids).await.unwrap();
    }
    running
}

/// Visible links of a page with their texts.
fn links(page: &str) -> Vec<(String, String)> {
    let anchors = page.split("<a ").skip(1).filter_map(|rest| rest.split_once("</a>"));
    let anchors = anchors.filter(|(anchor, _)| !anchor.contains(" hidden"));
    let link = |(anchor, _): (&str, &str)| {
        let href = anchor.split("href=\"").nth(1)?.split('"').next()?.replace("&amp;", "&");
        let mut text = String::new();
        for part in anchor.split_once('>')?.1.split('<') {
            text += part.split_once('>').map_or(part, |(_, text)| text);
        }
        Some((href, text.replace("<!>", "").trim().to_owned()))
    };
    anchors.filter_map(link).collect()
}

fn link(page: &str, text: &str) -> String {
    let links = links(page);
    let found = links.iter().find(|(_, own)| own == text);
    found.unwrap_or_else(|| panic!("no link {text:?} among {links:?}")).0.clone()
}

#[tokio::test]
async fn each_report_of_a_list_is_shown_with_its_source() {
    let running = running().await;
    let reports = running.database.store.reports();
    reports.import(&[report("before", Water)], Mode::Pending).await.unwrap();
    let import = reports.begin_import(Some("files.csv"), Mode::Pending).await.unwrap();
    let rows = [report("first", Water), report("second", Water)];
    reports.importing(import, Mode::Pending).next(&rows).await.unwrap();
    reports.import(&[report("after", Water)], Mode::Pending).await.unwrap();
    for (number, id, source) in [(1, "form", "public"), (2, "program", "api:svc_AbCdEfGh")] {
        let submission = NewSubmission {
            report: report(id, Water),
            source: source.to_owned(),
            network: None,
            fingerprint: [number; 32],
            note: String::new(),
            contact: String::new(),
            proof: None,
            quotas: &[],
        };
        reports.submit(&submission).await.unwrap();
    }
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let page = maria.get("/desk").await.text();
    let import = format!("Import {import}");
    for (id, source) in [
        ("before", ""),
        ("first", &*import),
        ("second", &import),
        ("after", ""),
        ("form", "Form"),
        ("program", "Key svc_AbCdEfGh"),
    ] {
        let (_, row) = page.split_once(&format!("id=\"report-{id}\"")).unwrap();
        let (before, shown) = row.split_once("class=\"source\">").unwrap();
        assert_eq!(shown.split('<').next().unwrap().trim(), source, "{id}");
        assert_eq!(before.ends_with("<bdi hidden "), source.is_empty(), "{id}");
    }
}

#[tokio::test]
async fn every_status_is_a_list_with_the_same_filters_and_counts() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Moderate).await;
    let page = browser.get("/desk?country=NO").await.text();
    for (text, expected) in
        [("Pending 110", 11), ("Approved 10", 1), ("Rejected 8", 0), ("Withdrawn 2", 1)]
    {
        let href = link(&page, text);
        assert!(href.contains("country=NO"), "{href}");
        assert_eq!(browser.ids(&href).await.len(), expected, "{text}");
    }
    let page = browser.get("/desk").await.text();
    assert!(page.contains("110 reports wait for a decision."));
    assert_eq!(browser.ids(&link(&page, "Norway 11")).await.len(), 11);
    assert_eq!(browser.ids(&link(&page, "Brazil 99")).await.len(), 50);
    // Types are counted with the other filters.
    let page = browser.get("/desk?country=Norway&type=water").await.text();
    let water = (20..130).filter(|number| number % 30 == 0).count();
    assert!(page.contains(&format!("{water} reports match.")), "{page}");
    assert!(page.contains(&format!("({water})")) && page.contains(&format!("({})", 11 - water)));
    // Only decisions that the status allows are offered.
    let page = browser.get("/desk?status=APPROVED").await.text();
    assert!(page.contains("value=\"withdraw:r-011\"") && !page.contains("approve:"));
    let href = link(&page, "Withdraw 10 reports …");
    assert_eq!(href, "/desk/all?step=withdraw&status=APPROVED");
    let confirm = browser.get(&href).await.text();
    assert!(confirm.contains("Withdraw 10 reports?"), "{confirm}");
}

#[tokio::test]
async fn pages_are_full_and_go_on_in_every_order() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    for order in ["", "&order=oldest", "&order=event-newest", "&order=event-oldest"] {
        let (mut path, mut found, mut pages) =
            (format!("/desk?q=campinas{order}"), Vec::new(), Vec::new());
        loop {
            let ids = browser.ids(&path).await;
            pages.push(ids.len());
            found.extend(ids);
            let page = browser.get(&path).await.text();
            let Some((next, _)) = links(&page).into_iter().find(|(_, text)| text == "More") else {
                break;
            };
            path = next;
        }
        assert_eq!(pages, [50, 49], "{order}");
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 99, "{order}");
    }
    let oldest = browser.ids("/desk?order=event-oldest").await;
    let newest = browser.ids("/desk?order=event-newest").await;
    assert_eq!((oldest[0].as_str(), newest[0].as_str()), ("r-020", "r-127"));
}

#[tokio::test]
async fn a_wrong_filter_is_named_and_the_others_stay() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    for (query, problem) in [
        ("from=2026-02-30&q=oslo", "2026-02-30"),
        ("from=2026-02-03&to=2026-02-01&q=oslo", "from"),
        ("order=random&q=oslo", "The order \"random\" is not one of"),
        ("after=c_1&q=oslo", "This is no page of the list"),
        ("status=LOST&q=oslo", "LOST"),
        ("import=imp_1m8230hv5&q=oslo", "There is no import imp_1m8230hv5."),
    ] {
        let answer = browser.get(&format!("/desk?{query}")).await;
        let page = answer.text();
        let (_, trouble) = page.split_once("role=\"alert\" class=\"trouble\">").expect(query);
        let trouble = trouble.split("</p>").next().unwrap().replace("&quot;", "\"");
        assert!(trouble.contains(problem), "{query}: {trouble}");
        assert_eq!(answer.status, 400, "{query}");
        assert!(page.contains("name=\"q\" type=\"search\" value=\"oslo\""), "{query}");
        assert!(
            !page.contains("wait for a decision") && !page.contains("class=\"bulk\""),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_report_leads_back_to_its_place_in_the_list() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    let list = "/desk?country=Norway&order=oldest&limit=5";
    let page = browser.get(list).await.text();
    let next = link(&page, "More");
    let page = browser.get(&next).await.text();
    let (open, _) = links(&page).into_iter().find(|(href, _)| href.contains("id=r-080")).unwrap();
    let report = browser.get(&open).await.text();
    let back = link(&report, "Back to the list");
    assert_eq!(back, format!("{next}#report-r-080"));
    assert!(browser.get(&next).await.text().contains("id=\"report-r-080\""));
}

#[tokio::test]
async fn a_list_is_downloaded_whole_and_can_be_imported_again() {
    let running = running().await;
    let reports: Vec<NewReport> = (0..1_100)
        .map(|number| NewReport {
            city: if number == 7 { "=1+1".to_owned() } else { "Oslo, \"O\"".to_owned() },
            position: (number % 2 == 0).then_some((59.9, -10.75)),
            ..report(&format!("r-{number}"), Spirit)
        })
        .collect();
    running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    let path = link(&browser.get("/desk?order=oldest").await.text(), "Download as CSV");
    let answer = browser.get(&path).await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"reports.csv\"");
    let text = answer.text();
    let text = text.strip_prefix('\u{FEFF}').unwrap();
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 1_101);
    assert_eq!(
        lines[0],
        "id,type,city,region,country,peopleCount,eventDate,createdAt,lat,lng,status,publishedAt"
    );
    assert_eq!(
        lines[1],
        "r-0,spirit,\"Oslo, \"\"O\"\"\",São Paulo,Brazil,1,2026-03-01,2026-03-01T10:00:00.000Z,59.9,-10.75,PENDING,"
    );
    assert!(lines[8].starts_with("r-7,spirit,'=1+1,"), "{}", lines[8]);
    let nobody = Browser::new(&running);
    assert_eq!(nobody.get(&path).await.status, 401);
}

#[tokio::test]
async fn lists_are_saved_under_a_name_for_their_owner_only() {
    let running = filled().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    let query = "status=APPROVED&country=Norway";
    let page = browser.get(&format!("/desk?{query}&after=c_1")).await;
    assert_eq!(page.status, 400);
    let save = [("name", " Norway & more "), ("query", "status=APPROVED&country=Norway&city=")];
    let answer = browser.send("/desk/do/save-view", &save).await;
    assert_eq!((answer.status, answer.header("location")), (302, &*format!("/desk?{query}")));
    assert_eq!(browser.told(), "dSaved as \u{201c}Norway & more\u{201d}.");
    let page = browser.get("/desk").await.text();
    assert_eq!(link(&page, "Norway &amp; more"), format!("/desk?{query}"));
    assert!(browser.get(&format!("/desk?{query}")).await.text().contains("Remove this view"));
    let other = Browser::of(&running, "Jo", Scope::Read).await;
    assert!(!other.get("/desk").await.text().contains("Norway &amp; more"));
    for (name, query) in [("", query), ("x", "from=yesterday"), (&*"x".repeat(61), query)] {
        let answer = browser.send("/desk/do/save-view", &[("name", name), ("query", query)]).await;
        assert_eq!(answer.status, 302);
        assert!(browser.told().starts_with('t'), "{name:?} {query:?}: {}", browser.told());
    }
    let answer = browser.send("/desk/do/remove-view", &[("name", "Norway & more")]).await;
    assert_eq!(answer.status, 302);
    assert!(!browser.get("/desk").await.text().contains(">Norway &amp; more<"));
    for number in 0..20 {
        let name = number.to_string();
        browser.send("/desk/do/save-view", &[("name", &*name), ("query", query)]).await;
        assert!(browser.told().starts_with('d'), "{}", browser.told());
    }
    browser.send("/desk/do/save-view", &[("name", "one more"), ("query", query)]).await;
    assert_eq!(browser.told(), "tYou have 20 views already: remove one first.");
}
