//! Proofs that a submission is not one of thousands: work for programs, time for forms without scripts.
//!
//! Challenges and form tokens are stateless: their time and a random part are signed with the key that all nodes
//! share. Only those that were used are stored, until they expire.

use base::random::Random;
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use store::UsedProof;
use subtle::ConstantTimeEq;

/// Number of leading zero bits that a proof of work needs. About 130,000 hashes: a tenth of a second on a computer, and
/// less than a second on most phones.
pub(crate) const DIFFICULTY: u32 = 17;
/// Validity of a challenge.
const CHALLENGE_LASTS: TimeDelta = TimeDelta::minutes(10);
/// Minimum age of a form that was filled in without scripts: people take longer.
const FORM_WAIT: TimeDelta = TimeDelta::seconds(5);
/// Validity of a form.
const FORM_LASTS: TimeDelta = TimeDelta::hours(2);

/// Number of random characters, with which challenges have 64 characters, one block of SHA-256: solvers compute its
/// state once.
const RANDOM: usize = 20;
/// Number of bytes of a signature.
const SIGNATURE: usize = 16;
const MAX_NONCE: usize = 32;

/// Key for challenges, form tokens and hashes.
#[derive(Clone)]
pub(crate) struct Key(Vec<u8>);

/// Reason for which a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProofError {
    #[error(
        "A proof of work is missing: get a challenge from /api/v1/challenge and send its solution as \"proof\", \
         or send a key."
    )]
    Missing,
    #[error("This service did not issue the challenge: get one from /api/v1/challenge.")]
    Unknown,
    #[error("The challenge has expired: get another one from /api/v1/challenge.")]
    Expired,
    #[error(
        "The nonce is wrong: SHA-256 of the challenge, a colon and the nonce must begin with {DIFFICULTY} zero bits."
    )]
    Wrong,
    #[error("The challenge was used before: get another one from /api/v1/challenge.")]
    Used,
    #[error("The form was sent within {} seconds: send it again.", FORM_WAIT.num_seconds())]
    TooSoon,
}

impl Key {
    pub(super) fn new(key: Vec<u8>) -> Self {
        Self(key)
    }

    /// Returns a new challenge, and the time at which it expires.
    pub(crate) fn challenge(&self, now: DateTime<Utc>, random: &Random) -> (String, DateTime<Utc>) {
        let expires_at = now + CHALLENGE_LASTS;
        (self.sealed("challenge", expires_at, random), expires_at)
    }

    /// Returns a new token for a form.
    pub(crate) fn form(&self, now: DateTime<Utc>, random: &Random) -> String {
        self.sealed("form", now + FORM_LASTS, random)
    }

    /// Checks a proof of work.
    pub(crate) fn check_work(
        &self,
        challenge: &str,
        nonce: &str,
        now: DateTime<Utc>,
    ) -> Result<UsedProof, ProofError> {
        let expires_at = self.opened("challenge", challenge).ok_or(ProofError::Unknown)?;
        if expires_at <= now {
            return Err(ProofError::Expired);
        }
        let hash = Sha256::new().chain_update(challenge).chain_update(":").chain_update(nonce);
        if nonce.len() > MAX_NONCE || leading_zeros(&hash.finalize()) < DIFFICULTY {
            return Err(ProofError::Wrong);
        }
        Ok(used(challenge, expires_at))
    }

    /// Checks the token of a form.
    pub(crate) fn check_form(
        &self,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<UsedProof, ProofError> {
        let expires_at = self.opened("form", token).ok_or(ProofError::Unknown)?;
        if expires_at <= now {
            return Err(ProofError::Expired);
        }
        if expires_at - FORM_LASTS + FORM_WAIT > now {
            return Err(ProofError::TooSoon);
        }
        Ok(used(token, expires_at))
    }

    /// HMAC-SHA256 of texts for a purpose. Each text counts with its length.
    pub(super) fn hash(&self, purpose: &str, texts: &[&str]) -> [u8; 32] {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length (RFC 2104)")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        for text in [&purpose].into_iter().chain(texts) {
            mac.update(&(text.len() as u64).to_be_bytes());
            mac.update(text.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }

    /// Returns a text with a time in seconds, random characters, and a signature of both.
    fn sealed(&self, purpose: &str, at: DateTime<Utc>, random: &Random) -> String {
        let content = format!("{}.{}", at.timestamp(), random.base62(RANDOM));
        let signature = self.signature(purpose, &content);
        format!("{content}.{signature}")
    }

    /// Returns the time in a sealed text; `None` if the text was not sealed with this key for this purpose.
    fn opened(&self, purpose: &str, text: &str) -> Option<DateTime<Utc>> {
        let (content, signature) = text.rsplit_once('.')?;
        let is_ours =
            self.signature(purpose, content).as_bytes().ct_eq(signature.as_bytes()).into();
        let (seconds, _) = content.split_once('.').filter(|_| is_ours)?;
        DateTime::from_timestamp(seconds.parse().ok()?, 0)
    }

    fn signature(&self, purpose: &str, content: &str) -> String {
        hex::encode(&self.hash(purpose, &[content])[..SIGNATURE])
    }
}

impl std::fmt::Debug for Key {
    /// Keeps the key out of logs.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(…)")
    }
}

fn used(text: &str, expires_at: DateTime<Utc>) -> UsedProof {
    UsedProof { hash: Sha256::digest(text).into(), expires_at }
}

/// Number of zero bits at the start.
fn leading_zeros(bytes: &[u8]) -> u32 {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let next = bytes.get(zeros).map_or(0, |byte| byte.leading_zeros());
    zeros as u32 * 8 + next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> (Key, Random, DateTime<Utc>) {
        let now = DateTime::from_timestamp(1_780_000_000, 500_000_000).unwrap();
        (Key::new(vec![7; 32]), Random::seeded(1), now)
    }

    fn solution(challenge: &str) -> String {
        let solves = |nonce: &String| {
            leading_zeros(&Sha256::digest(format!("{challenge}:{nonce}"))) >= DIFFICULTY
        };
        (0..u32::MAX).map(|nonce| nonce.to_string()).find(solves).unwrap()
    }

    #[test]
    fn a_challenge_is_one_block_and_its_solution_is_accepted_until_it_expires() {
        let (key, random, now) = key();
        let (challenge, expires_at) = key.challenge(now, &random);
        assert_eq!((challenge.len(), expires_at - now), (64, CHALLENGE_LASTS));
        let nonce = solution(&challenge);
        let proof = key.check_work(&challenge, &nonce, now).unwrap();
        assert_eq!(proof.expires_at.timestamp(), expires_at.timestamp());
        let late = key.check_work(&challenge, &nonce, expires_at);
        assert_eq!(late.unwrap_err(), ProofError::Expired);
    }

    #[test]
    fn a_challenge_of_others_or_for_another_purpose_is_unknown() {
        let (key, random, now) = key();
        let (challenge, _) = key.challenge(now, &random);
        let later = challenge.replacen("178", "179", 1);
        let (of_another, _) = Key::new(vec![8; 32]).challenge(now, &random);
        let form = key.form(now, &random);
        for text in [&*later, &*of_another, &*form, "", "1.2.3", "..", "9999999999.x."] {
            assert_eq!(key.check_work(text, "1", now).unwrap_err(), ProofError::Unknown, "{text}");
        }
        assert_eq!(key.check_form(&challenge, now).unwrap_err(), ProofError::Unknown);
    }

    #[test]
    fn a_wrong_or_long_nonce_is_refused() {
        let (key, random, now) = key();
        let (challenge, _) = key.challenge(now, &random);
        let nonce = solution(&challenge);
        for wrong in ["", "no", &"0".repeat(33), &format!("{nonce} ")] {
            let refused = key.check_work(&challenge, wrong, now);
            assert_eq!(refused.unwrap_err(), ProofError::Wrong, "{wrong}");
        }
    }

    #[test]
    fn a_form_is_accepted_after_seconds_and_for_hours() {
        let (key, random, now) = key();
        let token = key.form(now, &random);
        let after = |time| key.check_form(&token, now + time);
        assert_eq!(after(TimeDelta::seconds(4)).unwrap_err(), ProofError::TooSoon);
        assert!(after(TimeDelta::seconds(5)).is_ok());
        assert!(after(FORM_LASTS - TimeDelta::seconds(1)).is_ok());
        assert_eq!(after(FORM_LASTS).unwrap_err(), ProofError::Expired);
    }

    #[test]
    fn zero_bits_are_counted_from_the_left() {
        for (bytes, zeros) in [(&[0xff, 0][..], 0), (&[1], 7), (&[0, 0, 0x40], 17), (&[0, 0], 16)] {
            assert_eq!(leading_zeros(bytes), zeros, "{bytes:?}");
        }
    }

    #[test]
    fn hashes_depend_on_where_texts_end() {
        let (key, ..) = key();
        assert_ne!(key.hash("a", &["b", "c"]), key.hash("a", &["bc"]));
        assert_ne!(key.hash("a", &["b"]), key.hash("b", &["a"]));
        assert_eq!(key.hash("a", &["b"]), key.hash("a", &["b"]));
    }
}
