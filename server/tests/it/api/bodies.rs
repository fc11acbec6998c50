//! Accepted and refused members of request bodies.

use domain::{scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};

use super::webhooks::{post, running};
use crate::{
    harness::{But, report},
    operator::{Desk, key},
};

/// Returns the schema, or the one that its `$ref` points to.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(pointer) => document.pointer(pointer.strip_prefix('#').unwrap()).unwrap(),
        None => schema,
    }
}

/// Objects in a body of this schema: the path and the member names of each.
fn objects(document: &Value, schema: &Value, at: &str) -> Vec<(String, Vec<String>)> {
    let schema = resolved(document, schema);
    let alternatives = schema["oneOf"].as_array().into_iter().chain(schema["anyOf"].as_array());
    let alternatives: Vec<&Value> = alternatives.flatten().collect();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for one in &alternatives {
        found.extend(objects(document, one, at));
    }
    if let Some(members) = schema["properties"].as_object() {
        found.push((at.to_owned(), members.keys().cloned().collect()));
        for (name, member) in members {
            found.extend(objects(document, member, &format!("{at}/{name}")));
        }
    }
    found
}

/// Returns a body with only this member, in the object at `at`.
fn with_member(at: &str, name: &str) -> Value {
    with_value(at, name, Value::Null)
}

fn with_value(at: &str, name: &str, value: Value) -> Value {
    let body = json!({ name: value });
    at.split('/')
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .fold(body, |body, name| json!({ name: body }))
}

#[tokio::test]
async fn a_member_that_no_document_names_is_refused_with_the_one_that_is_meant() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let partner = key(&desk.running, "Aid", Tier::Partner, None).await;
    let mut seen = Vec::new();
    for (path, key) in
        [("/api/v1/openapi.json", &partner), ("/operator/v1/openapi.json", &desk.key)]
    {
        let document = desk.running.json(path).await;
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let content = &operation["requestBody"]["content"];
                if !content["application/json"].is_object() || content["text/csv"].is_object() {
                    continue;
                }
                let schema = &content["application/json"]["schema"];
                for (at, names) in objects(&document, schema, "") {
                    let unknown = ("surprise".to_owned(), None);
                    let misspelt = names.iter().filter(|name| name.len() > 2);
                    let misspelt = misspelt.map(|name| (format!("{name}x"), Some(name)));
                    for (given, meant) in misspelt.chain([unknown]) {
                        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                        let body = with_member(&at, &given).to_string();
                        let target = format!("{}?id=sub_x", path.replace(['{', '}'], ""));
                        let answer =
                            desk.ask(key, method, &target, Some(("application/json", body))).await;
                        let said = answer.json();
                        let pointer = format!("{at}/{given}");
                        assert_eq!(
                            (answer.status, &said["code"], &said["pointer"]),
                            (400, &json!("INVALID_BODY"), &json!(pointer)),
                            "{target} {said}"
                        );
                        let detail = said["detail"].as_str().unwrap();
                        assert!(detail.contains(&format!("{given:?}")), "{detail}");
                        match meant {
                            Some(name) => {
                                let question = format!("did you mean {name:?}?");
                                assert!(detail.ends_with(&question), "{detail}");
                            }
                            None => names.iter().for_each(|name| {
                                assert!(detail.contains(name), "{name}: {detail}");
                            }),
                        }
                    }
                    seen.push(format!("{method} {path} {at}"));
                }
            }
        }
    }
    assert_eq!(seen.len(), 32, "{seen:#?}");
}

/// Words of serde's messages and of Rust that mean nothing to a client.
const RUST: [&str; 12] = [
    "struct", "enum", "variant", "expected", "sequence", "tuple", "newtype", "map with", "u32",
    "i64", "f64", "Option",
];

#[tokio::test]
async fn no_wrong_or_missing_value_is_described_in_terms_of_rust() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let partner = key(&desk.running, "Aid", Tier::Partner, None).await;
    let wrong = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!("\u{0}"),
        json!([[]]),
        json!([{}]),
        json!({ "a": 1 }),
    ];
    let mut refused = 0;
    for (path, key) in
        [("/api/v1/openapi.json", &partner), ("/operator/v1/openapi.json", &desk.key)]
    {
        let document = desk.running.json(path).await;
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let content = &operation["requestBody"]["content"];
                if !content["application/json"].is_object() {
                    continue;
                }
                let schema = &content["application/json"]["schema"];
                let members = objects(&document, schema, "");
                let members = members
                    .iter()
                    .flat_map(|(at, names)| names.iter().map(move |name| (at.as_str(), name)));
                let bodies = members.flat_map(|(at, name)| {
                    wrong.iter().map(move |value| with_value(at, name, value.clone()))
                });
                for body in bodies.chain([json!({})]) {
                    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                    let target = format!("{}?id=sub_x", path.replace(['{', '}'], ""));
                    let sent = Some(("application/json", body.to_string()));
                    let answer = desk.ask(key, method, &target, sent).await;
                    assert!(answer.status < 500, "{target} {body}: {}", answer.text());
                    if answer.status < 400 {
                        continue;
                    }
                    let problem = answer.json();
                    assert!(problem["code"].is_string(), "{target} {body}: {problem}");
                    let faults = problem["errors"].as_array().into_iter().flatten();
                    for fault in faults.chain([&problem]) {
                        let detail = fault["detail"].as_str().unwrap();
                        let leaked = RUST.iter().find(|word| detail.contains(*word));
                        assert_eq!(leaked, None, "{target} {body}: {detail}");
                    }
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 300, "{refused}");
}

#[tokio::test]
async fn a_place_that_nobody_knows_is_accepted_with_a_warning() {
    let running = running().await;
    running.publish(&[report("a", Spirit).at("Ankh", "Sto Plains", "Discworld")]).await;
    let key = running.key("Aid", Tier::Partner).await;
    for (filter, pointer, parts) in [
        (
            json!({ "country": "Brazik" }),
            "/filter/country",
            &["\"Brazik\"", "Did you mean \"Brazil\"?"][..],
        ),
        (
            json!({ "country": "Atlantis" }),
            "/filter/country",
            &["\"Atlantis\"", "no published report"],
        ),
        (json!({ "country": "BR", "city": "Camponas" }), "/filter/city", &["\"Camponas\""]),
        (json!({ "country": "BR", "region": "Bavaria" }), "/filter/region", &["\"Bavaria\""]),
        (json!({ "city": "Xyzzy" }), "/filter/city", &["\"Xyzzy\""]),
        // One warning is enough: an unknown country has no known cities.
        (json!({ "country": "Brazik", "city": "Xyzzy" }), "/filter/country", &["\"Brazik\""]),
        (json!({ "country": "BR" }), "", &[]),
        (json!({ "country": "brasil", "region": "são paulo", "city": "Campinas" }), "", &[]),
        (json!({ "country": "US", "region": "Puerto Rico" }), "", &[]),
        (json!({ "city": "Lyon" }), "", &[]),
        (json!({ "country": "discworld" }), "", &[]),
        (json!({ "region": "STO PLAINS" }), "", &[]),
        (json!({ "country": "Discworld", "city": "Ankh" }), "", &[]),
        (json!({ "types": ["water"] }), "", &[]),
    ] {
        let body =
            json!({ "url": "http://127.0.0.1:9/", "events": ["report.created"], "filter": filter });
        let created = post(&running, &key, body.to_string()).await;
        assert_eq!(created.status, 201, "{filter}: {}", created.text());
        let id = created.json()["subscription"]["id"].as_str().unwrap().to_owned();
        let changed =
            super::webhooks::patch(&running, &key, &id, &json!({ "filter": filter })).await;
        assert_eq!(changed.status, 200, "{filter}: {}", changed.text());
        for answer in [created, changed] {
            let warnings = answer.json()["warnings"].take();
            if pointer.is_empty() {
                assert_eq!(warnings, Value::Null, "{filter}");
                continue;
            }
            assert_eq!(warnings.as_array().unwrap().len(), 1, "{warnings}");
            assert_eq!(warnings[0]["pointer"], pointer);
            let detail = warnings[0]["detail"].as_str().unwrap();
            assert!(parts.iter().all(|part| detail.contains(part)), "{detail}");
        }
        let path = format!("{}?id={id}", super::webhooks::PATH);
        super::webhooks::ask(&running, Method::DELETE, &path, &key).await;
    }
}

#[tokio::test]
async fn reports_with_members_that_are_not_used_are_added_with_a_warning() {
    let desk = Desk::new().await;
    let row = json!({ "id": "a", "type": "spirit", "city": "Lyon", "country": "Frankreich!", "peopelCount": 7 });
    let added = desk.post("/operator/v1/reports", "application/json", row.to_string()).await;
    assert_eq!(added.status, 201);
    assert_eq!(
        added.json()["warnings"],
        json!([
            { "detail": "the key \"peopelCount\" is not used (is it meant to be peopleCount?)" },
            { "detail": "countries that are not recognised: \"Frankreich!\" (1 row)" },
        ])
    );
    let again = json!({ "id": "b", "type": "spirit", "city": "Lyon", "country": "FR" });
    let added = desk.post("/operator/v1/reports", "application/json", again.to_string()).await;
    assert_eq!((added.status, &added.json()["warnings"]), (201, &Value::Null));
}
