//! Signatures of a webhook. Two, over the same bytes: the interface's own `X-SVC-Signature`, which
//! any language checks in three lines, and that of [Standard Webhooks](https://www.standardwebhooks.com),
//! which covers the time too, so that a receiver can refuse a replay.

use std::fmt;

use base::random::Random;
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::TimeDelta;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How long webhooks are signed with the old secret, too, after a rotation.
pub const OLD_SECRET_LASTS: TimeDelta = TimeDelta::hours(24);

/// Says what the rest is, to its holder and to scanners for leaked secrets.
const PREFIX: &str = "whsec_";

/// What a subscription's deliveries are signed with: `whsec_` and the standard base64 of 32 bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    pub fn generate(random: &Random) -> Self {
        let key: [[u8; 8]; 4] = std::array::from_fn(|_| random.number().to_be_bytes());
        Self(format!("{PREFIX}{}", STANDARD.encode(key.as_flattened())))
    }

    /// One that [`Secret::generate`] has made.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The whole text, as it is shown once and stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value of `X-SVC-Signature`: `sha256=` and the lower-case hexadecimal HMAC-SHA256 of the
    /// body, keyed with the whole text's bytes, because the interface says no more of the secret
    /// than that it is a string.
    pub fn x_svc_signature(&self, body: &[u8]) -> String {
        format!("sha256={}", hex::encode(hmac(self.0.as_bytes(), &[body])))
    }

    /// The value of `webhook-signature` (Standard Webhooks 1.0): `v1,` and the base64 HMAC-SHA256
    /// of `id.timestamp.body`, keyed with the decoded bytes. `timestamp_seconds` is Unix time, the
    /// same as in the header `webhook-timestamp`.
    pub fn standard_signature(&self, id: &str, timestamp_seconds: i64, body: &[u8]) -> String {
        let signed = format!("{id}.{timestamp_seconds}.");
        format!("v1,{}", STANDARD.encode(hmac(&self.key(), &[signed.as_bytes(), body])))
    }

    /// The decoded bytes. A text that does not decode was never generated here: it signs as it
    /// stands, and whoever verifies with a library hears from that what is wrong with it.
    fn key(&self) -> Vec<u8> {
        let encoded = self.0.strip_prefix(PREFIX).unwrap_or(&self.0);
        STANDARD.decode(encoded).unwrap_or_else(|_| encoded.as_bytes().to_vec())
    }
}

impl fmt::Debug for Secret {
    /// Keeps the secret out of logs.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// What a subscription's webhooks are signed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secrets {
    pub current: Secret,
    /// The one before a rotation, as long as receivers may still verify with it.
    pub old: Option<Secret>,
}

impl Secrets {
    /// The value of `X-SVC-Signature`, which has room for one signature: that of the current secret.
    pub fn x_svc_signature(&self, body: &[u8]) -> String {
        self.current.x_svc_signature(body)
    }

    /// The value of `webhook-signature`: the signatures of all secrets, the current one's first,
    /// separated by spaces (Standard Webhooks 1.0).
    pub fn standard_signature(&self, id: &str, timestamp_seconds: i64, body: &[u8]) -> String {
        let secrets = std::iter::once(&self.current).chain(&self.old);
        let signatures: Vec<_> =
            secrets.map(|secret| secret.standard_signature(id, timestamp_seconds, body)).collect();
        signatures.join(" ")
    }
}

impl From<Secret> for Secrets {
    fn from(current: Secret) -> Self {
        Self { current, old: None }
    }
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length (RFC 2104)")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use standardwebhooks::Webhook;

    use super::*;

    // These five are the test vectors of docs/webhooks-reference.md.
    const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const ID: &str = "evt_2N9SyZbZ8yHkVwUe3rQ1Tg";
    const TIMESTAMP: i64 = 1_772_366_400;
    const X_SVC_SIGNATURE: &str =
        "sha256=5213a8c017ca1ddcb5ff9111bda049fc35a3b469c17b4a5012a5a9049c03d01f";
    const STANDARD_SIGNATURE: &str = "v1,ybT4ADNTUTKOEWB5KDGpE9tqFw5qMhXAgoOyrKR5G6U=";
    const BODY: &str = r#"{"event":"report.created","timestamp":"2026-03-01T12:00:00.000Z","data":{"id":"r-1","city":"São Paulo","country":"Brazil","peopleCount":3,"type":"spirit","createdAt":"2026-03-01T11:59:00.000Z","status":"APPROVED"}}"#;

    fn secret() -> Secret {
        Secret::from_stored(SECRET.to_owned())
    }

    #[test]
    fn the_published_examples_come_out() {
        assert_eq!(secret().x_svc_signature(BODY.as_bytes()), X_SVC_SIGNATURE);
        assert_eq!(secret().standard_signature(ID, TIMESTAMP, BODY.as_bytes()), STANDARD_SIGNATURE);
    }

    #[test]
    fn a_ready_made_library_signs_alike() {
        let theirs = Webhook::new(SECRET).unwrap().sign(ID, TIMESTAMP, BODY.as_bytes()).unwrap();
        assert_eq!(theirs, STANDARD_SIGNATURE);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the library compares with the machine's time")]
    fn a_ready_made_library_accepts_ours_and_refuses_what_was_changed() {
        let secret = Secret::generate(&Random::seeded(1));
        let now = chrono::Utc::now().timestamp();
        let verify = |signed_at: i64, sent_at: i64, body: &str| {
            let mut headers = http::HeaderMap::new();
            let signature = secret.standard_signature(ID, signed_at, BODY.as_bytes());
            headers.insert("webhook-id", ID.parse().unwrap());
            headers.insert("webhook-timestamp", sent_at.into());
            headers.insert("webhook-signature", signature.parse().unwrap());
            Webhook::new(secret.as_str()).unwrap().verify(body.as_bytes(), &headers)
        };
        verify(now, now, BODY).unwrap();
        verify(now, now, &BODY.replace('3', "4")).unwrap_err();
        verify(now - 1, now, BODY).unwrap_err();
        verify(now - 3_600, now - 3_600, BODY).unwrap_err();
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the library compares with the machine's time")]
    fn a_ready_made_library_accepts_both_secrets_of_a_rotation_and_no_third() {
        let random = Random::seeded(1);
        let [current, old, older] = [(); 3].map(|()| Secret::generate(&random));
        let both = Secrets { current: current.clone(), old: Some(old.clone()) };
        let now = chrono::Utc::now().timestamp();
        let mut headers = http::HeaderMap::new();
        let signature = both.standard_signature(ID, now, BODY.as_bytes());
        headers.insert("webhook-id", ID.parse().unwrap());
        headers.insert("webhook-timestamp", now.into());
        headers.insert("webhook-signature", signature.parse().unwrap());
        let accepts = |secret: &Secret| {
            Webhook::new(secret.as_str()).unwrap().verify(BODY.as_bytes(), &headers).is_ok()
        };
        assert_eq!([&current, &old, &older].map(accepts), [true, true, false]);
        let [new, before] =
            [&current, &old].map(|secret| secret.standard_signature(ID, now, BODY.as_bytes()));
        assert_eq!(signature, format!("{new} {before}"));
        assert_eq!(both.x_svc_signature(BODY.as_bytes()), current.x_svc_signature(BODY.as_bytes()));
        assert_eq!(Secrets::from(current).standard_signature(ID, now, BODY.as_bytes()), new);
    }

    #[test]
    fn a_new_secret_is_32_bytes_that_differ_each_time() {
        let random = Random::seeded(7);
        let (one, other) = (Secret::generate(&random), Secret::generate(&random));
        assert_ne!(one, other);
        let key = STANDARD.decode(one.as_str().strip_prefix("whsec_").unwrap()).unwrap();
        assert_eq!(key.len(), 32);
        assert_eq!(one.key(), key);
        assert_eq!(Secret::from_stored(one.as_str().to_owned()), one);
    }

    #[test]
    fn a_log_does_not_show_the_secret() {
        assert_eq!(format!("{:?}", secret()), "Secret(…)");
    }

    proptest! {
        #[test]
        fn any_body_is_signed_as_the_library_signs_it(
            body in ".{0,300}",
            id in "[A-Za-z0-9_-]{1,40}",
            timestamp in 0_i64..4_000_000_000,
            seed: u64,
        ) {
            let secret = Secret::generate(&Random::seeded(seed));
            let library = Webhook::new(secret.as_str()).unwrap();
            prop_assert_eq!(
                secret.standard_signature(&id, timestamp, body.as_bytes()),
                library.sign(&id, timestamp, body.as_bytes()).unwrap()
            );
        }
    }
}
