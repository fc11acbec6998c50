//! Every parser of what comes from outside, given inputs that nobody would write: those of the corpus, `tests/corpus/`
//! with a folder for each [target](targets), and mutations of them.
//!
//! `PROPTEST_CASES` says how many mutations, as for the property tests: seconds by default, hours in `make test-long`.
//! An input that fails is written to `target/fuzz/`; with a name that says what it is, it belongs into the corpus.

mod mutation;
pub(crate) mod targets;

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

use proptest::test_runner::Config;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use self::{mutation::mutated, targets::TARGETS};

/// One parser, with what holds for whatever it is given.
pub(crate) struct Target {
    /// Also of its folder in the corpus.
    name: &'static str,
    /// Panics where something does not hold.
    check: fn(&[u8]),
}

impl Target {
    fn corpus(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let folder = corpus().join(self.name);
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
    fn run(&self) {
        let corpus = self.corpus();
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

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// Where an input is that failed.
fn kept(name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz").join(name);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(crate::http::representation::digest(input));
    fs::write(&path, input).unwrap();
    path
}

#[test]
fn each_target_has_a_folder_of_the_corpus_and_each_folder_a_target() {
    let folders = fs::read_dir(corpus()).unwrap();
    let mut folders: Vec<_> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut names: Vec<_> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    folders.sort();
    names.sort();
    assert_eq!(folders, names);
}

#[test]
fn whatever_comes_from_outside_is_read_or_refused() {
    // A few threads, since one target's share of the time is not another's.
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let next = || next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                while let Some(target) = TARGETS.get(next()) {
                    target.run();
                }
            });
        }
    });
}
