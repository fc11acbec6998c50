//! Left out: processing of stylesheets. cargo-leptos keeps a stylesheet that can't be parsed as it is.

use std::fmt;

/// The only outcome of everything here.
#[derive(Debug)]
pub struct LeftOut;

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("this build of cargo-leptos doesn't process stylesheets")
    }
}

impl std::error::Error for LeftOut {}

pub mod targets {
    use super::LeftOut;

    #[derive(Clone, Copy)]
    pub struct Browsers;

    impl Browsers {
        pub fn from_browserslist<const N: usize>(_: [&str; N]) -> Result<Option<Self>, LeftOut> {
            Ok(None)
        }
    }

    #[derive(Clone, Copy, Default)]
    pub struct Targets;

    impl From<Option<Browsers>> for Targets {
        fn from(_: Option<Browsers>) -> Self {
            Self
        }
    }
}

pub mod stylesheet {
    use std::marker::PhantomData;

    use super::{LeftOut, targets::Targets};

    #[derive(Default)]
    pub struct ParserOptions {
        pub filename: String,
        pub others: (),
    }

    #[derive(Default)]
    pub struct MinifyOptions {
        pub targets: Targets,
        pub others: (),
    }

    #[derive(Default)]
    pub struct PrinterOptions<'a> {
        pub targets: Targets,
        pub minify: bool,
        pub others: PhantomData<&'a ()>,
    }

    /// Never exists: nothing is parsed.
    pub enum StyleSheet {}

    pub struct ToCssResult {
        pub code: String,
    }

    impl StyleSheet {
        pub fn parse(_: &str, _: ParserOptions) -> Result<Self, LeftOut> {
            Err(LeftOut)
        }

        pub fn minify(&mut self, _: MinifyOptions) -> Result<(), LeftOut> {
            match *self {}
        }

        pub fn to_css(&self, _: PrinterOptions<'_>) -> Result<ToCssResult, LeftOut> {
            match *self {}
        }
    }
}

pub mod bundler {
    use std::path::Path;

    use super::{
        LeftOut,
        stylesheet::{ParserOptions, StyleSheet},
    };

    #[derive(Default)]
    pub struct FileProvider;

    impl FileProvider {
        pub fn new() -> Self {
            Self
        }
    }

    pub struct Bundler;

    impl Bundler {
        pub fn new(_: &FileProvider, _: Option<()>, _: ParserOptions) -> Self {
            Self
        }

        pub fn bundle(&mut self, _: &Path) -> Result<StyleSheet, LeftOut> {
            Err(LeftOut)
        }
    }
}
