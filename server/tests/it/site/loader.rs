use std::{collections::BTreeSet, fs};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha384};

use super::snippet;
use crate::harness::Running;

/// Every version ever released, newest first. Pages refer to them by hash, so none may be removed: only add lines.
const RELEASED: [&str; 4] = [
    "/embed.124f4f9eb08c.js",
    "/embed.c934880a3ebf.js",
    "/embed.82015e8df752.js",
    "/embed.e5dc6638749f.js",
];
const PUBLIC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../public");

#[tokio::test]
async fn released_loaders_are_served_for_ever_as_their_names_and_hashes_say() {
    let running = Running::new().await;
    let list = running.json("/embed.json").await;
    let paths: Vec<&str> = entries(&list).iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, RELEASED);
    for entry in entries(&list) {
        let path = entry["path"].as_str().unwrap();
        let answer = running.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let hash = hex::encode(Sha256::digest(&answer.body));
        assert_eq!(path, format!("/embed.{}.js", &hash[..12]));
        let integrity = format!("sha384-{}", STANDARD.encode(Sha384::digest(&answer.body)));
        assert_eq!(entry["integrity"], integrity, "{path}");
        for (name, value) in [
            ("cache-control", "public, max-age=31536000, immutable"),
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("content-type", "text/javascript; charset=utf-8"),
        ] {
            assert_eq!(answer.header(name), value, "{name} of {path}");
        }
        // The build has replaced the placeholders by lists.
        assert!(!answer.text().contains("SVC_"), "{path}");
    }
}

#[test]
fn every_released_loader_in_the_repository_is_listed() {
    let files: BTreeSet<String> = fs::read_dir(PUBLIC)
        .unwrap()
        .map(|entry| format!("/{}", entry.unwrap().file_name().to_str().unwrap()))
        .filter(|path| path.starts_with("/embed.") && path.ends_with(".js") && path != "/embed.js")
        .collect();
    assert_eq!(files, RELEASED.map(str::to_owned).into());
}

#[tokio::test]
async fn an_unknown_version_is_a_problem_that_says_where_the_others_are() {
    let running = Running::new().await;
    let browser = [("accept", "text/html")];
    let answer = running.get_with("/embed.0123456789ab.js", &browser).await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json(),
        json!({
            "type": "/docs/errors#NOT_FOUND",
            "title": "Not found",
            "status": 404,
            "detail": "There is no such version of the loader. /embed.json lists those there are.",
            "code": "NOT_FOUND",
        })
    );
}

#[tokio::test]
async fn the_start_page_writes_the_line_for_the_newest() {
    let running = Running::new().await;
    let html = running.get("/?widget=feed&theme=dark").await.text();
    let entry = &running.json("/embed.json").await[0];
    let snippet = snippet(&html, "pinned").replace("&lt;", "<").replace("&gt;", ">");
    let base = running.url("");
    let expected = format!(
        "<script src=\"{base}{}\"\n  integrity=\"{}\"\n  crossorigin=\"anonymous\"\n  \
         data-base=\"{base}\" async></script>\n\n<div data-svc=\"feed\" \
         style=\"min-height: 320px\"\n  data-width=\"100%\" data-height=\"320\"\n  data-theme=\"dark\"></div>",
        entry["path"].as_str().unwrap(),
        entry["integrity"].as_str().unwrap(),
    );
    assert_eq!(snippet, expected);
}

fn entries(list: &Value) -> &[Value] {
    list.as_array().unwrap()
}
