use app::widgets::registry::WIDGETS;
use domain::tier::Tier;

use crate::harness::{Running, START, open};

/// Public routes that read no filter of reports.
const WITHOUT_FILTERS: &[&str] = &[
    "/",
    "/api",
    "/api/",
    "/api/v1/me",
    "/api/v1/openapi-3.0.json",
    "/api/v1/openapi.json",
    "/api/v1/challenge",
    "/api/v1/reports/{id}",
    "/api/v1/webhooks",
    "/api/v1/webhooks/deliveries",
    "/api/v1/webhooks/replay",
    "/api/v1/webhooks/rotate",
    "/api/v1/webhooks/subscription",
    "/api/v1/webhooks/test",
    "/api/{*unknown}",
    "/assets/{*file}",
    "/data",
    "/embed/accent/{file}",
    "/embed/colours/{file}",
    "/healthz",
    "/readyz",
    "/robots.txt",
    "/sitemap.xml",
    "/social.png",
];

async fn code(running: &Running, path: &str) -> (u16, String) {
    let answer = running.get(path).await;
    let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
    (answer.status, code)
}

#[tokio::test]
async fn bad_parameters_are_a_400_with_a_code_of_their_own() {
    let running = Running::new().await;
    let long = "x".repeat(257);
    for (query, expected) in [
        ("metrics?from=2024-1-1", "INVALID_PERIOD"),
        ("metrics?to=", "INVALID_PERIOD"),
        ("metrics?from=2024-02-02&to=2024-02-01", "INVALID_PERIOD"),
        ("metrics/series?interval=hour", "INVALID_PARAMETER"),
        ("metrics/series?interval=day&interval=day", "INVALID_PARAMETER"),
        ("metrics/series?from=x", "INVALID_PERIOD"),
        ("metrics/series?from=2024-02-02&to=2024-02-01", "INVALID_PERIOD"),
        ("metrics/series?from=0001-01-01", "INVALID_PERIOD"),
        ("metrics/series?city=%ff", "INVALID_PARAMETER"),
        ("reports?from=20240101", "INVALID_PERIOD"),
        ("reports?limit=0", "INVALID_LIMIT"),
        ("reports?limit=101", "INVALID_LIMIT"),
        ("reports?limit=", "INVALID_LIMIT"),
        ("reports?limit=-1", "INVALID_LIMIT"),
        ("reports?limit=%2B5", "INVALID_LIMIT"),
        ("reports?limit=1e1", "INVALID_LIMIT"),
        ("reports?limit=99999999999999999999", "INVALID_LIMIT"),
        ("reports?since=", "INVALID_SINCE"),
        ("reports?since=2024-01-01", "INVALID_SINCE"),
        ("reports?since=1700000000", "INVALID_SINCE"),
        ("reports?since=2024-02-30T00:00:00Z", "INVALID_SINCE"),
        ("metrics?city=a&city=b", "INVALID_PARAMETER"),
        ("metrics?city=a&c%69ty=a", "INVALID_PARAMETER"),
        ("metrics?city=%ff", "INVALID_PARAMETER"),
        ("metrics?city=%C3", "INVALID_PARAMETER"),
        ("metrics?city=%", "INVALID_PARAMETER"),
        ("metrics?city=%zz", "INVALID_PARAMETER"),
        ("metrics?city=a%00b", "INVALID_PARAMETER"),
        ("metrics?city=a%0Ab", "INVALID_PARAMETER"),
        ("metrics?city=%C2%85", "INVALID_PARAMETER"),
        ("metrics?from=%ff", "INVALID_PERIOD"),
        ("metrics?to=2024-01-01&to=2024-01-01", "INVALID_PERIOD"),
        ("reports?limit=5&limit=5", "INVALID_LIMIT"),
        ("reports?since=%C3", "INVALID_SINCE"),
        ("stream?country=%ff", "INVALID_PARAMETER"),
        (&format!("metrics?city={long}"), "INVALID_PARAMETER"),
        (&format!("stream?city={long}"), "INVALID_PARAMETER"),
    ] {
        let expected = (400, expected.to_owned());
        assert_eq!(code(&running, &format!("/api/v1/{query}")).await, expected, "{query}");
    }
}

#[tokio::test]
async fn what_is_harmless_passes() {
    let running = Running::new().await;
    let longest = "ü".repeat(256);
    for query in [
        format!("metrics?city={longest}"),
        "metrics?_=123&utm_source=x".to_owned(),
        "metrics?&&city=a&".to_owned(),
        "metrics?city".to_owned(),
        "reports?limit=007".to_owned(),
        "metrics?city=100%25".to_owned(),
        "metrics?city=%F0%9F%92%A7".to_owned(),
        "metrics?city='%3B%20DROP%20TABLE%20reports%3B--".to_owned(),
    ] {
        assert_eq!(running.get(&format!("/api/v1/{query}")).await.status, 200, "{query}");
    }
}

#[tokio::test]
async fn unknown_parameters_are_ignored_whatever_is_wrong_with_them() {
    let running = Running::new().await;
    let long = "x".repeat(5_000);
    let many: Vec<String> = (0..2_000).map(|number| format!("p{number}=1")).collect();
    for unknown in [
        "utm=1&utm=2",
        "%ff=a",
        "x=%ff",
        "x=%",
        "%zz",
        "x=a%00b",
        "=a&=b",
        // Short names are similar to many others.
        "tp=x&TO=x&t=x&cb=1&v=2",
        &format!("{long}=1"),
        &format!("x={long}"),
        &many.join("&"),
    ] {
        for known in [
            "metrics?",
            "metrics?city=Oslo",
            "metrics/series?interval=week",
            "reports?limit=1",
            "geo-facets?from=2024-01-01&to=2024-01-01",
            "openapi.json?",
        ] {
            let answer = running.get(&format!("/api/v1/{known}&{unknown}")).await;
            assert_eq!(answer.status, 200, "{known} with {unknown}: {}", answer.text());
        }
        // Parameters of another endpoint are unknown here.
        let answer = running.get(&format!("/api/v1/metrics?limit=x&since=x&{unknown}")).await;
        assert_eq!(answer.status, 200, "{unknown}");
    }
}

#[tokio::test]
async fn unknown_parameters_beside_views_and_of_webhooks_are_ignored_too() {
    let running = Running::new().await;
    let view = "view=%26city%3DOslo%26";
    let answer = running.get(&format!("/embed/live?{view}&utm=1&utm=2&x=%ff")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut stream = running.http.get(running.url(&format!("/api/v1/stream?{view}&x=%ff&x=")));
    stream = stream.header("x-forwarded-for", "192.0.2.1");
    assert_eq!(stream.send().await.unwrap().status(), 200);

    let key = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let request = running.http.delete(running.url("/api/v1/webhooks?utm=1&utm=2&x=%ff&id=sub_x"));
    let answer = running.ask(request, &[("authorization", &key)]).await;
    assert_eq!(answer.status, 404, "{}", answer.text());
}

#[tokio::test]
async fn a_near_miss_of_a_parameter_is_refused_with_a_suggestion() {
    let running = Running::new().await;
    let key = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    for (path, given, meant) in [
        ("/api/v1/metrics?contry=FR", "contry", "country"),
        ("/api/v1/metrics?form=2024-01-01", "form", "from"),
        ("/api/v1/metrics?city=Oslo&utm_source=x&From=2024-01-01", "From", "from"),
        ("/api/v1/metrics?c%6Funtri=FR", "countri", "country"),
        ("/api/v1/metrics/series?intervall=day", "intervall", "interval"),
        ("/api/v1/reports?Limit=5", "Limit", "limit"),
        ("/api/v1/reports?sinse=x", "sinse", "since"),
        ("/api/v1/geo-facets?from=2024-01-01&to=2024-01-01&form=x", "form", "from"),
        ("/api/v1/stream?veiw=country%3DFR", "veiw", "view"),
        ("/api/v1/events?evnets=x", "evnets", "events"),
        ("/api/v1/webhooks/deliveries?id=sub_x&stauts=FAILED", "stauts", "status"),
        ("/embed/live?views=", "views", "view"),
    ] {
        let answer = running.get_with(path, &[("authorization", &key)]).await;
        assert_eq!(answer.status, 400, "{path}");
        let problem = answer.json();
        assert_eq!(problem["code"], "INVALID_PARAMETER", "{path}");
        let detail = format!("There is no parameter {given:?}: did you mean {meant:?}?");
        assert_eq!(problem["detail"], detail, "{path}");
    }
}

#[tokio::test]
async fn no_public_route_with_filters_ignores_a_misspelt_one() {
    let running = Running::with(open(), START).await;
    let key = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let routes = include_str!("../gate/routes.txt").lines();
    let routes = routes.filter_map(|line| line.strip_prefix("public ")?.split(' ').next());
    for route in routes {
        let is_page = route.starts_with("/docs") || route.starts_with("/partners");
        let widgets = WIDGETS.iter().map(|widget| route.replace("{widget}", widget.name));
        let paths: Vec<String> = match route.contains("{widget}") {
            true => widgets.collect(),
            false => vec![route.to_owned()],
        };
        for path in paths {
            let query = match &*path {
                "/embed/live" => "view=contry%3DFR".to_owned(),
                "/oembed" => format!("url={}/embed/feed%3Fcontry=FR", running.url("")),
                // Without places.
                "/api/v1/geo-facets" => "form=2026-01-01".to_owned(),
                _ => "contry=FR".to_owned(),
            };
            let headers = [("authorization", &*key)];
            let answer = running.get_with(&format!("{path}?{query}"), &headers).await;
            let is_refused = answer.status == 400
                && answer.text().contains("There is no parameter")
                && answer.text().contains("did you mean");
            let is_other = is_page || WITHOUT_FILTERS.contains(&route);
            assert_eq!(is_refused, !is_other, "{path}: {}", answer.status);
        }
    }
}

#[tokio::test]
async fn a_frame_shows_which_option_of_its_widget_is_misspelt() {
    let running = Running::new().await;
    let browser = [("accept", "text/html,*/*;q=0.8"), ("if-none-match", "*")];
    for (path, given, meant) in [
        ("/embed/metrics?contry=FR&lang=de", "contry", "country"),
        ("/embed/globe?lang=de&form=2026-01-01", "form", "from"),
        ("/embed/feed?lang=de&Types=water", "Types", "types"),
        ("/embed/trend?lang=de&coun%3Cry=water", "coun&lt;ry", "country"),
    ] {
        let answer = running.get_with(path, &browser).await;
        assert_eq!(answer.status, 400, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("content-security-policy").ends_with("frame-ancestors *"));
        let html = answer.text();
        for text in
            ["<html lang=\"de\"", "Unbekannte Option", &format!(">{given}</code>"), "Meinten Sie"]
        {
            assert!(html.contains(text), "{text} in {html}");
        }
        assert!(html.contains(&format!(">{meant}</code>")), "{html}");
    }
    let other = running.get_with("/embed/metrics?utm_source=x&contrails=1", &browser[..1]).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn only_some_unknown_names_of_a_query_are_compared() {
    let running = Running::new().await;
    let others: Vec<String> = (0..2_000).map(|number| format!("p{number}=1")).collect();
    let others = others.join("&");
    for (query, status) in [
        (format!("contry=FR&{others}"), 400),
        (format!("{others}&contry=FR"), 200),
        (format!("{}=1&contry=FR", "x".repeat(5_000)), 400),
    ] {
        let answer = running.get(&format!("/api/v1/metrics?{query}")).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
}
