//! Master key, and encryption with it.

use std::fmt;

use base::random::Random;
use base64::{Engine, engine::general_purpose::STANDARD};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead, KeyInit, Payload},
};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

const KEY_LENGTH: usize = 32;
const NONCE_LENGTH: usize = 24;
/// Length of a key's id in bytes of its digest: enough to distinguish the keys of an operator.
const ID_LENGTH: usize = 8;

/// Id of a key, which does not reveal the key: 16 hexadecimal digits of a digest.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct KeyId(String);

impl KeyId {
    /// Creates an id from its stored form.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Id as it is stored and displayed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Encrypted secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Id of the key that encrypted it.
    pub key: KeyId,
    /// Nonce (24 bytes), followed by the ciphertext with its tag.
    pub bytes: Vec<u8>,
}

/// Key of 32 bytes that encrypts secrets. Overwritten when dropped.
pub(super) struct MasterKey {
    id: KeyId,
    bytes: Zeroizing<[u8; KEY_LENGTH]>,
}

impl MasterKey {
    pub(super) fn generate(random: &Random) -> Self {
        Self::new(Zeroizing::new(random.bytes()))
    }

    fn new(bytes: Zeroizing<[u8; KEY_LENGTH]>) -> Self {
        let digest = Sha256::new().chain_update(b"svc master key").chain_update(*bytes).finalize();
        Self { id: KeyId(hex::encode(&digest[..ID_LENGTH])), bytes }
    }

    /// Parses a key in base64 or hexadecimal.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let decoded = if text.len() == 2 * KEY_LENGTH {
            hex::decode(text).ok()
        } else {
            STANDARD.decode(text).ok()
        };
        let decoded = Zeroizing::new(decoded?);
        Some(Self::new(Zeroizing::new(decoded.as_slice().try_into().ok()?)))
    }

    /// Key as a line of the key file.
    pub(super) fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(STANDARD.encode(*self.bytes))
    }

    pub(super) fn id(&self) -> &KeyId {
        &self.id
    }

    /// Encrypts the secret of a subscription.
    pub(super) fn seal(&self, secret: &str, subscription: &str, random: &Random) -> Sealed {
        let nonce: [u8; NONCE_LENGTH] = random.bytes();
        let payload = Payload { msg: secret.as_bytes(), aad: &bound_to(subscription) };
        #[expect(clippy::expect_used, reason = "it fails for messages of 256 GiB and more")]
        let encrypted =
            self.cipher().encrypt(&XNonce::from(nonce), payload).expect("a short message");
        Sealed { key: self.id.clone(), bytes: [&nonce[..], &encrypted].concat() }
    }

    /// Decrypts the result of [`MasterKey::seal`] for the same subscription.
    pub(super) fn open(&self, sealed: &[u8], subscription: &str) -> Option<String> {
        let (nonce, encrypted) = sealed.split_first_chunk::<NONCE_LENGTH>()?;
        let payload = Payload { msg: encrypted, aad: &bound_to(subscription) };
        let secret = self.cipher().decrypt(&XNonce::from(*nonce), payload).ok()?;
        String::from_utf8(secret).ok()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.bytes).into())
    }
}

impl fmt::Debug for MasterKey {
    /// Keeps the key out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKey({})", self.id)
    }
}

/// Associated data that a ciphertext is authenticated with.
fn bound_to(subscription: &str) -> Vec<u8> {
    [b"svc webhook secret of ", subscription.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const BASE64: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    fn key() -> MasterKey {
        MasterKey::parse(BASE64).unwrap()
    }

    #[test]
    fn base64_and_hexadecimal_are_the_same_key_and_anything_else_is_none() {
        assert_eq!(MasterKey::parse(HEX).unwrap().id(), key().id());
        assert_eq!(key().to_text().as_str(), BASE64);
        for wrong in ["", "AAEC", &BASE64[1..], &HEX[2..], &HEX.replace('0', "g")] {
            assert!(MasterKey::parse(wrong).is_none(), "{wrong}");
        }
    }

    /// If ids changed, older databases could not be read any more.
    #[test]
    fn the_id_of_a_key_never_changes() {
        assert_eq!(key().id().as_str(), "4cabab079f9e654d");
    }

    #[test]
    fn a_log_shows_the_id_of_a_key_and_not_the_key() {
        let shown = format!("{:?}", key());
        assert_eq!(shown, format!("MasterKey({})", key().id()));
    }

    #[test]
    fn a_secret_is_encrypted_differently_each_time_and_decrypts() {
        let random = Random::seeded(1);
        let (one, other) =
            (key().seal(SECRET, "sub_A", &random), key().seal(SECRET, "sub_A", &random));
        assert_ne!(one.bytes, other.bytes);
        assert_eq!(key().open(&one.bytes, "sub_A").as_deref(), Some(SECRET));
        assert_eq!(key().open(&other.bytes, "sub_A").as_deref(), Some(SECRET));
    }

    #[test]
    fn what_was_changed_or_is_of_another_subscription_or_key_does_not_decrypt() {
        let random = Random::seeded(1);
        let sealed = key().seal(SECRET, "sub_A", &random).bytes;
        assert_eq!(key().open(&sealed, "sub_B"), None);
        assert_eq!(MasterKey::generate(&random).open(&sealed, "sub_A"), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(key().open(&changed, "sub_A"), None, "byte {at}");
            assert_eq!(key().open(&sealed[..at], "sub_A"), None, "{at} bytes");
        }
    }

    proptest! {
        #[test]
        fn any_secret_comes_back(secret in ".{0,100}", subscription in ".{0,30}", seed: u64) {
            let random = Random::seeded(seed);
            let key = MasterKey::generate(&random);
            let sealed = key.seal(&secret, &subscription, &random);
            prop_assert_eq!(key.open(&sealed.bytes, &subscription), Some(secret));
        }
    }
}
