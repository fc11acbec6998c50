use std::time::Duration;

use serde_json::{Value, json};

use super::{Open, lyon};

/// Code, and pointers of the faults.
fn faults(answer: &Value) -> (&str, Vec<&str>) {
    let errors = answer["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let pointers = errors.iter().map(|error| error["pointer"].as_str().unwrap_or_default());
    (answer["code"].as_str().unwrap(), pointers.collect())
}

async fn with(open: &Open, member: &str, value: Value) -> Value {
    let mut body = lyon();
    body[member] = value;
    let answer = open.submit(body, "192.0.2.1").await;
    answer.json()
}

#[tokio::test]
async fn wrong_members_are_faults_of_the_body() {
    let open = Open::new().await;
    for (member, value, pointer) in [
        ("type", json!("fire"), "/type"),
        ("city", json!(7), "/city"),
        ("peopleCount", json!(-1), "/peopleCount"),
        ("peopleCount", json!("1"), "/peopleCount"),
        ("lat", json!(48.0), "/lat"),
        ("status", json!("APPROVED"), "/status"),
        ("id", json!("rep_1"), "/id"),
    ] {
        let refused = with(&open, member, value).await;
        assert_eq!(faults(&refused), ("INVALID_BODY", vec![pointer]), "{refused}");
    }
    let missing = open.submit(json!({ "city": "Lyon" }), "192.0.2.1").await.json();
    assert_eq!(faults(&missing), ("INVALID_BODY", vec!["/type", "/country"]), "{missing}");
    assert!(open.pending().await.is_empty());
}

#[tokio::test]
async fn reports_follow_the_rules_of_imports() {
    let open = Open::new().await;
    for (member, value, detail) in [
        ("city", json!(" "), "is empty"),
        ("city", json!("L\u{7}"), "has a control character (U+0007)"),
        ("region", json!("x".repeat(257)), "is 257 characters long; the maximum is 256"),
        (
            "eventDate",
            json!("2026-03-02"),
            "2026-03-02 is in the future: today is 2026-03-01 (UTC)",
        ),
        ("note", json!("x".repeat(1_001)), "is 1001 characters long; the maximum is 1000"),
        ("note", json!("a\u{0}b"), "has a control character (U+0000)"),
        ("contact", json!("x".repeat(201)), "is 201 characters long; the maximum is 200"),
        ("contact", json!("a\nb"), "has a control character (U+000A)"),
    ] {
        let refused = with(&open, member, value).await;
        let (code, pointers) = faults(&refused);
        assert_eq!((code, pointers), ("INVALID_REPORT", vec![&*format!("/{member}")]), "{refused}");
        assert_eq!(refused["errors"][0]["detail"], detail, "{member}");
    }
    let all = json!({ "type": "water", "city": "", "country": "", "note": "x".repeat(1_001) });
    let refused = open.submit(all, "192.0.2.1").await.json();
    assert_eq!(faults(&refused), ("INVALID_REPORT", vec!["/city", "/country", "/note"]));
    assert!(open.pending().await.is_empty());
}

#[tokio::test]
async fn hostile_texts_are_kept_as_they_are() {
    let open = Open::new().await;
    let text = "<script>alert(1)</script> '; DROP TABLE reports; -- \u{202e}\n=1+1 🜄";
    let body = json!({
        "type": "water", "city": "<b>Lyon</b>", "country": "France", "note": text, "contact": "=cmd()",
    });
    let id = open.accepted(body, "192.0.2.1").await;
    let report = open.moderated(&format!("/operator/v1/reports/{id}")).await;
    assert_eq!(report["city"], "<b>Lyon</b>");
    assert_eq!(report["submission"]["note"], text);
    assert_eq!(report["submission"]["contact"], "=cmd()");
}

#[tokio::test]
async fn a_proof_is_needed_and_accepted_once_and_in_time() {
    let open = Open::new().await;
    let refused = async |proof: Value| {
        let mut body = lyon();
        body["proof"] = proof;
        let answer = open.send(&body, "192.0.2.1").await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("INVALID_PROOF")));
        answer.json()["detail"].as_str().unwrap().to_owned()
    };
    assert!(refused(Value::Null).await.starts_with("A proof of work is missing"));
    let proof = open.proof().await;
    let mut wrong = proof.clone();
    wrong["nonce"] = json!("x");
    assert!(refused(wrong).await.starts_with("The nonce is wrong"));
    let mut forged = proof.clone();
    forged["challenge"] = json!(proof["challenge"].as_str().unwrap().replacen('1', "2", 1));
    assert!(refused(forged).await.starts_with("This service did not issue"));

    let mut body = lyon();
    body["city"] = json!("Nice");
    body["proof"] = proof.clone();
    let first = open.send(&body, "192.0.2.1").await;
    assert_eq!(first.status, 202, "{}", first.text());
    // A repeated request is the same report.
    assert_eq!(open.send(&body, "192.0.2.1").await.json(), first.json());
    assert!(refused(proof).await.starts_with("The challenge was used before"));

    let late = open.proof().await;
    open.running.clock.advance(Duration::from_secs(601));
    assert!(refused(late).await.starts_with("The challenge has expired"));
    assert_eq!(open.pending().await.len(), 1);
}

#[tokio::test]
async fn a_network_submits_five_reports_an_hour_and_twenty_a_day() {
    let open = Open::new().await;
    let mut people = 0;
    let mut next = async |address: &str| {
        people += 1;
        let mut body = lyon();
        body["peopleCount"] = json!(people);
        open.submit(body, address).await
    };
    let address = "2001:db8::1";
    for hour in 0..4 {
        for _ in 0..5 {
            assert_eq!(next(address).await.status, 202);
        }
        let refused = next("2001:db8::2").await;
        assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("RATE_LIMITED")));
        let wait = if hour == 3 { (24 - 3) * 3_600 } else { 3_600 };
        assert_eq!(refused.header("retry-after"), wait.to_string());
        open.running.clock.advance(Duration::from_secs(3_600));
    }
    assert_eq!(next(address).await.header("retry-after"), (20 * 3_600).to_string());
    assert_eq!(next("2001:db8:1::1").await.status, 202, "another network");
    open.running.clock.advance(Duration::from_secs(20 * 3_600));
    assert_eq!(next(address).await.status, 202);
    assert_eq!(open.pending().await.len(), 22);
}
