use app::model::ReportType::{Spirit, Water};

use crate::harness::{But, Running, report};

#[tokio::test]
async fn the_badge_is_a_picture_of_the_counters_that_loads_nothing() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water), report("c", Water)]).await;
    let answer = running.get("/embed/metrics.svg").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "image/svg+xml");
    assert_eq!(
        answer.header("content-security-policy"),
        "default-src 'none'; style-src 'unsafe-inline'"
    );
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    let svg = answer.text();
    assert!(svg.contains("3 reports so far: 1 spirit, 2 water, 0 both</title>"), "{svg}");
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
    for outside in ["<script", "<image", "url(", "@import", "<a ", "<foreignObject"] {
        assert!(!svg.contains(outside), "{outside}");
    }
}

#[tokio::test]
async fn the_badge_is_sent_again_only_when_a_counter_moved() {
    let running = Running::new().await;
    let first = running.get("/embed/metrics.svg").await;
    assert_eq!(first.header("cache-control"), "public, max-age=1, stale-while-revalidate=5");
    let known = [("if-none-match", first.header("etag"))];
    assert_eq!(running.get_with("/embed/metrics.svg", &known).await.status, 304);
    running.publish(&[report("a", Spirit)]).await;
    let changed = running.get_with("/embed/metrics.svg", &known).await;
    assert_eq!(changed.status, 200);
    assert!(changed.text().contains(">1</text>"));
}

#[tokio::test]
async fn options_of_the_badge_are_a_closed_set() {
    let running = Running::new().await;
    let plain = running.get("/embed/metrics.svg").await.text();
    assert!(plain.contains("prefers-color-scheme:dark"));
    let dark = running.get("/embed/metrics.svg?theme=dark").await.text();
    assert!(dark.contains("#0b1220") && !dark.contains("prefers-color-scheme"));
    let hostile = "/embed/metrics.svg?theme=%3C/style%3E%3Cscript%3Ealert(1)%3C/script%3E";
    assert_eq!(running.get(hostile).await.text(), plain);
}

#[tokio::test]
async fn the_badge_counts_the_place_that_it_is_asked_for() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water).at("Lyon", "", "France")]).await;
    for (query, said) in [
        ("", "2 reports so far: 1 spirit, 1 water, 0 both"),
        ("?country=FR", "1 reports so far: 0 spirit, 1 water, 0 both"),
        ("?city=campinas", "1 reports so far: 1 spirit, 0 water, 0 both"),
        ("?region=Bavaria", "0 reports so far: 0 spirit, 0 water, 0 both"),
    ] {
        let svg = running.get(&format!("/embed/metrics.svg{query}")).await.text();
        assert!(svg.contains(&format!(">{said}</title>")), "{query}: {svg}");
    }
}
