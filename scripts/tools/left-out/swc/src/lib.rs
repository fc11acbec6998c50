//! Left out: a compiler of JavaScript. Scripts stay as they are; scripts/site makes them small.

use std::sync::Arc;

use swc_common::{SourceFile, SourceMap};

pub mod config {
    use super::BoolOrDataConfig;

    #[derive(Default)]
    pub struct JsMinifyOptions {
        pub compress: BoolOrDataConfig,
        pub mangle: BoolOrDataConfig,
        pub module: IsModule,
        pub others: (),
    }

    pub enum IsModule {
        Bool(bool),
    }

    impl Default for IsModule {
        fn default() -> Self {
            Self::Bool(true)
        }
    }
}

#[derive(Default)]
pub struct BoolOrDataConfig;

impl BoolOrDataConfig {
    pub fn from_bool(_: bool) -> Self {
        Self
    }
}

#[derive(Default)]
pub struct JsMinifyExtras;

#[derive(Default)]
pub struct HandlerOpts;

pub struct Handler;

pub struct TransformOutput {
    pub code: String,
}

pub struct Compiler;

impl Compiler {
    pub fn new(_: Arc<SourceMap>) -> Self {
        Self
    }

    pub fn minify(
        &self,
        file: Arc<SourceFile>,
        _: &Handler,
        _: &config::JsMinifyOptions,
        _: JsMinifyExtras,
    ) -> anyhow::Result<TransformOutput> {
        Ok(TransformOutput { code: file.0.clone() })
    }
}

pub struct HandlerError(anyhow::Error);

impl HandlerError {
    pub fn to_pretty_error(self) -> anyhow::Error {
        self.0
    }
}

pub fn try_with_handler<T>(
    _: Arc<SourceMap>,
    _: HandlerOpts,
    work: impl FnOnce(&Handler) -> anyhow::Result<T>,
) -> Result<T, HandlerError> {
    work(&Handler).map_err(HandlerError)
}
