use serde_json::json;

use crate::harness::Running;

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const NOWHERE: [&str; 6] =
    ["/nope", "/docs/nothing", "/embed/x", "/embed/", "/assets/x.js", "/docs/send/nothing"];

#[tokio::test]
async fn people_who_get_lost_see_a_page_that_leads_on() {
    let running = Running::new().await;
    for path in NOWHERE {
        let answer = running.get_with(path, &[("accept", BROWSER)]).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        let html = answer.text();
        assert!(html.starts_with("<!DOCTYPE html>"), "{path}: {html}");
        for link in ["href=\"/\"", "href=\"/docs\""] {
            assert!(html.contains(link), "{link} for {path}: {html}");
        }
        for widget in ["/embed/metrics", "/embed/feed", "/embed/globe", "/embed/trend"] {
            let named = html.contains(&format!("href=\"{widget}\""));
            assert_eq!(named, path.starts_with("/embed/"), "{widget} for {path}: {html}");
        }
        // The page contains no part of the path, so it is the same for all paths.
        assert!(!html.contains("nope") && !html.contains("x.js"), "{path}: {html}");
    }
}

#[tokio::test]
async fn programs_keep_the_problem_and_caches_are_told_what_decides() {
    let running = Running::new().await;
    for path in NOWHERE {
        for accept in ["*/*", "application/json", "application/json, text/plain, */*", BROWSER] {
            let answer = running.get_with(path, &[("accept", accept)]).await;
            let mut vary = answer.headers.get_all("vary").iter();
            assert!(vary.any(|name| name == "accept"), "{accept} at {path}");
            if accept != BROWSER {
                assert_eq!(answer.status, 404, "{accept} at {path}");
                assert_eq!(
                    answer.header("content-type"),
                    "application/problem+json; charset=utf-8",
                    "{accept} at {path}"
                );
                assert_eq!(answer.json()["code"], "NOT_FOUND");
            }
        }
    }
}

#[tokio::test]
async fn the_api_and_oembed_answer_json_whatever_is_accepted() {
    let running = Running::new().await;
    for path in ["/api/v1/nothing", "/api/nothing", "/oembed?url=https://evil.example/"] {
        let answer = running.get_with(path, &[("accept", BROWSER)]).await;
        assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("NOT_FOUND")), "{path}");
    }
}

#[tokio::test]
async fn the_page_is_fenced_in_and_shown_in_the_frame_of_an_unknown_widget() {
    let running = Running::new().await;
    for (path, ancestors) in
        [("/nope", "frame-ancestors 'self'"), ("/embed/x", "frame-ancestors *")]
    {
        let answer = running.get_with(path, &[("accept", BROWSER)]).await;
        let policy = answer.header("content-security-policy").to_owned();
        assert!(
            policy.starts_with("default-src 'none'") && policy.ends_with(ancestors),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    let framed = running.get_with("/embed/x", &[("accept", BROWSER)]).await;
    assert_eq!(framed.header("cross-origin-embedder-policy"), "require-corp");
}

#[tokio::test]
async fn a_form_sent_nowhere_is_answered_in_the_same_way() {
    let running = Running::new().await;
    for path in ["/nope", "/embed/x"] {
        let request = running.http.post(running.url(path));
        let answer = running.ask(request, &[("accept", BROWSER)]).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
    }
}
