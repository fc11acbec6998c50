//! Fuzz tests of parsers, with the inputs of a corpus, which has a folder for each [`Target`], and
//! mutations of them.
//!
//! `PROPTEST_CASES` sets the number of mutations, as for the property tests: they take seconds by
//! default, and minutes in `make test-long`. Failing inputs are written to `target/fuzz/`. Rename
//! such an input to describe the case, and add it to the corpus.

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

/// A parser with its invariants.
pub struct Target {
    /// Name of the target and of its folder in the corpus.
    pub name: &'static str,
    /// Panics if an invariant is violated.
    pub check: fn(&[u8]),
}

/// Runs all targets with their inputs below `corpus`, and with mutations of them.
///
/// # Panics
/// If an invariant is violated, a target has no folder, or a folder has no target.
pub fn run(targets: &[Target], corpus: &Path) {
    let folders = fs::read_dir(corpus).unwrap();
    let mut folders: Vec<_> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut names: Vec<_> = targets.iter().map(|target| target.name.to_owned()).collect();
    folders.sort();
    names.sort();
    assert_eq!(folders, names);
    // Several threads, because targets take different times.
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

/// Checks that a message is readable: not empty, and on one line.
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

    /// Runs the inputs of the corpus, and mutations of them.
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

/// Writes a failing input. Returns its path.
fn kept(name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz").join(name);
    fs::create_dir_all(&folder).unwrap();
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let path = folder.join(format!("{:016x}", hasher.finish()));
    fs::write(&path, input).unwrap();
    path
}
