//! Advice on the key of webhook secrets, which no database contains.

use std::fs;

use super::{copied, copy, filled};
use crate::harness::Svc;

fn key(svc: &Svc) -> String {
    store::secrets::Keyring::of_file(svc.key_file()).ids().unwrap()[0].to_string()
}

/// Output of a copy after its table and the sentence that follows.
fn advice(from: &Svc, to: &Svc) -> Option<String> {
    let ran = copy(from, to);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (_, advice) = ran.out.split_once(" rows.\n").unwrap();
    (!advice.is_empty()).then(|| advice.trim_end().to_owned())
}

#[tokio::test]
async fn the_key_that_a_copy_needs_is_named_unless_it_is_there() {
    let (source, server, file) = (filled().await, Svc::with_server(), Svc::with_file());
    let (key, key_file) = (key(&source), source.key_file());
    let needs = format!("Its webhook secrets need the key {key}, which no database has:");
    assert_eq!(
        advice(&source, &server).unwrap(),
        format!(
            "{needs} give all services on it a copy of {} with --secret-key-file.",
            key_file.display()
        )
    );
    let place = file.key_file().display().to_string();
    assert_eq!(
        advice(&server, &file).unwrap(),
        format!(
            "{needs} put the key file at {place}, or give its service the SVC_SECRET_KEY or \
             --secret-key-file that it had on the source."
        )
    );
    let other = Svc::with_file();
    assert_eq!(
        advice(&source, &other).unwrap(),
        format!("{needs} copy {} to {}.", key_file.display(), other.key_file().display())
    );
    for is_json in [false, true] {
        let file = Svc::with_migrated_file();
        fs::copy(&key_file, file.key_file()).unwrap();
        match is_json {
            false => assert_eq!(advice(&server, &file), None),
            true => assert_eq!(copied(&server, &file)["secretKeys"], serde_json::json!([key])),
        }
    }
}

#[test]
fn a_copy_without_webhooks_needs_no_key() {
    let (source, target) = (Svc::with_migrated_file(), Svc::with_server());
    assert_eq!(advice(&source, &target), None);
}
