use app::{
    pages::docs::PublicPage,
    widgets::registry::{WIDGETS, Widget},
};

use svc::config;

use crate::harness::{Running, START, settings};

const HTML: &str = "text/html; charset=utf-8";

fn policy(rest: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; {rest}"
    )
}

#[tokio::test]
async fn every_document_is_fenced_in_also_when_it_is_not_sent_again() {
    let running = Running::new().await;
    let page = policy("form-action 'self'; frame-src 'self'; frame-ancestors 'self'");
    let widget = policy("form-action 'none'; frame-ancestors *");
    let picture = "default-src 'none'; style-src 'unsafe-inline'".to_owned();
    let pages = ["/"].into_iter().chain(PublicPage::ALL.map(PublicPage::path)).map(str::to_owned);
    let documents = (pages.map(|path| (path, HTML, &page)))
        .chain(WIDGETS.iter().map(|one| (one.path(), HTML, &widget)))
        .chain(WIDGETS.iter().map(|one| (one.path() + ".svg", "image/svg+xml", &picture)))
        .chain(WIDGETS.iter().map(|one| (one.path() + ".png", "image/png", &picture)))
        .chain([("/social.png".to_owned(), "image/png", &picture)]);
    for (path, content_type, policy) in documents {
        let path = &*path;
        let answer = running.get(path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, content_type), "{path}");
        let known = [("if-none-match", answer.header("etag"))];
        let again = running.get_with(path, &known).await;
        assert_eq!(again.status, 304, "{path}");
        for answer in [&answer, &again] {
            for (name, value) in [
                ("content-security-policy", policy.as_str()),
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"),
                ("cross-origin-resource-policy", "cross-origin"),
                ("cache-control", "public, max-age=1, stale-while-revalidate=5"),
            ] {
                assert_eq!(answer.header(name), value, "{name} of {path}");
            }
        }
    }
}

#[tokio::test]
async fn widgets_may_be_framed_by_pages_that_isolate_themselves() {
    let running = Running::new().await;
    for path in WIDGETS.iter().map(Widget::path) {
        let answer = running.get(&path).await;
        assert_eq!(answer.header("cross-origin-embedder-policy"), "require-corp", "{path}");
    }
    // The loader and everything that a widget loads may be used across origins.
    for path in ["/embed.js", "/embed/accent/cc00ff.css", "/embed/metrics.svg"] {
        let answer = running.get(path).await;
        assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin", "{path}");
    }
}

#[tokio::test]
async fn who_may_frame_the_widgets_is_a_setting() {
    let ancestors = "'self' https://example.org";
    let settings = config::Serve { frame_ancestors: ancestors.to_owned(), ..settings() };
    let running = Running::with(settings, START).await;
    let set = policy(&format!("form-action 'none'; frame-ancestors {ancestors}"));
    for path in WIDGETS.iter().map(Widget::path) {
        assert_eq!(running.get(&path).await.header("content-security-policy"), set, "{path}");
    }
}
