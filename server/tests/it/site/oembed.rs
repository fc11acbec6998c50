use serde_json::json;

use crate::harness::{Running, START, reached_at};

const BASE: &str = "https://svc.example.org";

async fn running() -> Running {
    Running::with(reached_at(BASE), START).await
}

#[tokio::test]
async fn a_widgets_address_becomes_its_iframe_with_its_options() {
    let running = running().await;
    let path = "/oembed?url=https%3A%2F%2Fsvc.example.org%2Fembed%2Fmetrics%3Ftheme%3Ddark%26bg%3Dnone\
                &format=json&maxwidth=400";
    let answer = running.get(path).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(
        answer.json(),
        json!({
            "version": "1.0",
            "type": "rich",
            "provider_name": "svc",
            "provider_url": BASE,
            "title": "Reports so far",
            "width": 400,
            "height": 120,
            "cache_age": 3_600,
            "html": "<iframe src=\"https://svc.example.org/embed/metrics?theme=dark&amp;bg=none\" \
                     width=\"400\" height=\"120\" frameborder=\"0\" style=\"width: 400px; \
                     height: 120px; max-width: 100%; box-sizing: content-box; padding: 0; border: 0; \
                     border-radius: 12px; color-scheme: light\" \
                     title=\"Reports so far\"></iframe>",
        })
    );
}

#[tokio::test]
async fn it_is_never_larger_than_asked_for() {
    let running = running().await;
    let address = format!("/oembed?url={BASE}/embed/metrics");
    for (query, width, height) in [
        ("", 600, 120),
        ("&maxwidth=320&maxheight=100", 320, 100),
        ("&maxwidth=99999&maxheight=99999", 1_280, 120),
        ("&maxwidth=0&maxheight=-1", 600, 120),
        ("&maxwidth=%22%3E&maxheight=", 600, 120),
    ] {
        let answer = running.json(&format!("{address}{query}")).await;
        assert_eq!(
            (&answer["width"], &answer["height"]),
            (&json!(width), &json!(height)),
            "{query}"
        );
        let size = format!("width=\"{width}\" height=\"{height}\"");
        assert!(answer["html"].as_str().unwrap().contains(&size), "{query}");
    }
}

#[tokio::test]
async fn a_thumbnail_is_the_png_with_the_same_options_where_it_fits() {
    let running = running().await;
    let address = format!("/oembed?url={BASE}/embed/feed?theme=dark%26title=Mine");
    let answer = running.json(&address).await;
    let url = answer["thumbnail_url"].as_str().unwrap();
    assert_eq!(url, format!("{BASE}/embed/feed.png?theme=dark&title=Mine"));
    let png = running.get(url.strip_prefix(BASE).unwrap()).await;
    let side = |at: usize| u32::from_be_bytes(png.body[at..at + 4].try_into().unwrap());
    assert_eq!(
        (&answer["thumbnail_width"], &answer["thumbnail_height"]),
        (&json!(side(16)), &json!(side(20)))
    );
    assert_eq!((side(16), side(20)), (800, 632));
    for (query, is_there) in [
        ("maxwidth=800", true),
        ("maxwidth=799", false),
        ("maxheight=632", true),
        ("maxheight=631", false),
        ("maxwidth=100&maxheight=2000", false),
    ] {
        let answer = running.json(&format!("{address}&{query}")).await;
        for member in ["thumbnail_url", "thumbnail_width", "thumbnail_height"] {
            assert_eq!(answer.get(member).is_some(), is_there, "{member} {query}");
        }
    }
}

#[tokio::test]
async fn a_widget_whose_picture_cannot_be_drawn_is_embedded_without_a_thumbnail() {
    let running = running().await;
    running.database.store.close().await;
    let answer = running.json(&format!("/oembed?url={BASE}/embed/metrics?country=FR")).await;
    assert!(answer["html"].is_string() && answer.get("thumbnail_url").is_none(), "{answer}");
}

#[tokio::test]
async fn other_addresses_are_not_found() {
    let running = running().await;
    for url in [
        "https://evil.example/embed/metrics",
        "http://svc.example.org/embed/metrics",
        "https://svc.example.org:8443/embed/metrics",
        "https://svc.example.org.evil.example/embed/metrics",
        "https://svc.example.org@evil.example/embed/metrics",
        "https://user@svc.example.org/embed/metrics",
        "https://:password@svc.example.org/embed/metrics",
        "https://svc.example.org/embed/nothing",
        "https://svc.example.org/embed/metrics.svg",
        "https://svc.example.org/embed/metrics/",
        "https://svc.example.org/",
        "/embed/metrics",
        "",
    ] {
        let answer = running.get(&format!("/oembed?url={url}")).await;
        assert_eq!(answer.status, 404, "{url}");
        assert_eq!(answer.json()["code"], "NOT_FOUND");
    }
    let missing = running.get("/oembed").await;
    assert_eq!((missing.status, &missing.json()["code"]), (400, &json!("INVALID_PARAMETER")));
}

#[tokio::test]
async fn a_service_below_a_path_knows_its_widgets_by_the_whole_address() {
    let running = Running::with(reached_at("https://example.org/svc"), START).await;
    let answer = running.json("/oembed?url=https://example.org/svc/embed/feed").await;
    let html = answer["html"].as_str().unwrap();
    assert!(html.contains(" src=\"https://example.org/svc/embed/feed\""), "{html}");
    for url in ["https://example.org/embed/feed", "https://example.org/svc2/embed/feed"] {
        assert_eq!(running.get(&format!("/oembed?url={url}")).await.status, 404, "{url}");
    }
}

#[tokio::test]
async fn nothing_of_an_address_reaches_the_html_unescaped() {
    let running = running().await;
    let url =
        "https%3A%2F%2Fsvc.example.org%2Fembed%2Fmetrics%3Ftheme%3D%2522%253E%253Cscript%253E";
    let plain = running.json(&format!("/oembed?url={BASE}/embed/metrics")).await;
    assert_eq!(running.json(&format!("/oembed?url={url}")).await, plain);
}

#[tokio::test]
async fn there_is_no_xml() {
    let running = running().await;
    for format in ["xml", "JSON", ""] {
        let path = format!("/oembed?url={BASE}/embed/metrics&format={format}");
        let answer = running.get(&path).await;
        assert_eq!(answer.status, 501, "{format}");
        assert_eq!(answer.header("content-type"), "application/problem+json; charset=utf-8");
        assert_eq!(
            answer.json(),
            json!({
                "type": "/docs/errors#UNSUPPORTED_FORMAT",
                "title": "The format is not supported",
                "status": 501,
                "detail": "\"format\" can only be json.",
                "code": "UNSUPPORTED_FORMAT",
            })
        );
    }
}

#[tokio::test]
async fn a_widget_says_where_its_answer_is() {
    let running = Running::new().await;
    let html = running.get("/embed/metrics?theme=dark").await.text();
    let (_, link) = html.split_once("<link rel=\"alternate\"").unwrap();
    let link = link.split('>').next().unwrap();
    assert!(link.contains("type=\"application/json+oembed\""), "{link}");
    let (_, href) = link.split_once("href=\"").unwrap();
    let href = href.split('"').next().unwrap().replace("&amp;", "&");
    let answer = running.json(href.strip_prefix(&running.url("")).unwrap()).await;
    assert!(answer["html"].as_str().unwrap().contains("/embed/metrics?theme=dark\""), "{answer}");
}
