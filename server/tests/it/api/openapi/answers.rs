//! Real responses, checked against the document's description of the operation.

use std::{future::ready, time::Duration};

use domain::tier::Tier;
use model::ReportType::Water;

use super::{PATH, running};
use crate::{
    description::Description,
    engines::api::intake,
    harness::{Running, report},
};

/// All additional members of reports.
const MEMBERS: &str = "countryCode,region,eventDate,position,typeLabel";
const WEBHOOKS: &str = "/api/v1/webhooks";
const EVENTS: &str = "/api/v1/events";
const DELIVERIES: &str = "/api/v1/webhooks/deliveries";
const ROTATE: &str = "/api/v1/webhooks/rotate";
const TEST: &str = "/api/v1/webhooks/test";
const ONE: &str = "/api/v1/webhooks/subscription";
const REPLAY: &str = "/api/v1/webhooks/replay";
const ME: &str = "/api/v1/me";

#[tokio::test]
async fn real_answers_of_reads_are_as_described() {
    let running = running().await;
    let mut description = Description::of(running.json(PATH).await);
    let period = "from=2024-01-01&to=2026-12-31";
    for (path, status) in [
        ("metrics".to_owned(), 200),
        (format!("metrics?country=FR&{period}"), 200),
        ("metrics?from=x".to_owned(), 400),
        ("metrics?city=%ff".to_owned(), 400),
        (format!("metrics/series?interval=week&country=FR&{period}"), 200),
        ("metrics/series?from=x".to_owned(), 400),
        ("metrics/series?interval=x".to_owned(), 400),
        ("metrics/by?group=city&limit=1".to_owned(), 200),
        ("metrics/by?group=country&lang=fr&sort=name".to_owned(), 200),
        ("metrics/by?group=type".to_owned(), 200),
        (format!("metrics/by?group=day&{period}&limit=2000"), 400),
        ("metrics/by?group=day&from=2024-01-01&to=2024-01-31".to_owned(), 200),
        ("metrics/by".to_owned(), 400),
        ("metrics/by?group=day&from=x".to_owned(), 400),
        (format!("geo-facets?{period}"), 200),
        ("geo-facets".to_owned(), 400),
        ("geo-facets?from=%ff".to_owned(), 400),
        (format!("geo-facets?{period}&form=x"), 400),
        (format!("geo-facets?{period}&lang=pt&types=water"), 200),
        ("reports".to_owned(), 200),
        ("reports?limit=1&since=2020-01-01T00:00:00Z".to_owned(), 200),
        ("reports?limit=0".to_owned(), 400),
        ("reports?since=x".to_owned(), 400),
        ("reports?from=x".to_owned(), 400),
        ("reports?city=%ff".to_owned(), 400),
        (format!("reports?include={MEMBERS}&lang=fr"), 200),
        ("reports.csv".to_owned(), 200),
        ("reports.geojson?types=water&include=position".to_owned(), 200),
        ("reports.ndjson".to_owned(), 200),
        ("reports.csv?since=x".to_owned(), 400),
        ("reports.csv?from=x".to_owned(), 400),
        ("reports.csv?include=x".to_owned(), 400),
        ("reports.geojson?since=x".to_owned(), 400),
        ("reports.geojson?from=x".to_owned(), 400),
        ("reports.geojson?include=x".to_owned(), 400),
        ("reports.ndjson?since=x".to_owned(), 400),
        ("reports.ndjson?from=x".to_owned(), 400),
        ("reports.ndjson?include=x".to_owned(), 400),
        ("stream?country=%ff".to_owned(), 400),
        ("me".to_owned(), 200),
        ("openapi.json".to_owned(), 200),
        ("openapi-3.0.json".to_owned(), 200),
    ] {
        let path = format!("/api/v1/{path}");
        let answer = running.get(&path).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
        if let etag @ [_, ..] = answer.header("etag").as_bytes() {
            let etag = std::str::from_utf8(etag).unwrap();
            let again = running.get_with(&path, &[("if-none-match", etag)]).await;
            assert_eq!(again.status, 304);
            description.holds("get", &path, &again);
        }
        let refused = running.get_with(&path, &[("authorization", "Bearer x")]).await;
        assert_eq!(refused.status, 401);
        description.holds("get", &path, &refused);
    }
    for (path, key, status) in [
        (format!("reports/spirit?include={MEMBERS}"), None, 200),
        ("reports/spirit?lang=xx".to_owned(), None, 400),
        ("reports/nothing".to_owned(), None, 404),
        ("reports/spirit".to_owned(), Some(("authorization", "Bearer x")), 401),
    ] {
        let answer = running.get_with(&format!("/api/v1/{path}"), key.as_slice()).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", "/api/v1/reports/{id}", &answer);
    }
    let busy = ("x-forwarded-for", "192.0.2.1");
    for _ in 0..60 {
        running.get_with(PATH, &[busy]).await;
    }
    let limited = running.get_with(PATH, &[busy]).await;
    assert_eq!(limited.status, 429, "the description is a request as any other");
    description.holds("get", PATH, &limited);

    let stream = "/api/v1/stream";
    let mut open = Vec::new();
    for _ in 0..20 {
        let request = running.http.get(running.url(stream));
        open.push(request.header("x-forwarded-for", "192.0.2.2").send().await.unwrap());
    }
    let refused = running.get_with(stream, &[("x-forwarded-for", "192.0.2.2")]).await;
    description.holds("get", stream, &refused);
    intake::answers(|method, path, answer| description.holds(method, path, answer)).await;
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    description
        .refuses_idempotency_keys(&running, (&partner, "partner 1"), |path| {
            path == "/api/v1/reports"
        })
        .await;
    description.names_every_problem_of(|path| {
        !path.starts_with(WEBHOOKS) && ![EVENTS, ME].contains(&path)
    });
}

#[tokio::test]
async fn real_answers_to_partners_are_as_described() {
    let running = Running::new().await;
    let mut description = Description::of(running.json(PATH).await);
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let operator = format!("Bearer {}", running.key("Us", Tier::Operator).await.as_str());
    let good = r#"{"url":"https://9.9.9.9/","events":["report.created"]}"#;
    let mut bodies = vec![("", good.to_owned(), 401), (&operator, good.to_owned(), 403)];
    bodies.push((&partner, "{".to_owned(), 400));
    bodies.push((&partner, r#"{"url":"no","events":["report.created"]}"#.to_owned(), 400));
    bodies.push((&partner, good.replace("9.9.9.9", "127.0.0.1"), 400));
    bodies.push((&partner, good.replace("report.created", "x"), 400));
    let with_filter = |filter: &str| good.replace('}', &format!(",\"filter\":{filter}}}"));
    bodies.push((&partner, with_filter("1"), 400));
    bodies.push((&partner, with_filter(r#"{"contry":"BR"}"#), 400));
    bodies.push((&partner, " ".repeat(17 << 10), 413));
    bodies.push((&partner, with_filter(r#"{"country":"Brazik","types":["water"]}"#), 201));
    bodies.extend((1..25).map(|_| (&*partner, good.to_owned(), 201)));
    bodies.push((&partner, good.to_owned(), 409));
    for (key, body, status) in bodies {
        let request = running.http.post(running.url(WEBHOOKS)).body(body);
        let headers = [("authorization", key), ("content-type", "application/json")];
        let headers = if key.is_empty() { &headers[1..] } else { &headers };
        let answer = running.ask(request, headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", WEBHOOKS, &answer);
    }
    let rival = format!("Bearer {}", running.key("Rivals", Tier::Partner).await.as_str());
    let metrics = good.replace("report.created", "metrics.updated");
    for (name, body, status) in
        [("k", good, 201), ("k", good, 201), ("k", &metrics, 409), ("a b", good, 400)]
    {
        let request = running.http.post(running.url(WEBHOOKS)).body(body.to_owned());
        let json = ("content-type", "application/json");
        let headers = [("authorization", rival.as_str()), json, ("idempotency-key", name)];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", WEBHOOKS, &answer);
    }
    let request = running.http.post(running.url(WEBHOOKS)).body(good);
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    description.holds("post", WEBHOOKS, &answer);

    let listed = running.get_with(WEBHOOKS, &[("authorization", &partner)]).await;
    description.holds("get", WEBHOOKS, &listed);
    let id = listed.json()["subscriptions"][0]["id"].as_str().unwrap().to_owned();
    for (key, status) in [("", 401), (&*operator, 403)] {
        let headers = [("authorization", key)];
        let headers = if key.is_empty() { &[][..] } else { &headers };
        let answer = running.get_with(WEBHOOKS, headers).await;
        assert_eq!(answer.status, status);
        description.holds("get", WEBHOOKS, &answer);
    }
    for (key, query, body, status) in [
        (&*partner, format!("?id={id}"), r#"{"events":["report.withdrawn"]}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"status":"DISABLED"}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filter":{"types":["both"]}}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filter":{}}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filter":{"country":"Brazik"}}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filters":{}}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"filter":{"city":""}}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), "{}".to_owned(), 400),
        (&partner, format!("?id={id}"), "{".to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"url":"no"}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"url":"https://127.0.0.1/"}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"events":[]}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), " ".repeat(17 << 10), 413),
        (&partner, "?id=sub_x".to_owned(), r#"{"status":"ACTIVE"}"#.to_owned(), 404),
        (&operator, format!("?id={id}"), "{}".to_owned(), 403),
        ("Bearer x", format!("?id={id}"), "{}".to_owned(), 401),
    ] {
        let request = running.http.patch(running.url(&format!("{WEBHOOKS}{query}"))).body(body);
        let headers = [("authorization", key), ("content-type", "application/json")];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("patch", WEBHOOKS, &answer);
    }
    let request = running.http.patch(running.url(&format!("{WEBHOOKS}?id={id}"))).body("{}");
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    description.holds("patch", WEBHOOKS, &answer);
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&partner, format!("?id={id}&limit=0"), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let path = format!("{DELIVERIES}{query}");
        let answer = running.get_with(&path, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
    }
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let path = format!("{ONE}{query}");
        let answer = running.get_with(&path, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
    }
    let by_id = format!("?id={id}");
    for (method, path, body) in [
        ("patch", WEBHOOKS, Some(r#"{"status":"ACTIVE"}"#)),
        ("delete", WEBHOOKS, None),
        ("post", ROTATE, None),
    ] {
        let real = format!("{path}{by_id}");
        let change = (method, path, real.as_str());
        description.refuses_other_states(&running, &partner, change, body).await;
    }
    let of_partner = (partner.as_str(), "partner 1");
    description
        .refuses_idempotency_keys(&running, of_partner, |path| path.starts_with(WEBHOOKS))
        .await;
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let request = running.http.post(running.url(&format!("{ROTATE}{query}")));
        let answer = running.ask(request, &[("authorization", key)]).await;
        assert_eq!(answer.status, status);
        description.holds("post", ROTATE, &answer);
    }
    let everything = r#"{"from":"2026-03-01T12:00:00Z"}"#;
    let ahead = domain::cursor::Cursor::after(1_000).unwrap();
    let long = format!(r#"{{"from":"{}"}}"#, "x".repeat(20_000));
    for (key, query, body, status) in [
        ("Bearer x", format!("?id={id}"), everything.to_owned(), 401),
        (&operator, format!("?id={id}"), everything.to_owned(), 403),
        (&partner, String::new(), everything.to_owned(), 400),
        (&partner, format!("?id={id}"), "{".to_owned(), 400),
        (&partner, format!("?id={id}"), "{}".to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"form":""}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), long, 413),
        (&partner, "?id=sub_x".to_owned(), everything.to_owned(), 404),
        (&partner, format!("?id={id}"), format!(r#"{{"after":"{ahead}"}}"#), 410),
        (&partner, format!("?id={id}"), everything.to_owned(), 202),
    ] {
        let request = running.http.post(running.url(&format!("{REPLAY}{query}"))).body(body);
        let headers = [("authorization", key), ("content-type", "application/json")];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", REPLAY, &answer);
    }
    let request = running.http.post(running.url(&format!("{REPLAY}?id={id}"))).body(everything);
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    description.holds("post", REPLAY, &answer);
    // The test permits no webhooks to this URL, so nothing is sent.
    running.database.tamper("UPDATE subscriptions SET url = 'https://127.0.0.1/'").await;
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, format!("?id={id}"), 429),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let request = running.http.post(running.url(&format!("{TEST}{query}")));
        let answer = running.ask(request, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", TEST, &answer);
    }
    for (kind, body, status) in [
        ("application/json", "{".to_owned(), 400),
        ("application/json", r#"{"event":"x"}"#.to_owned(), 400),
        ("application/json", " ".repeat(17 << 10), 413),
        ("text/plain", "x".to_owned(), 415),
    ] {
        let request = running.http.post(running.url(&format!("{TEST}{by_id}"))).body(body);
        let headers = [("authorization", &*partner), ("content-type", kind)];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", TEST, &answer);
    }
    for (key, query, status) in [
        ("Bearer x", format!("?id={id}"), 401),
        (&operator, format!("?id={id}"), 403),
        (&partner, format!("?id={id}"), 204),
        (&partner, format!("?id={id}"), 404),
        (&partner, String::new(), 400),
    ] {
        let request = running.http.delete(running.url(&format!("{WEBHOOKS}{query}")));
        let answer = running.ask(request, &[("authorization", key)]).await;
        assert_eq!(answer.status, status);
        description.holds("delete", WEBHOOKS, &answer);
    }
    description.names_every_problem_of(|path| path.starts_with(WEBHOOKS));
}

#[tokio::test]
async fn real_answers_about_the_caller_are_as_described() {
    let running = Running::new().await;
    let mut description = Description::of(running.json(PATH).await);
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let operator = format!("Bearer {}", running.key("Us", Tier::Operator).await.as_str());
    let good = r#"{"email":"ada@example.org"}"#;
    let json = "application/json";
    for (key, kind, body, status) in [
        (&*partner, json, good.to_owned(), 200),
        (&partner, json, r#"{"email":"ada"}"#.to_owned(), 400),
        (&partner, json, "{}".to_owned(), 400),
        (&partner, json, "{".to_owned(), 400),
        (&partner, json, " ".repeat(17 << 10), 413),
        (&partner, "text/plain", good.to_owned(), 415),
        (&operator, json, good.to_owned(), 403),
        ("Bearer x", json, good.to_owned(), 401),
    ] {
        let request = running.http.patch(running.url(ME)).body(body);
        let answer = running.ask(request, &[("authorization", key), ("content-type", kind)]).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("patch", ME, &answer);
    }
    for (key, status) in [(&*partner, 200), (&operator, 200), ("Bearer x", 401)] {
        let answer = running.get_with(ME, &[("authorization", key)]).await;
        assert_eq!(answer.status, status);
        description.holds("get", ME, &answer);
    }
    description.names_every_problem_of(|path| path == ME);
}

#[tokio::test]
async fn real_answers_from_the_log_are_as_described() {
    let running = Running::new().await;
    let mut description = Description::of(running.json(PATH).await);
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let operator = format!("Bearer {}", running.key("Us", Tier::Operator).await.as_str());
    let before = running.get_with(EVENTS, &[("authorization", &partner)]).await;
    running.publish(&[report("new", Water)]).await;
    running.withdraw("new").await;
    let old = format!("after={}", before.json()["next"].as_str().unwrap());
    for (key, query, status) in [
        (&*partner, "", 200),
        (&partner, "limit=1&events=report.withdrawn", 200),
        (&partner, &old, 200),
        (&partner, "after=latest", 200),
        (
            &partner,
            "types=water&lang=pt&include=countryCode,region,eventDate,position,typeLabel",
            200,
        ),
        (&partner, "after=x", 400),
        (&partner, "events=x", 400),
        (&partner, "limit=x", 400),
        (&operator, "", 403),
        ("Bearer x", "", 401),
    ] {
        let path = format!("{EVENTS}?{query}");
        let answer = running.get_with(&path, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
    }
    running.clock.advance(Duration::from_secs(86_400));
    running.database.store.event_log().prune(running.clock.now(), || ready(())).await.unwrap();
    let path = format!("{EVENTS}?{old}");
    let gone = running.get_with(&path, &[("authorization", &partner)]).await;
    assert_eq!(gone.status, 410);
    description.holds("get", &path, &gone);
    description.names_every_problem_of(|path| path == EVENTS);
}
