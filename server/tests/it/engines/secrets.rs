//! Webhook secrets at rest: no file contains them in plain text, and only the right key decrypts them.

mod encrypted;
mod operated;
mod replaced;
mod responses;
mod rotated;

use std::path::Path;

use domain::{event::EventName::ReportCreated, subscription::NewSubscription, tier::Tier};
use store::{KeySettings, NewKey, Store};

/// Prefix of every secret in plain text.
const MARK: &str = "whsec_";

/// Id of a subscription, long enough to be found in files.
fn id(number: u32) -> String {
    format!("sub_{number:022}")
}

fn secret(number: u32) -> String {
    format!("{MARK}{number:043}=")
}

/// Creates the only partner of a database.
async fn partner(store: &Store) {
    let key = NewKey {
        prefix: "svc_AAAAAAAA".to_owned(),
        hash: [0; 32],
        tier: Tier::Partner,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    assert!(store.keys().create("Acme", &key).await.unwrap().is_some());
}

async fn subscribe(store: &Store, number: u32) {
    let new = NewSubscription {
        id: id(number),
        partner_id: 1,
        url: "https://example.org/hook".to_owned(),
        events: vec![ReportCreated],
        filter: None,
        secret: secret(number),
    };
    assert!(store.subscriptions().create(&new, u32::MAX).await.unwrap().is_some());
}

/// Checks that exactly `count` secrets can be decrypted.
async fn all_open(store: &Store, count: u32) {
    store.subscriptions().check_secrets().await.unwrap();
    for number in 1..=count {
        store.subscriptions().check_secret(&id(number)).await.unwrap();
    }
}

/// Names of the files in a folder that contain a text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        // Dropped connections may remove the journal at this moment.
        let Ok(bytes) = std::fs::read(&file) else { continue };
        if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
            found.push(file.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    found.sort();
    found
}

/// Keys in a key file.
fn keys_in(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}
