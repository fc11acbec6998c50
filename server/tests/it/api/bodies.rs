//! Accepted and refused members of request bodies.

use domain::{scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};

use super::webhooks::{post, running};
use crate::{
    harness::{But, report},
    operator::{Desk, key},
    schema::faults,
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
    assert_eq!(seen.len(), 37, "{seen:#?}");
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

/// Members of a body that can be strings: the path of each with its schema.
fn strings<'d>(document: &'d Value, schema: &'d Value, at: &str) -> Vec<(String, &'d Value)> {
    let schema = resolved(document, schema);
    let variants = ["oneOf", "anyOf", "allOf"].into_iter();
    let variants = variants.flat_map(|word| schema[word].as_array().into_iter().flatten());
    let mut found: Vec<(String, &Value)> = Vec::new();
    for variant in variants {
        found.extend(strings(document, variant, at));
    }
    let is_string = |kind: &Value| kind == "string";
    let kinds = &schema["type"];
    if is_string(kinds) || kinds.as_array().is_some_and(|kinds| kinds.iter().any(is_string)) {
        found.push((at.to_owned(), schema));
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        found.extend(strings(document, member, &format!("{at}/{name}")));
    }
    found
}

/// Sets the member at a path.
fn set(body: &mut Value, at: &str, value: Value) {
    let mut place = body;
    for name in at.split('/').skip(1) {
        place = &mut place[name];
    }
    *place = value;
}

#[tokio::test]
async fn schemas_of_bodies_allow_the_strings_and_nulls_that_are_accepted_and_no_others() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let partner = key(&desk.running, "Aid", Tier::Partner, None).await;
    let new = json!({ "url": "http://127.0.0.1:9/", "events": ["report.created"] }).to_string();
    let created = post(&desk.running, &partner, new).await.json();
    let id = created["subscription"]["id"].as_str().unwrap().to_owned();
    desk.running.publish(&[report("a", Spirit)]).await;
    let (mut seen, mut wrong) = (0, Vec::new());
    for (path, key) in
        [("/api/v1/openapi.json", &partner), ("/operator/v1/openapi.json", &desk.key)]
    {
        let document = desk.running.json(path).await;
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let media = &operation["requestBody"]["content"]["application/json"];
                if !media.is_object() {
                    continue;
                }
                let schema = &media["schema"];
                let is_choice = resolved(&document, schema)["anyOf"].is_array()
                    || resolved(&document, schema)["oneOf"].is_array();
                let mut members = strings(&document, schema, "");
                members.sort_by(|(one, _), (other, _)| one.cmp(other));
                members.dedup_by(|(one, _), (other, _)| one == other);
                for (at, member) in members {
                    let is_free = ["enum", "const", "pattern", "format", "x-extensible-enum"]
                        .iter()
                        .all(|word| member[word].is_null());
                    let longest = member["maxLength"].as_u64().unwrap_or(9_000) as usize;
                    let probes = [json!(null), json!(""), json!("x".repeat(longest + 1))];
                    for probe in probes {
                        if probe == "" && !member["format"].is_null() {
                            // Like `null` in the rows of an import.
                            continue;
                        }
                        let mut body = media["example"].clone();
                        if at == "/after" {
                            body = json!({});
                        }
                        let name = at.split('/').nth(1).unwrap();
                        if is_choice && name != "reason" && body.get(name).is_none() {
                            body = json!({});
                            if name == "filter" {
                                body["filter"]["type"] = json!("water");
                            }
                        }
                        if path.ends_with("/webhooks") && body.get("url").is_some() {
                            body["url"] = json!("http://127.0.0.1:9/a");
                        }
                        set(&mut body, &at, probe.clone());
                        let target = path.replace("reports/{id}", "reports/a").replace("{id}", &id);
                        let target = match path.as_str() {
                            "/operator/v1/report" => format!("{target}?id=a"),
                            _ => format!("{target}?id={id}"),
                        };
                        let named = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                        let sent = Some(("application/json", body.to_string()));
                        let answer = desk.ask(key, named, &target, sent).await;
                        desk.running.clock.advance(std::time::Duration::from_secs(5));
                        let is_refused = matches!(answer.status, 400 | 422);
                        let faults = faults(&document, schema, &body);
                        let is_right = match faults.is_empty() {
                            // A format or a pattern excludes more than the probes do.
                            true => !is_refused || !is_free,
                            false => is_refused,
                        };
                        if !is_right {
                            let probe: String = probe.to_string().chars().take(20).collect();
                            wrong.push(format!(
                                "{method} {path} {at} {probe}: {faults:?} but {} {}",
                                answer.status,
                                answer.text().chars().take(200).collect::<String>()
                            ));
                        }
                        seen += 1;
                    }
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
    assert!(seen > 100, "{seen}");
}
