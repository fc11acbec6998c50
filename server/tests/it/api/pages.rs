//! Pages of the list of reports, and the links between them.

use std::collections::BTreeSet;

use domain::report::NewReport;
use model::ReportType::{Spirit, Water};
use serde_json::Value;
use store::Mode;
use url::Url;

use crate::harness::{Answer, But, Running, START, reached_at, report};

const LIST: &str = "/api/v1/reports";

fn ids(answer: &Answer) -> Vec<String> {
    let body: Value = answer.json();
    let reports = body["reports"].as_array().unwrap().iter();
    reports.map(|report| report["id"].as_str().unwrap().to_owned()).collect()
}

/// Path of a link in the response to `path`.
fn link(path: &str, answer: &Answer, relation: &str) -> Option<String> {
    let base = Url::parse("http://example.org").unwrap().join(path).unwrap();
    let end = format!(">; rel=\"{relation}\"");
    let target = answer.header("link").split(", ").find_map(|link| link.strip_suffix(&end))?;
    let url = base.join(target.strip_prefix('<').unwrap()).unwrap();
    Some(url[url::Position::BeforePath..].to_owned())
}

/// Ids of the reports on each page of a list.
async fn pages(running: &Running, path: &str) -> Vec<Vec<String>> {
    let (mut pages, mut next) = (Vec::new(), Some(path.to_owned()));
    while let Some(path) = next {
        let answer = running.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        pages.push(ids(&answer));
        next = link(&path, &answer, "next");
    }
    pages
}

/// Reports `r000`, `r001` and so on, in list order if they are published together.
fn numbered(range: std::ops::Range<usize>) -> Vec<NewReport> {
    range.map(|number| report(&format!("r{number:03}"), Spirit)).collect()
}

fn sizes(pages: &[Vec<String>]) -> Vec<usize> {
    pages.iter().map(Vec::len).collect()
}

#[tokio::test]
async fn a_burst_of_one_moment_is_listed_completely_each_report_once() {
    let running = Running::new().await;
    running.publish(&numbered(0..500)).await;
    let expected: Vec<String> =
        numbered(0..500).into_iter().map(|report| report.id.to_string()).collect();
    for (path, size) in [
        (LIST.to_owned(), 20),
        (format!("{LIST}?limit=100"), 100),
        (format!("{LIST}?limit=99&country=BR"), 99),
        (format!("{LIST}?limit=77&since={START}&from=2026-03-01&city=campinas"), 77),
    ] {
        let pages = pages(&running, &path).await;
        assert!(pages.iter().rev().skip(1).all(|page| page.len() == size), "{path}");
        assert_eq!(pages.concat(), expected, "{path}");
    }
}

#[tokio::test]
async fn few_matches_among_many_reports_have_pages_too() {
    let running = Running::new().await;
    let oslo = |number: usize| report(&format!("oslo{number}"), Water).at("Oslo", "", "NO");
    running.publish(&numbered(0..300)).await;
    running.publish(&(0..5).map(oslo).collect::<Vec<_>>()).await;
    let pages = pages(&running, &format!("{LIST}?limit=2&city=oslo")).await;
    assert_eq!(pages, [vec!["oslo0", "oslo1"], vec!["oslo2", "oslo3"], vec!["oslo4"]]);
}

#[tokio::test]
async fn the_last_page_has_no_next_one_however_many_reports_there_are() {
    let running = Running::new().await;
    assert_eq!(running.get(LIST).await.header("link"), "", "nothing to follow");
    running.publish(&numbered(0..40)).await;
    assert_eq!(sizes(&pages(&running, LIST).await), [20, 20]);
    assert_eq!(sizes(&pages(&running, &format!("{LIST}?limit=10")).await), [10; 4]);
    assert_eq!(sizes(&pages(&running, &format!("{LIST}?limit=40")).await), [40]);
    assert_eq!(sizes(&pages(&running, &format!("{LIST}?limit=39")).await), [39, 1]);
    assert_eq!(sizes(&pages(&running, &format!("{LIST}?limit=100")).await), [40]);
}

#[tokio::test]
async fn pages_stay_as_they_are_while_reports_arrive_and_are_withdrawn() {
    let running = Running::new().await;
    running.publish(&numbered(0..60)).await;
    let first = running.get(LIST).await;
    let second = link(LIST, &first, "next").unwrap();
    let before = running.get(&second).await;
    running.clock.advance(std::time::Duration::from_secs(1));
    running.publish(&numbered(100..150)).await;
    let after = running.get(&second).await;
    assert_eq!((ids(&after), after.header("link")), (ids(&before), before.header("link")));
    // The report before the first of the page may be withdrawn.
    running.withdraw("r019").await;
    assert_eq!(ids(&running.get(&second).await), ids(&before));
    // History older than the page comes after it in the list.
    running.backfill(&[report("old", Spirit).created("2020-01-01T00:00:00Z")]).await;
    assert_eq!(ids(&running.get(&second).await), ids(&before));
    let rest = pages(&running, &second).await.concat();
    assert_eq!((rest.len(), rest.last().unwrap().as_str()), (41, "old"));
}

#[tokio::test]
async fn links_keep_the_other_parameters_and_escape_them() {
    let running = Running::new().await;
    let city = "Tür & Angel>; rel=\"x\", +100%";
    let reports: Vec<NewReport> =
        numbered(0..3).into_iter().map(|one| one.at(city, "", "Ü & Söhne")).collect();
    running.publish(&reports).await;
    let query = "country=%C3%9C+%26%20S%C3%B6hne\
                 &city=T%C3%BCr%20%26+Angel%3E;%20rel=%22x%22,%20%2B100%25\
                 &from=2026-01-01&to=2026-12-31&since=2026-03-01T13:00:00%2B01:00&limit=2&utm=x";
    let path = format!("{LIST}?{query}");
    let answer = running.get(&path).await;
    let kept = "country=%C3%9C+%26+S%C3%B6hne\
                &city=T%C3%BCr+%26+Angel%3E%3B+rel%3D%22x%22%2C+%2B100%25\
                &from=2026-01-01&to=2026-12-31";
    let page = answer.header("link").split_once("&page=").unwrap().1.split_once('>').unwrap().0;
    assert_eq!(
        answer.header("link"),
        format!(
            "<reports?{kept}&since=2026-03-01T13%3A00%3A00%2B01%3A00&limit=2&page={page}>; \
             rel=\"next\", <reports?{kept}&limit=2&since=2026-03-01T12%3A00%3A00.000Z>; \
             rel=\"current\""
        )
    );
    assert_eq!(pages(&running, &path).await, [vec!["r000", "r001"], vec!["r002"]]);
}

#[tokio::test]
async fn each_spelling_of_a_place_gets_links_of_its_own() {
    let running = Running::new().await;
    running.publish(&numbered(0..3)).await;
    for country in ["BR", "brasil", "Brazil"] {
        let answer = running.get(&format!("{LIST}?limit=1&country={country}")).await;
        let kept = format!("<reports?limit=1&country={country}&page=");
        assert!(answer.header("link").starts_with(&kept), "{}", answer.header("link"));
    }
}

#[tokio::test]
async fn a_page_of_another_filter_goes_on_after_the_same_place_in_the_list() {
    let running = Running::new().await;
    let oslo = numbered(10..13).into_iter().map(|one| one.at("Oslo", "", "NO"));
    running.publish(&numbered(0..20).into_iter().take(10).chain(oslo).collect::<Vec<_>>()).await;
    let path = format!("{LIST}?limit=11");
    let next = link(&path, &running.get(&path).await, "next").unwrap();
    let page = next.split_once("page=").unwrap().1;
    let answer = running.get(&format!("{LIST}?country=NO&page={page}")).await;
    assert_eq!(ids(&answer), ["r011", "r012"]);
}

#[tokio::test]
async fn a_page_that_is_not_from_a_link_is_refused() {
    let running = Running::new().await;
    running.publish(&numbered(0..3)).await;
    let path = format!("{LIST}?limit=1");
    let next = link(&path, &running.get(&path).await, "next").unwrap();
    let page = next.split_once("page=").unwrap().1;
    let other = page.replacen(&page[..1], if page.starts_with('B') { "C" } else { "B" }, 1);
    for wrong in
        ["", "2", "x", "garbage", "%F0%9F%92%A7", &page[1..], &page[..page.len() - 1], &other]
    {
        let answer = running.get(&format!("{LIST}?page={wrong}")).await;
        let problem = answer.json();
        assert_eq!(
            (answer.status, &problem["code"]),
            (400, &"INVALID_PARAMETER".into()),
            "{wrong}"
        );
        let shown = if wrong.starts_with('%') { "💧" } else { wrong };
        assert_eq!(
            problem["detail"],
            format!(
                "\"page\" is {shown:?}, which is not from a Link of this service: follow the links \
                 unchanged, or leave it out to begin at the newest report."
            )
        );
    }
    let twice = running.get(&format!("{LIST}?page={page}&page={page}")).await.json();
    assert_eq!(twice["detail"], "\"page\" is given more than once.");
    let long = running.get(&format!("{LIST}?page={}", "A".repeat(1_025))).await.json();
    assert_eq!(long["detail"], "The value of \"page\" has 1025 characters; the maximum is 1024.");
}

#[tokio::test]
async fn ids_of_any_length_and_letters_have_pages() {
    let running = Running::new().await;
    let long = |last: char| report(&format!("{}{last}", "\u{10FFFD}".repeat(127)), Spirit);
    running.publish(&[long('a'), long('b'), long('\u{10FFFD}')]).await;
    assert_eq!(sizes(&pages(&running, &format!("{LIST}?limit=1")).await), [1, 1, 1]);
}

#[tokio::test]
async fn the_current_link_leads_to_what_is_published_later_and_to_what_has_the_same_time() {
    let running = Running::new().await;
    running.publish(&numbered(10..15)).await;
    let path = format!("{LIST}?limit=2&country=BR");
    let first = running.get(&path).await;
    let current = link(&path, &first, "current").unwrap();
    // Reports listed before appear again, because later ones could have the same time.
    running
        .publish(&[report("r000", Spirit), report("r012b", Spirit), report("r999", Spirit)])
        .await;
    let found = pages(&running, &current).await.concat();
    assert_eq!(found, ["r000", "r012b", "r999", "r010", "r011", "r012", "r013", "r014"]);
    running.clock.advance(std::time::Duration::from_secs(1));
    running.publish(&numbered(20..23)).await;
    let later = running.get(&current).await;
    let moved = link(&current, &later, "current").unwrap();
    assert_eq!(pages(&running, &moved).await, [vec!["r020", "r021"], vec!["r022"]]);
    // Only the first page has the link: the newest report of a later page is not the newest of the list.
    let second = link(&path, &first, "next").unwrap();
    assert_eq!(link(&second, &running.get(&second).await, "current"), None);
    // The position never moves back, even if all selected reports are withdrawn.
    for id in ["r020", "r021", "r022"] {
        running.withdraw(id).await;
    }
    let empty = running.get(&moved).await;
    assert_eq!(ids(&empty), [""; 0]);
    assert_eq!(link(&moved, &empty, "current"), Some(moved));
}

#[tokio::test]
async fn links_come_with_every_form_of_the_answer() {
    let running = Running::new().await;
    running.publish(&numbered(0..30)).await;
    for path in [LIST.to_owned(), format!("{LIST}?limit=20"), format!("{LIST}?city=campinas")] {
        let answer = running.get(&path).await;
        let links = answer.header("link").to_owned();
        assert!(links.contains("; rel=\"next\", <reports?"), "{path}: {links}");
        let known = [("if-none-match", answer.header("etag"))];
        let unchanged = running.get_with(&path, &known).await;
        assert_eq!((unchanged.status, unchanged.header("link")), (304, &*links), "{path}");
        let packed = running.get_with(&path, &[("accept-encoding", "gzip")]).await;
        assert_eq!((packed.header("content-encoding"), packed.header("link")), ("gzip", &*links));
        let head = running.ask(running.http.head(running.url(&path)), &[]).await;
        assert_eq!((head.status, head.header("link")), (200, &*links), "{path}");
        assert!(
            answer.header("access-control-expose-headers").split(',').any(|name| name == "link")
        );
    }
}

#[tokio::test]
async fn an_unchanged_page_that_gets_a_next_one_says_so() {
    let running = Running::new().await;
    running.publish(&numbered(0..20)).await;
    let answer = running.get(LIST).await;
    assert_eq!(link(LIST, &answer, "next"), None);
    running.backfill(&[report("old", Spirit).created("2020-01-01T00:00:00Z")]).await;
    let again = running.get_with(LIST, &[("if-none-match", answer.header("etag"))]).await;
    assert_eq!(again.status, 304);
    let next = link(LIST, &again, "next").unwrap();
    assert_eq!(ids(&running.get(&next).await), ["old"]);
}

#[tokio::test]
async fn links_are_right_below_a_path() {
    let running = Running::with(reached_at("https://example.org/a/b"), START).await;
    running.publish(&numbered(0..30)).await;
    for base in ["/a/b", ""] {
        let path = format!("{base}{LIST}");
        let next = link(&path, &running.get(&path).await, "next").unwrap();
        assert!(next.starts_with(&path), "{next}");
        assert_eq!(ids(&running.get(&next).await).len(), 10, "{next}");
    }
}

#[tokio::test]
async fn a_client_that_follows_links_misses_nothing_that_other_processes_publish() {
    let running = Running::new().await;
    let elsewhere = running.database.elsewhere().await;
    elsewhere.reports().import(&numbered(0..45), Mode::Approve).await.unwrap();
    running.service.app.snapshots.refresh().await;
    let (mut seen, mut next) = (BTreeSet::new(), Some(format!("{LIST}?limit=10")));
    let mut step = 0;
    let mut current = None;
    while let Some(path) = next {
        let answer = running.get(&path).await;
        seen.extend(ids(&answer));
        current = current.or(link(&path, &answer, "current"));
        next = link(&path, &answer, "next");
        step += 1;
        elsewhere
            .reports()
            .import(&[report(&format!("new{step}"), Water)], Mode::Approve)
            .await
            .unwrap();
        running.service.app.snapshots.refresh().await;
    }
    seen.extend(pages(&running, &current.unwrap()).await.concat());
    assert_eq!(seen.len(), 45 + step);
}

#[tokio::test]
async fn every_form_of_the_answer_says_that_the_list_has_to_be_read_again() {
    let running = Running::new().await;
    running.publish(&numbered(0..30)).await;
    let paths = [
        LIST.to_owned(),
        format!("{LIST}?limit=20"),
        format!("{LIST}?city=campinas&limit=5"),
        format!("{LIST}?city=oslo"),
        format!("{LIST}?since=2030-01-01T00:00:00Z"),
    ];
    let mut revisions = Vec::new();
    for step in 0..4 {
        match step {
            0 => {}
            1 => running.publish(&numbered(30..31)).await,
            2 => {
                let old =
                    report("old", Spirit).created("2020-01-01T00:00:00Z").at("Lima", "", "PE");
                running.backfill(&[old]).await;
            }
            _ => running.withdraw("old").await,
        }
        let mut seen = BTreeSet::new();
        for path in &paths {
            let answer = running.get(path).await;
            let known = [("if-none-match", answer.header("etag"))];
            let unchanged = running.get_with(path, &known).await;
            assert_eq!((answer.status, unchanged.status), (200, 304), "{path}");
            let head = running.ask(running.http.head(running.url(path)), &[]).await;
            for answer in [answer, unchanged, head] {
                seen.insert(answer.header("reports-revision").parse::<i64>().unwrap());
            }
        }
        let [revision] = Vec::from_iter(seen)[..] else { panic!("they differ") };
        revisions.push(revision);
    }
    let moved: Vec<i64> = revisions.iter().map(|revision| revision - revisions[0]).collect();
    assert_eq!(moved, [0, 0, 1, 2]);
}

/// Clients that poll a page depend on this.
#[tokio::test]
async fn a_304_to_a_tag_from_before_a_withdrawal_has_the_revision_from_after_it() {
    let running = Running::new().await;
    running.backfill(&numbered(0..30)).await;
    let path = format!("{LIST}?limit=5");
    let before = running.get(&path).await;
    running.withdraw("r020").await;
    let after = running.get_with(&path, &[("if-none-match", before.header("etag"))]).await;
    assert_eq!(after.status, 304);
    let revision = |answer: &Answer| answer.header("reports-revision").parse::<i64>().unwrap();
    assert_eq!(revision(&after), revision(&before) + 1);
}
