//! Left out: templates for `cargo leptos new`.

use std::path::PathBuf;

#[derive(Default)]
pub struct GenerateArgs {
    pub template_path: TemplatePath,
    pub name: Option<String>,
    pub force: bool,
    pub verbose: bool,
    pub init: bool,
    /// Stands for all other fields, which cargo-leptos leaves at their defaults.
    pub others: (),
}

#[derive(Default)]
pub struct TemplatePath {
    pub git: Option<String>,
    pub branch: Option<String>,
    pub tag: Option<String>,
    pub path: Option<String>,
    /// See [`GenerateArgs::others`].
    pub others: (),
}

pub fn generate(_: GenerateArgs) -> anyhow::Result<PathBuf> {
    anyhow::bail!("this build of cargo-leptos has no `new`")
}
