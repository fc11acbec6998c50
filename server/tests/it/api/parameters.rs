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
        ("metrics?%ff=a", "INVALID_PARAMETER"),
        ("stream?country=%ff", "INVALID_PARAMETER"),
        ("geo-facets?from=2024-01-01&to=2024-01-01&x=%ff", "INVALID_PARAMETER"),
        (&format!("metrics?city={long}"), "INVALID_PARAMETER"),
        (&format!("metrics?{long}=1"), "INVALID_PARAMETER"),
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
async fn more_parameters_than_any_client_needs_are_refused() {
    let running = Running::new().await;
    let many: Vec<String> = (0..33).map(|number| format!("p{number}=1")).collect();
    let path = format!("/api/v1/metrics?{}", many.join("&"));
    assert_eq!(code(&running, &path).await, (400, "INVALID_PARAMETER".to_owned()));
}
