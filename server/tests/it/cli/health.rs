use serde_json::json;

use crate::harness::{Running, Svc};

/// Exit code, output and messages of `svc health` for a service.
fn asked(addr: &str, json: &[&str]) -> (Option<i32>, String, String) {
    let svc = Svc::new();
    let mut arguments = vec!["health", "--ops-addr", addr];
    arguments.extend(json);
    let output = svc.command(&arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_ready_is_healthy_and_no_other_is() {
    let running = Running::new().await;
    let addr = running.service.ops_addr.unwrap().to_string();
    assert_eq!(asked(&addr, &[]), (Some(0), "ok\n".to_owned(), String::new()));
    let (code, out, _) = asked(&addr, &["--json"]);
    let out: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, out), (Some(0), json!({ "ready": true, "message": "ok" })));

    running.service.app.draining.drain().await;
    let (code, out, said) = asked(&addr, &[]);
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(said.starts_with("svc: the service is not ready: "), "{said}");
    let (code, out, _) = asked(&addr, &["--json"]);
    let out: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &out["ready"]), (Some(1), &json!(false)), "{out}");
}

#[test]
fn a_service_that_is_not_there_is_said_with_its_address() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (code, out, said) = asked(&free.to_string(), &[]);
    assert_eq!((code, &*out), (Some(1), ""));
    let beginning = format!("svc: the service cannot be reached at http://{free}/readyz: ");
    assert!(said.starts_with(&beginning) && said.contains("refused"), "{said}");
}
