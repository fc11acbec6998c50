//! Parsers given inputs that nobody would write: those of a corpus, with a folder for each [`Target`], and mutations of
//! them.
//!
//! `PROPTEST_CASES` says how many mutations, as for the property tests: seconds by default, hours in `make test-long`.
//! An input that fails is written to `target/fuzz/`; with a name that says what it is, it belongs into the corpus.

mod mutation;

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use proptest::test_runner::Config;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use self::mutation::mutated;

/// One parser, with what holds for whatever it is given.
pub struct Target {
    /// Also of its folder in the corpus.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub check: fn(&[u8]),
}

/// Tries all targets with their inputs below `corpus`, and with mutations of them.
///
/// # Panics
/// Something does not hold, or a target has no folder, or a folder no target.
pub fn run(targets: &[Target], corpus: &Path) {
    let folders = fs::read_dir(corpus).unwrap();
    let mut folders: Vec<_> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut names: Vec<_> = targets.iter().map(|target| target.name.to_owned()).collect();
    folders.sort();
    names.sort();
    assert_eq!(folders, names);
    // A few threads, since one target's share of the time is not another's.
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let next = || next.fetch_add(1, Ordering::Relaxed);
                while let Some(target) = targets.get(next()) {
                    target.run(corpus);
                }
            });
        }
    });
}

/// A message for people: there is one, on one line.
pub fn is_said(message: &str) {
    assert!(!message.is_empty());
    assert!(!message.contains(char::is_control), "{message:?}");
    assert!(message.len() <= 16 << 10, "{} bytes", message.len());
}

impl Target {
    fn corpus(&self, corpus: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let folder = corpus.join(self.name);
        let mut files: Vec<_> = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        files.sort();
        assert!(!files.is_empty(), "{} is empty", folder.display());
        files
    }

    /// All of the corpus, and mutations of it.
    fn run(&self, corpus: &Path) {
        let corpus = self.corpus(corpus);
        for (path, input) in &corpus {
            assert!(self.holds(input), "{} does not hold for {}", self.name, path.display());
        }
        let inputs: Vec<Vec<u8>> = corpus.into_iter().map(|(_, input)| input).collect();
        let seed = rand::rng().random();
        let mut random = StdRng::seed_from_u64(seed);
        for number in 0..Config::default().cases {
            let input = mutated(&inputs, &mut random);
            if !self.holds(&input) {
                let path = kept(self.name, &input);
                panic!(
                    "{} does not hold for {} (number {number} of seed {seed})",
                    self.name,
                    path.display()
                );
            }
        }
    }

    fn holds(&self, input: &[u8]) -> bool {
        catch_unwind(AssertUnwindSafe(|| (self.check)(input))).is_ok()
    }
}

/// Writes an input that failed; returns its path.
fn kept(name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz").join(name);
    fs::create_dir_all(&folder).unwrap();
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let path = folder.join(format!("{:016x}", hasher.finish()));
    fs::write(&path, input).unwrap();
    path
}
