//! The widget with the form for reports, as browsers without scripts use it.

use std::time::Duration;

use domain::report::Status;
use serde_json::json;
use store::ReportList;
use url::form_urlencoded;

use crate::harness::{Answer, Running, START, open};

const PATH: &str = "/embed/report?lang=en";
const FORM: &str = "application/x-www-form-urlencoded";

struct Visitor {
    running: Running,
}

impl Visitor {
    async fn new() -> Self {
        Self { running: Running::with(open(), START).await }
    }

    /// Opens the form, and returns its token.
    async fn token(&self) -> String {
        token(&self.running.get(PATH).await.text())
    }

    async fn send(&self, fields: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.running.http.post(self.running.url(PATH)).body(body);
        let headers = [("content-type", FORM), ("x-forwarded-for", "192.0.2.1")];
        self.running.ask(request, &headers).await
    }

    /// Lets people's time pass.
    fn wait(&self) {
        self.running.clock.advance(Duration::from_secs(30));
    }

    async fn pending(&self) -> Vec<String> {
        let selection =
            store::Selection { status: Some(Status::Pending), ..store::Selection::default() };
        let list = ReportList { selection, limit: 100, ..ReportList::default() };
        let reports = self.running.database.store.reports().list(&list).await.unwrap().reports;
        reports.into_iter().map(|report| report.city).collect()
    }
}

fn token(html: &str) -> String {
    let (_, rest) = html.split_once("name=\"token\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// A report from a city.
fn from<'f>(city: &'f str, token: &'f str) -> [(&'f str, &'f str); 9] {
    [
        ("type", "water"),
        ("city", city),
        ("country", "France"),
        ("peopleCount", "12"),
        ("eventDate", "2026-02-28"),
        ("note", ""),
        ("contact", ""),
        ("website", ""),
        ("token", token),
    ]
}

#[tokio::test]
async fn a_form_is_for_one_visitor_and_may_be_sent_to_this_service_only() {
    let visitor = Visitor::new().await;
    let (one, other) = (visitor.running.get(PATH).await, visitor.running.get(PATH).await);
    assert_eq!(
        (one.status, one.header("cache-control"), one.header("etag")),
        (200, "no-store", "")
    );
    let policy = one.header("content-security-policy");
    assert!(policy.contains("form-action 'self'; frame-ancestors *"), "{policy}");
    assert_ne!(token(&one.text()), token(&other.text()));
    assert_eq!(one.header("set-cookie"), "");
}

#[tokio::test]
async fn a_form_is_accepted_after_some_seconds_and_once() {
    let visitor = Visitor::new().await;
    let token = visitor.token().await;
    let early = visitor.send(&from("Lyon", &token)).await;
    assert_eq!(early.status, 400);
    assert!(early.text().contains("The form was sent too soon or too late."), "{}", early.text());
    assert!(early.text().contains("value=\"Lyon\""), "{}", early.text());
    visitor.wait();
    let sent = visitor.send(&from("Lyon", &token)).await;
    assert_eq!((sent.status, sent.header("cache-control")), (200, "no-store"));
    assert!(sent.text().contains("Thank you. Your report will be checked."), "{}", sent.text());
    assert_eq!(visitor.pending().await, ["Lyon"]);
    // A repeated form is the same report, and another report needs another form.
    assert_eq!(visitor.send(&from("Lyon", &token)).await.status, 200);
    assert_eq!(visitor.send(&from("Nice", &token)).await.status, 400);
    assert_eq!(visitor.send(&from("Nice", "1772366400.x.y")).await.status, 400);
    assert_eq!(visitor.pending().await, ["Lyon"]);
}

#[tokio::test]
async fn forms_without_scripts_have_a_smaller_quota() {
    let visitor = Visitor::new().await;
    let mut answers = Vec::new();
    for city in ["Lyon", "Nice", "Paris"] {
        let token = visitor.token().await;
        visitor.wait();
        answers.push(visitor.send(&from(city, &token)).await);
    }
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [200, 200, 429]);
    assert!(answers[2].text().contains("Too many reports came from your network."));
    assert_eq!(answers[2].header("retry-after"), (3_600 - 60).to_string());
    assert_eq!(visitor.pending().await, ["Nice", "Lyon"]);
}

#[tokio::test]
async fn a_form_that_a_program_fills_in_is_thanked_for_and_dropped() {
    let visitor = Visitor::new().await;
    let token = visitor.token().await;
    visitor.wait();
    let mut fields = from("Lyon", &token);
    fields[7].1 = "https://spam.example";
    let sent = visitor.send(&fields).await;
    assert_eq!(sent.status, 200);
    assert!(sent.text().contains("Thank you."));
    assert!(visitor.pending().await.is_empty());
}

#[tokio::test]
async fn a_refused_form_says_in_its_language_what_is_wrong_and_keeps_its_values() {
    let visitor = Visitor::new().await;
    let token = visitor.token().await;
    visitor.wait();
    let mut fields = from("\"><script>", &token);
    fields[3].1 = "many";
    fields[4].1 = "2999-01-01";
    fields[5].1 = "</textarea><b>";
    let refused = visitor.send(&fields).await;
    assert_eq!(refused.status, 422);
    let html = refused.text();
    for text in [
        "Enter a whole number from 1 to 1,000,000.",
        "Enter a date that is not in the future.",
        "value=\"many\"",
        "&lt;/textarea&gt;&lt;b&gt;",
    ] {
        assert!(html.contains(text), "{text} is not in {html}");
    }
    assert!(!html.contains("<script>") && !html.contains("</textarea><b>"), "{html}");
    let request = visitor.running.http.post(visitor.running.url("/embed/report?lang=de")).body("");
    let german = visitor.running.ask(request, &[("content-type", FORM)]).await;
    assert_eq!((german.status, german.header("content-language")), (422, "de"));
    assert!(german.text().contains("Wählen Sie eine Art."), "{}", german.text());
}

#[tokio::test]
async fn other_bodies_are_refused() {
    let visitor = Visitor::new().await;
    let request = visitor.running.http.post(visitor.running.url(PATH)).json(&json!({}));
    let refused = visitor.running.ask(request, &[]).await;
    assert_eq!((refused.status, &refused.json()["code"]), (415, &json!("UNSUPPORTED_MEDIA_TYPE")));
}

#[tokio::test]
async fn without_intake_there_is_a_sentence_that_caches_may_keep() {
    let running = Running::new().await;
    let page = running.get(PATH).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("No reports are taken here at the moment."), "{}", page.text());
    assert!(!page.text().contains("<form"), "{}", page.text());
    assert_ne!(page.header("etag"), "");
    let request = running.http.post(running.url(PATH)).body("type=water");
    let sent = running.ask(request, &[("content-type", FORM)]).await;
    assert_eq!((sent.status, &sent.json()["code"]), (404, &json!("NOT_FOUND")));
    assert_eq!(running.get("/embed/report/places?city=lyon").await.status, 404);
    let home = running.get("/").await.text();
    assert!(!home.contains("value=\"report\""), "{home}");
}

#[tokio::test]
async fn cities_are_suggested_by_how_they_begin() {
    let visitor = Visitor::new().await;
    let places = visitor.running.json("/embed/report/places?city=Lyo&country=FR").await;
    assert_eq!(places[0]["city"], "Lyon");
    assert_eq!(places[0]["country"], "France");
    assert!(places[0]["label"].as_str().unwrap().ends_with(", France"), "{places}");
    for nothing in ["", "?city=L", "?city=%3Cscript%3E", "?country=FR"] {
        let path = format!("/embed/report/places{nothing}");
        assert_eq!(visitor.running.json(&path).await, json!([]), "{nothing}");
    }
}

#[tokio::test]
async fn the_builder_offers_the_form_and_oembed_knows_it() {
    let visitor = Visitor::new().await;
    let home = visitor.running.get("/?widget=report&city=Lyon").await.text();
    assert!(home.contains("value=\"report\" checked"), "{home}");
    assert!(home.contains("/embed/report?city=Lyon"), "{home}");
    let url = visitor.running.url("/embed/report");
    let embedded = visitor.running.json(&format!("/oembed?url={url}")).await;
    assert!(embedded["html"].as_str().unwrap().contains("/embed/report"), "{embedded}");
    assert_eq!(embedded["title"], "Report an event");
    for picture in ["/embed/report.svg", "/embed/report.png"] {
        assert_eq!(visitor.running.get(picture).await.status, 404, "{picture}");
    }
}
