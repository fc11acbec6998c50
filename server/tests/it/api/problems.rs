use domain::tier::Tier;
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Running, report};

use svc::problem::Code;

#[tokio::test]
async fn unknown_paths_are_problems_everywhere() {
    let running = Running::new().await;
    for path in ["/api/v1/nothing", "/api/v2/metrics", "/nothing", "/embed/nothing", "/assets/x"] {
        let answer = running.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json; charset=utf-8");
        assert_eq!(
            answer.json(),
            json!({
                "type": "/docs/errors#NOT_FOUND",
                "title": "Not found",
                "status": 404,
                "detail": format!("There is nothing at {path}."),
                "code": "NOT_FOUND",
            })
        );
    }
}

#[tokio::test]
async fn secrets_in_a_path_or_a_query_are_not_repeated() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    for (text, shown) in [
        (key.as_str().to_owned(), format!("{}…", key.prefix())),
        ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".to_owned(), "whsec_…".to_owned()),
    ] {
        let detail = async |path: String| {
            running.get(&path).await.json()["detail"].as_str().unwrap().to_owned()
        };
        assert_eq!(detail(format!("/x/{text}")).await, format!("There is nothing at /x/{shown}."));
        let page = detail(format!("/api/v1/reports?page={text}")).await;
        assert!(page.starts_with(&format!("\"page\" is {shown:?}, which is not")), "{page}");
        // The text is also hidden if the message shows only the start of the path.
        let long = format!("/{}/{text}", "x".repeat(60));
        let cut = detail(long).await;
        assert!(cut.ends_with(&format!("x/{shown}.")), "{cut}");
    }
}

#[tokio::test]
async fn an_unknown_widget_is_not_found_whatever_the_method() {
    let running = Running::new().await;
    for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
        for path in ["/embed/nothing", "/embed/Metrics", "/embed/nothing/"] {
            let url = running.url(&format!("{path}?theme=dark"));
            let answer = running.ask(running.http.request(method.clone(), url), &[]).await;
            assert_eq!(answer.status, 404, "{method} {path}");
            assert_eq!(
                answer.json(),
                json!({
                    "type": "/docs/errors#NOT_FOUND",
                    "title": "Not found",
                    "status": 404,
                    "detail": format!("There is nothing at {path}."),
                    "code": "NOT_FOUND",
                })
            );
        }
    }
}

#[tokio::test]
async fn other_methods_are_problems_that_name_the_right_ones() {
    let running = Running::new().await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        for path in ["/api/v1/metrics", "/api/v1/stream", "/embed/metrics"] {
            let request = running.http.request(method.clone(), running.url(path));
            let answer = Answer::of(request.send().await.unwrap()).await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), "GET,HEAD,OPTIONS");
            assert_eq!(
                answer.json(),
                json!({
                    "type": "/docs/errors#METHOD_NOT_ALLOWED",
                    "title": "The method is not allowed",
                    "status": 405,
                    "detail": format!(
                        "{method} is not allowed at {path}; the Allow header lists the allowed methods."
                    ),
                    "code": "METHOD_NOT_ALLOWED",
                })
            );
        }
    }
}

#[tokio::test]
async fn a_problem_can_be_read_from_another_origin() {
    let running = Running::new().await;
    let answer =
        running.get_with("/api/v1/reports?limit=0", &[("origin", "https://example.org")]).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn data_that_cannot_be_read_is_unavailable_and_nothing_of_the_inside_is_told() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    running.database.tamper("ALTER TABLE counts RENAME TO elsewhere").await;
    let answer = running.get("/api/v1/metrics?city=campinas").await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), "5");
    let body = answer.json();
    let request_id = body["requestId"].as_str().unwrap();
    assert_eq!(request_id, answer.header("x-request-id"));
    assert_eq!(
        body,
        json!({
            "type": "/docs/errors#UNAVAILABLE",
            "title": "The service is temporarily unavailable",
            "status": 503,
            "detail": "The data cannot be read at the moment. Try again in a few seconds.",
            "code": "UNAVAILABLE",
            "requestId": request_id,
        })
    );
    running.database.tamper("ALTER TABLE elsewhere RENAME TO counts").await;
    assert_eq!(running.get("/api/v1/metrics?city=campinas").await.status, 200);
}

#[tokio::test]
async fn every_code_is_explained_where_its_type_points() {
    let running = Running::new().await;
    let page = running.get("/docs/errors").await.text();
    let docs = include_str!("../../../../docs/api.md");
    for code in Code::ALL {
        let anchor = format!("<section id=\"{}\">", code.as_str());
        assert!(page.contains(&anchor), "{anchor}");
        let row = format!("| `{}` | {} | {} |", code.as_str(), code.status().as_u16(), code.when());
        assert!(docs.contains(&row), "{row}");
    }
}
