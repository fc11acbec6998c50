//! Randomness as a dependency, so that tests are repeatable.

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};

/// The digits of base62, lowest first.
pub const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Maps each number to a different number, without visible order (the last step of splitmix64).
pub fn scattered(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A source of randomness. Cheap to clone; clones share the source.
#[derive(Clone, Debug)]
pub struct Random(Arc<Mutex<StdRng>>);

impl Random {
    /// A source seeded by the operating system.
    pub fn system() -> Self {
        Self(Arc::new(Mutex::new(rand::make_rng())))
    }

    /// A source with a fixed seed, which always returns the same sequence.
    pub fn seeded(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// A uniformly distributed duration of whole milliseconds within `range`.
    pub fn duration(&self, range: Range<Duration>) -> Duration {
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let (start, end) = (millis(range.start), millis(range.end));
        if start >= end {
            return range.start;
        }
        Duration::from_millis(self.rng(|rng| rng.random_range(start..end)))
    }

    /// A token of 16 hexadecimal characters.
    pub fn token(&self) -> String {
        let bytes: [u8; 8] = self.rng(|rng| rng.random());
        hex::encode(bytes)
    }

    /// `length` uniformly distributed base62 characters.
    pub fn base62(&self, length: usize) -> String {
        self.rng(|rng| {
            (0..length).map(|_| char::from(BASE62[rng.random_range(0..BASE62.len())])).collect()
        })
    }

    /// A uniformly distributed number.
    pub fn number(&self) -> u64 {
        self.rng(|rng| rng.random())
    }

    /// Uniformly distributed bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        self.rng(|rng| rng.random())
    }

    fn rng<T>(&self, draw: impl FnOnce(&mut StdRng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
