//! The gate in front of each route: rate limits and body limits.

use std::{
    io::Read,
    time::{Duration, Instant},
};

use app::pages::docs::GUIDES;
use domain::{scope::Scope, tier::Tier};
use edge::gate::BodyLimit;
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::json;

use svc::config::{self, ListenAddress};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    desk::{Browser, running},
    harness::{Running, report, settings},
    operator::{Desk, key},
};

const HOME: (&str, &str) = ("x-forwarded-for", "192.0.2.1");
const NEIGHBOUR: (&str, &str) = ("x-forwarded-for", "192.0.2.2");

/// Every route with its gate, one per line: listener, path, the limit that its requests count against, and the body
/// limit.
const GATES: &str = include_str!("gate/routes.txt");

#[tokio::test]
async fn every_route_of_every_listener_has_a_line_of_its_own() {
    let mut lines = Vec::new();
    for operator_on in [ListenAddress::Public, ListenAddress::Ops] {
        let settings = config::Serve { operator_on, ..settings() };
        let running = Running::with(settings, crate::harness::START).await;
        for (side, path, gate) in running.service.routes() {
            let charge = gate.charge;
            let body = match gate.body {
                BodyLimit::None => "none".to_owned(),
                BodyLimit::Bytes(bytes) => format!("{} KiB", bytes >> 10),
                BodyLimit::Streamed => "streamed".to_owned(),
            };
            let is_operators = side == ListenAddress::Ops
                || ["/desk", "/operator", "/docs/operator"].iter().any(|own| path.starts_with(own))
                || GUIDES.iter().any(|guide| path == guide.path);
            let side = if is_operators { "operator" } else { "public" };
            lines.push(format!("{side} {path} {charge} {body}"));
        }
        running.service.stop().await;
    }
    lines.sort();
    lines.dedup();
    let expected: Vec<&str> = GATES.lines().collect();
    assert_eq!(lines, expected, "tests/it/gate/routes.txt says what each route lets through");
}

#[tokio::test]
async fn whatever_says_that_its_requests_count_refuses_them_when_the_quota_is_used_up() {
    let running = running().await;
    for _ in 0..60 {
        running.get_with("/api/v1/metrics", &[HOME]).await;
    }
    let maria =
        "svc_desk=00000000000000000000000000000000; svc_partners=00000000000000000000000000000000";
    let mut tried = 0;
    while running.get_with("/desk", &[HOME, ("cookie", maria)]).await.status != 429 {
        tried += 1;
        assert!(tried < 100);
    }
    let origin = running.url("");
    let origin = ("origin", origin.trim_end_matches('/'));
    for (side, path, gate) in
        running.service.routes().filter(|(side, ..)| *side == ListenAddress::Public)
    {
        let headers = match gate.charge {
            "request" => vec![HOME, origin],
            "session" | "sign-in" => vec![HOME, origin, ("cookie", maria)],
            _ => continue,
        };
        let path = path.replace(['{', '}', '*'], "");
        let mut refused = 0;
        for method in ["GET", "POST", "PATCH", "DELETE"] {
            let request = running.http.request(method.parse().unwrap(), running.url(&path));
            let answer = running.ask(request, &headers).await;
            match answer.status {
                429 => refused += 1,
                // Pages have no such method, and the refusal does not count.
                405 => {}
                other => panic!("{method} {path} on {side:?}: {other} {}", answer.text()),
            }
        }
        assert!(refused > 0, "{path}");
    }
}

/// Response to a request whose body announces this many bytes but is never sent.
async fn stalled(
    running: &Running,
    method: &str,
    path: &str,
    headers: &str,
    bytes: usize,
) -> String {
    let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nX-Forwarded-For: 198.51.100.7\r\n{headers}\
         Content-Length: {bytes}\r\n\r\n{{",
        running.service.addr
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(40), stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn no_route_waits_for_a_slow_body_and_none_reads_one_that_is_too_large() {
    let running = running().await;
    let admin = key(&running, "Ada", Tier::Operator, Some(Scope::Admin)).await;
    let partner = key(&running, "Aid", Tier::Partner, None).await;
    let browser = Browser::of(&running, "Maria", Scope::Admin).await;
    let cookie = browser.cookie.clone();
    let mut aid = Browser::at(&running, "/partners");
    aid.sign_in(&partner).await;
    let aid = aid.cookie;
    let mut asked = Vec::new();
    for (_, path, gate) in running.service.routes() {
        let BodyLimit::Bytes(max) = gate.body else { continue };
        let path = path
            .replace("{function}", "decide")
            .replace("{action}", "subscribe")
            .replace("{id}", if path.contains("webhooks") { "sub_x" } else { "r-1" });
        let changes = ["/operator/v1/report", "/api/v1/me"].contains(&&*path);
        let method = if changes || path.ends_with("/r-1") { "PATCH" } else { "POST" };
        let (kind, who) = match &*path {
            desk if desk.starts_with("/desk") => (
                "application/x-www-form-urlencoded",
                format!("Origin: http://{}\r\nCookie: {cookie}\r\n", running.service.addr),
            ),
            portal if portal.starts_with("/partners") => (
                "application/x-www-form-urlencoded",
                format!("Origin: http://{}\r\nCookie: {aid}\r\n", running.service.addr),
            ),
            "/embed/report" => ("application/x-www-form-urlencoded", String::new()),
            api if api.starts_with("/api") => {
                ("application/json", format!("Authorization: Bearer {}\r\n", partner.as_str()))
            }
            _ => ("application/json", format!("Authorization: Bearer {}\r\n", admin.as_str())),
        };
        let headers = format!("Content-Type: {kind}\r\n{who}");
        for (bytes, status) in [(max, "408"), (max + 1, "413")] {
            let (running, path, headers) = (&running, path.clone(), headers.clone());
            asked.push(async move {
                let began = Instant::now();
                let answer =
                    stalled(running, method, &format!("{path}?id=r-1"), &headers, bytes).await;
                let took = began.elapsed();
                let got = answer.split(' ').nth(1).unwrap_or_default();
                assert_eq!(got, status, "{method} {path} of {bytes} bytes: {answer}");
                let code = if status == "408" { "REQUEST_TIMEOUT" } else { "PAYLOAD_TOO_LARGE" };
                assert!(answer.contains(code), "{path}: {answer}");
                assert!(status == "408" || took < Duration::from_secs(9), "{path}: after {took:?}");
            });
        }
    }
    assert!(asked.len() > 20, "{}", asked.len());
    futures_util::future::join_all(asked).await;
}

#[tokio::test]
async fn pictures_for_one_address_keep_nobody_else_from_theirs() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let path = |number: usize| format!("/embed/metrics.png?title={number}");
    let hostile = async |number: usize| running.get_with(&path(number), &[HOME]).await.status;
    let other = async |number: usize| {
        tokio::time::sleep(Duration::from_millis(30)).await;
        running.get_with(&path(1_000 + number), &[NEIGHBOUR]).await.status
    };
    let hostile = futures_util::future::join_all((0..40).map(hostile));
    let others = futures_util::future::join_all((0..6).map(other));
    let (_, others) = tokio::join!(hostile, others);
    assert_eq!(others, [200; 6]);
}

#[tokio::test]
async fn a_picture_costs_more_than_a_page() {
    let running = Running::new().await;
    let mut made = 0;
    while running.get_with(&format!("/embed/metrics.png?title={made}"), &[HOME]).await.status == 200
    {
        made += 1;
        assert!(made < 200, "pictures without end");
    }
    assert!(made > 5, "{made}");
    assert_eq!(running.get_with("/embed/metrics?title=x", &[HOME]).await.status, 429);
    assert_eq!(running.get_with("/embed/metrics.png?title=0", &[HOME]).await.status, 200, "cached");
}

#[tokio::test]
async fn views_together_are_kept_and_another_order_of_them_is_paid_for() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let path = |first: usize| {
        let views: Vec<String> =
            (0..16).map(|limit| format!("view=limit%3D{}", (limit + first) % 16 + 1)).collect();
        format!("/embed/live?{}", views.join("&"))
    };
    assert_eq!(running.get_with(&path(0), &[HOME]).await.status, 200);
    let mut refused = 0;
    for number in 0..700 {
        let title = format!("/embed/metrics?title={number}");
        refused += usize::from(running.get_with(&title, &[HOME]).await.status == 429);
    }
    assert!(refused > 0);
    assert_eq!(running.get_with(&path(0), &[HOME]).await.status, 200, "as often as one likes");
    assert_eq!(running.get_with(&path(1), &[HOME]).await.status, 429);
    assert_eq!(running.get_with(&path(1), &[NEIGHBOUR]).await.status, 200);
}

/// Next tick of a stream.
async fn tick(stream: &mut reqwest::Response) -> String {
    let mut received = String::new();
    while !received.contains("event: tick") {
        let chunk = tokio::time::timeout(Duration::from_secs(60), stream.chunk()).await;
        received += std::str::from_utf8(&chunk.unwrap().unwrap().unwrap()).unwrap();
    }
    received
}

#[tokio::test]
async fn a_view_of_a_stream_that_cannot_be_paid_for_comes_with_a_later_tick() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut number = 0;
    while running.get_with(&format!("/embed/metrics?title={number}"), &[HOME]).await.status == 200 {
        number += 1;
    }
    let open = async |path: &str, key: &str| {
        let request = running.http.get(running.url(path)).header(HOME.0, HOME.1);
        let request = if key.is_empty() { request } else { request.bearer_auth(key) };
        request.send().await.unwrap()
    };
    let path = "/api/v1/stream?view=limit%3D7";
    let mut stream = open(path, "").await;
    assert!(!tick(&mut stream).await.contains("event: view"));
    let mut paid = open("/api/v1/stream?view=limit%3D8", key.as_str()).await;
    assert!(tick(&mut paid).await.contains("event: view"), "a key pays by its requests");
    running.clock.advance(Duration::from_secs(5));
    assert!(tick(&mut stream).await.contains("event: view"));
}

#[tokio::test]
async fn the_reference_for_operators_is_kept_and_made_up_hosts_are_paid_for() {
    let running = running().await;
    let ask = async |host: &str| {
        running
            .get_with("/docs/operator", &[HOME, ("host", host), ("accept-encoding", "gzip")])
            .await
    };
    let first = ask("a.example").await;
    assert_eq!((first.status, first.header("content-encoding")), (200, "gzip"));
    for _ in 0..700 {
        assert_eq!(ask("a.example").await.status, 200, "what is kept is free");
    }
    let mut status = 200;
    for number in 0..700 {
        status = ask(&format!("h{number}.example")).await.status;
        if status != 200 {
            break;
        }
    }
    assert_eq!(status, 429);
}

#[tokio::test]
async fn made_up_cookies_reach_the_database_only_so_often_and_disturb_nobody_who_is_signed_in() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Read).await;
    let made_up = async |number: usize| {
        let cookie = format!("svc_desk={number:032}");
        running.get_with("/desk", &[HOME, ("cookie", &cookie)]).await.status
    };
    let mut refused = 0;
    for number in 0..100 {
        refused += usize::from(made_up(number).await == 429);
    }
    assert_eq!(refused, 40);
    let known = [HOME, ("cookie", &*maria.cookie)];
    assert_eq!(running.get_with("/desk", &known).await.status, 200);
    assert_eq!(running.get_with("/desk/sign-in", &[HOME]).await.status, 200, "without a cookie");
}

#[tokio::test]
async fn whoever_has_used_the_public_quota_can_still_sign_in() {
    let running = running().await;
    let maria = key(&running, "Maria", Tier::Operator, Some(Scope::Read)).await;
    let origin = running.url("");
    let origin = origin.trim_end_matches('/');
    for _ in 0..61 {
        running.get_with("/api/v1/metrics", &[HOME]).await;
    }
    assert_eq!(running.get_with("/api/v1/metrics", &[HOME]).await.status, 429);
    let sign_in = async |key: &str| {
        let request = running.http.post(running.url("/desk/do/sign-in"));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let body =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("key", key).finish();
        running.ask(request.body(body), &[HOME, ("origin", origin), ("accept", "text/html")]).await
    };
    let signed_in = sign_in(maria.as_str()).await;
    assert!(signed_in.header("set-cookie").starts_with("svc_desk="), "{}", signed_in.text());
    for _ in 0..60 {
        sign_in("svc_wrong").await;
    }
    let refused = sign_in(maria.as_str()).await;
    assert!(refused.header("set-cookie").starts_with("svc_desk_notice=tToo+many+sign-in+attempts"));
}

#[tokio::test]
async fn an_archive_that_needs_much_memory_is_refused_over_http() {
    let desk = Desk::of("Maria", Scope::Moderate).await;
    // Header of a zstd frame with a window of 64 MiB, as written by `zstd --long=26`.
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x80, 0x01, 0x00, 0x00];
    let request = desk.running.http.post(desk.running.url("/operator/v1/reports"));
    let request = request.bearer_auth(desk.key.as_str()).header("content-type", "text/csv");
    let answer = desk.running.ask(request.body(frame.to_vec()), &[]).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(answer.text().contains("more than 8 MiB of memory"), "{}", answer.text());
}

#[tokio::test]
async fn only_so_many_uploads_are_imported_at_a_time_and_the_next_is_told() {
    let desk = Desk::of("Maria", Scope::Moderate).await;
    let head = format!(
        "POST /operator/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\nContent-Type: text/csv\r\n\
         Content-Length: 100\r\n\r\ntype,",
        desk.key.as_str()
    );
    let mut open = Vec::new();
    for _ in 0..4 {
        let mut stream = TcpStream::connect(desk.running.service.addr).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        open.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let row = "type,city,country\nspirit,Recife,Brazil\n";
    let request = desk.running.http.post(desk.running.url("/operator/v1/reports"));
    let request = request.bearer_auth(desk.key.as_str()).header("content-type", "text/csv");
    let waits = desk.running.ask(request.try_clone().unwrap().body(row), &[]).await;
    assert_eq!((waits.status, &waits.json()["code"]), (503, &json!("UNAVAILABLE")));
    assert!(!waits.header("retry-after").is_empty());
    drop(open);
    let added = desk.running.ask(request.body(row), &[]).await;
    assert_eq!(added.status, 201, "{}", added.text());
}

#[tokio::test]
async fn a_long_list_of_places_is_kept_packed_and_unpacked_for_who_needs_it() {
    let running = Running::new().await;
    let places: Vec<_> = (0..3_000)
        .map(|number| {
            let mut one = report(&format!("r{number}"), Spirit);
            one.city = format!("City {number:05}");
            one
        })
        .collect();
    running.publish(&places).await;
    let path = "/api/v1/geo-facets?from=2024-01-01&to=2026-12-31";
    let plain = running.get(path).await;
    assert_eq!(plain.header("content-length"), plain.body.len().to_string());
    assert_eq!(plain.json()["locations"].as_array().unwrap().len(), 3_000);
    let packed = running.get_with(path, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    assert_eq!(packed.header("etag"), plain.header("etag"));
}

#[tokio::test]
async fn pages_of_other_sites_read_nothing_on_the_operators_address() {
    let running = Running::new().await;
    let addr = running.service.ops_addr.unwrap();
    let ask = async |method: Method, path: &str, host: &str| {
        let request = running.http.request(method, format!("http://{addr}{path}"));
        running.ask(request, &[("host", host), ("origin", "https://evil.example")]).await
    };
    for path in
        ["/metrics", "/health", "/healthz", "/readyz", "/operator/v1/openapi.json", "/nothing"]
    {
        let answer = ask(Method::GET, path, "localhost:3001").await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        let preflight = ask(Method::OPTIONS, path, "localhost:3001").await;
        assert_eq!(preflight.header("access-control-allow-origin"), "", "{path}");
        // DNS rebinding: a foreign name that resolves to this address.
        let rebound = ask(Method::GET, path, "evil.example:3001").await;
        assert_eq!(rebound.status, 403, "{path}");
        assert_eq!(rebound.header("access-control-allow-origin"), "", "{path}");
    }
}
