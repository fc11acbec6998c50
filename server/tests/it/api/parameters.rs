use domain::tier::Tier;

use crate::harness::Running;

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
        // Names are case-sensitive.
        "From=x&CITY=%ff",
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
