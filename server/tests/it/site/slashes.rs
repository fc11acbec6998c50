//! Pages whose path ends with an extra slash.

use crate::harness::Running;

#[tokio::test]
async fn a_page_with_a_slash_at_its_end_leads_to_the_page() {
    let running = Running::new().await;
    for (path, page) in [
        ("/docs/", "/docs"),
        ("/docs/api/", "/docs/api"),
        ("/docs///", "/docs"),
        ("/embed/metrics/", "/embed/metrics"),
        ("/embed/feed/?theme=dark&city=S%C3%A3o", "/embed/feed?theme=dark&city=S%C3%A3o"),
        ("/docs/?", "/docs?"),
    ] {
        let answer = running.get(path).await;
        assert_eq!((answer.status, answer.header("location")), (308, page), "{path}");
        assert_eq!(running.get(page).await.status, 200, "{page}");
    }
}

#[tokio::test]
async fn what_is_no_page_leads_nowhere() {
    let running = Running::new().await;
    for path in [
        "//evil.example/",
        "//evil.example/docs/",
        "///",
        "//",
        "//docs/",
        "/%2F/evil.example/",
        "/\\evil.example/",
        "/embed/nothing/",
        "/embed/",
        "/nothing/",
        "/docs/send/",
        "/api/v1/metrics/",
        "/embed.js/",
        "/docs%2F",
    ] {
        let request = running.http.get(running.url(path));
        let answer = running.ask(request, &[]).await;
        assert_eq!((answer.status, answer.header("location")), (404, ""), "{path}");
    }
}
