use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::Running;

/// Splits a response into status line, headers and body.
fn parts(response: &str) -> (&str, &str, Value) {
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let (status, headers) = head.split_once("\r\n").unwrap();
    (status, headers, serde_json::from_str(body).unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let running = Running::new().await;
    for (headers, detail) in [
        ("", "The Host header is missing."),
        ("Host: a\r\nHost: a\r\n", "There is more than one Host header."),
        ("Host: a\r\nHost: b\r\n", "There is more than one Host header."),
    ] {
        for path in ["/api/v1/metrics", "/", "/embed.js"] {
            let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
            let response = running.send(request).await;
            let (status, _, body) = parts(&response);
            assert_eq!(status, "HTTP/1.1 400 Bad Request");
            assert_eq!(
                body,
                json!({
                    "type": "/docs/errors#MALFORMED_REQUEST",
                    "title": "The request is not valid HTTP",
                    "status": 400,
                    "detail": detail,
                    "code": "MALFORMED_REQUEST",
                })
            );
        }
    }
    let old = running.send("GET /api/v1/metrics HTTP/1.0\r\n\r\n").await;
    assert_eq!(parts(&old).0, "HTTP/1.0 200 OK", "HTTP/1.0 requires no Host");
}

#[tokio::test]
async fn a_request_for_a_whole_url_is_for_the_host_of_the_url_whatever_host_says() {
    let running = Running::new().await;
    for (target, version, headers, base) in [
        ("/robots.txt", "1.1", "Host: b.example\r\n", "http://b.example"),
        ("http://a.example/robots.txt", "1.1", "Host: b.example\r\n", "http://a.example"),
        (
            "http://user@a.example:81/robots.txt",
            "1.1",
            "Host: b.example\r\n",
            "http://a.example:81",
        ),
        ("HTTP://a.example/robots.txt?x", "1.0", "Host: b.example\r\n", "http://a.example"),
    ] {
        let request = format!("GET {target} HTTP/{version}\r\n{headers}Connection: close\r\n\r\n");
        let response = running.send(request).await;
        assert!(response.contains(" 200 OK\r\n"), "{target}: {response}");
        let sitemap = format!("Sitemap: {base}/sitemap.xml");
        assert!(response.lines().any(|line| line == sitemap), "{target}: {response}");
    }
    for headers in ["", "Host: a.example\r\nHost: a.example\r\n"] {
        let request =
            format!("GET http://a.example/ HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        let response = running.send(request).await;
        assert!(response.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{response}");
    }
}

#[tokio::test]
async fn options_say_what_a_path_allows_and_where_nothing_is_only_what_a_page_may_send() {
    let running = Running::new().await;
    let allowed = async |path: &str| {
        let request = running.http.request(Method::OPTIONS, running.url(path));
        let answer = running.ask(request, &[]).await;
        assert_eq!((answer.status, answer.body.len()), (200, 0), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        answer.header("allow").to_owned()
    };
    for (path, allow) in [
        ("/", "GET,HEAD,OPTIONS"),
        ("/embed/metrics", "GET,HEAD,OPTIONS"),
        ("/api/v1/metrics?city=x", "GET,HEAD,OPTIONS"),
        ("/api/v1/webhooks", "GET,HEAD,POST,PATCH,DELETE,OPTIONS"),
        ("/api/v1/webhooks/test", "POST,OPTIONS"),
        ("/api/v1/nothing", ""),
        ("/nothing", ""),
    ] {
        assert_eq!(allowed(path).await, allow, "{path}");
    }
}

#[tokio::test]
async fn every_response_tells_browsers_not_to_guess_its_type() {
    let running = Running::new().await;
    for path in ["/api/v1/metrics", "/api/v1/nothing", "/", "/nothing", "/embed.js", "/oembed"] {
        let answer = running.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
}

#[tokio::test]
async fn a_path_that_is_not_utf_8_leads_nowhere_and_says_so_as_a_problem() {
    let running = Running::new().await;
    for path in ["/embed/accent/%ff.css", "/docs/send/%ff", "/embed/%ff", "/assets/%ff", "/%ff"] {
        let answer = running.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json; charset=utf-8");
        assert_eq!(answer.json()["detail"], format!("There is nothing at {path}."));
    }
}

#[tokio::test]
async fn a_file_has_only_get_and_the_405_says_so() {
    let running = Running::new().await;
    for path in ["/embed.js", "/favicon.svg"] {
        let post = running.ask(running.http.post(running.url(path)), &[]).await;
        assert_eq!((post.status, post.header("allow")), (405, "GET,HEAD,OPTIONS"), "{path}");
    }
}

#[tokio::test]
async fn a_client_that_refuses_every_coding_or_likes_none_better_gets_the_plain_body() {
    let running = Running::new().await;
    for path in ["/api/v1/reports", "/embed/metrics"] {
        let plain = running.get(path).await;
        for refusal in ["identity;q=0", "*;q=0", "identity;q=0, br;q=0", "identity, br;q=0.1"] {
            let answer = running.get_with(path, &[("accept-encoding", refusal)]).await;
            assert_eq!((answer.status, answer.header("content-encoding")), (200, ""), "{path}");
            assert_eq!(answer.body, plain.body);
        }
    }
}
