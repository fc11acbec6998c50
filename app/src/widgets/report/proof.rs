//! Proof of work for a report: a nonce with which SHA-256 of the challenge begins with enough zero bits. Computed in
//! short slices, so that the page stays responsive. Browsers offer their own SHA-256 only on HTTPS, and only as a
//! promise for each hash.

use kit::{number::plain, refresh::sleep};
use sha2::{Digest, Sha256};

/// Number of hashes in a slice: some milliseconds.
const SLICE: u64 = 4_000;

/// Returns a nonce that solves the challenge.
pub(super) async fn solve(challenge: &str, difficulty: u32) -> String {
    let begun = Sha256::new().chain_update(challenge).chain_update(":");
    let mut next = 0;
    loop {
        if let Some(nonce) = (next..next + SLICE).find(|nonce| solves(&begun, *nonce, difficulty)) {
            return plain(nonce);
        }
        next += SLICE;
        sleep(0).await;
    }
}

/// Whether the hash that has begun with the challenge ends with enough zero bits after the nonce.
fn solves(begun: &Sha256, nonce: u64, difficulty: u32) -> bool {
    let hash = begun.clone().chain_update(plain(nonce)).finalize();
    let first = hash.iter().take(4).fold(0, |first, byte| first << 8 | u32::from(*byte));
    first.leading_zeros() >= difficulty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_solves_if_the_hash_begins_with_enough_zeros() {
        let begun = Sha256::new().chain_update("a").chain_update(":");
        let zeros = |nonce: u64| {
            let hash = Sha256::digest(format!("a:{nonce}"));
            u32::from_be_bytes(hash[..4].try_into().unwrap()).leading_zeros()
        };
        for nonce in 0..300 {
            for difficulty in 0..12 {
                assert_eq!(solves(&begun, nonce, difficulty), zeros(nonce) >= difficulty);
            }
        }
    }
}
