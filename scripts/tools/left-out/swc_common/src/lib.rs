//! Left out, see `swc`.

use std::sync::Arc;

#[derive(Default)]
pub struct SourceMap;

pub enum FileName {
    Anon,
}

pub struct SourceFile(pub String);

impl SourceMap {
    pub fn new_source_file(&self, _: Arc<FileName>, source: String) -> Arc<SourceFile> {
        Arc::new(SourceFile(source))
    }
}

#[derive(Default)]
pub struct Globals;

pub struct ScopedGlobals;

pub static GLOBALS: ScopedGlobals = ScopedGlobals;

impl ScopedGlobals {
    pub fn set<T>(&self, _: &Globals, work: impl FnOnce() -> T) -> T {
        work()
    }
}
