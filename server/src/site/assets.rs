//! The site: scripts, wasm and stylesheets under `/assets/…`, and the few files with a fixed name.
//!
//! Shipped binaries embed what `scripts/leptos site` built (the feature `embed-site`). All others read the same
//! files from `target/site` when they start, so that they aren't compiled again for each change of the site
//! ([built]). Without `target/site`, and under `cargo leptos watch`, the sources are served ([sources]).

mod built;
mod file;
mod loader;
mod logo;
mod sources;

use std::{env, path::Path, sync::Arc};

use app::{brand, shell::Assets};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use edge::representation::Representation;
use http::{HeaderMap, Method, header};

pub(crate) use self::file::IMMUTABLE;
pub use self::file::Incomplete;
use self::{
    file::{FIXED, file},
    logo::Logo,
};
use crate::{
    problem::Problem,
    site::{
        embeddable,
        pages::{Pages, not_found, without_slash},
    },
};

const LOADER: &str = "/embed.js";
/// The released versions of the loader, the newest first.
const RELEASES: &str = "/embed.json";

/// The files, and their URLs for pages.
#[derive(Debug)]
pub struct Site {
    pub assets: Arc<Assets>,
    files: Files,
    /// `embed.js` including the lists of widgets and options.
    loader: Representation,
    logo: Option<Logo>,
}

#[derive(Debug)]
enum Files {
    Built(built::Files),
    Sources(sources::Files),
}

impl Files {
    fn load() -> Result<(Assets, Self), Incomplete> {
        // Set by cargo-leptos for its child processes.
        let is_watched = env::var_os("LEPTOS_WATCH").is_some() && !built::EMBEDDED;
        if !is_watched && let Some((assets, files)) = built::load()? {
            return Ok((assets, Self::Built(files)));
        }
        let (assets, files) = sources::load()?;
        if assets.boot.is_empty() {
            tracing::warn!(
                "widgets are complete but not live: their wasm isn't built (`make run` builds it)"
            );
        }
        Ok((assets, Self::Sources(files)))
    }

    /// Returns the file at a URL path.
    fn get(&self, path: &str) -> Option<Representation> {
        match self {
            Self::Built(files) => files.get(path).cloned(),
            Self::Sources(files) => files.get(path),
        }
    }
}

impl Site {
    pub fn load() -> Result<Self, Incomplete> {
        let (mut assets, files) = Files::load()?;
        let newest = files.get(RELEASES).and_then(|file| loader::newest(&file.body));
        assets.loader =
            newest.ok_or_else(|| Incomplete("embed.json names no released loader".to_owned()))?;
        let script = files.get(LOADER).and_then(|file| loader::with_lists(&file.body));
        let loader = script.and_then(|script| file(LOADER, script.into(), FIXED));
        let loader = loader
            .ok_or_else(|| Incomplete("embed.js lacks a placeholder for a list".to_owned()))?;
        Ok(Self { assets: Arc::new(assets), files, loader: loader.compressed_well(), logo: None })
    }

    /// Adds the operator's logo.
    pub async fn with_logo(self, path: Option<&Path>) -> Result<Self, Incomplete> {
        let logo = match path {
            Some(path) => Some(Logo::load(path).await?),
            None => None,
        };
        Ok(Self { logo, ..self })
    }

    /// Description of the operator's logo for pages.
    pub fn logo(&self) -> Option<brand::Logo> {
        self.logo.as_ref().map(|logo| logo.described.clone())
    }

    /// Returns the response with the file at a URL path, if there is one.
    fn respond(&self, path: &str, request: &HeaderMap) -> Option<Response> {
        if let Some(response) = self.logo.as_ref().and_then(|logo| logo.respond(path, request)) {
            return Some(response);
        }
        Some(embeddable(match path {
            LOADER => self.loader.respond(request),
            _ => self.files.get(path)?.respond(request),
        }))
    }
}

/// `GET /assets/…`
pub async fn asset(
    State(site): State<Arc<Site>>,
    State(pages): State<Pages>,
    request: Request,
) -> Response {
    let (request, _) = request.into_parts();
    match site.respond(request.uri.path(), &request.headers) {
        Some(response) => response,
        None => not_found(&pages, &request).await,
    }
}

/// `GET /embed.js`, `/favicon.svg` and other files with a fixed name. Other paths get the response for unknown paths.
pub async fn fixed_file(
    State(site): State<Arc<Site>>,
    State(pages): State<Pages>,
    request: Request,
) -> Response {
    let (request, _) = request.into_parts();
    let (path, method) = (request.uri.path(), &request.method);
    match site.respond(path, &request.headers) {
        Some(response) if method == Method::GET || method == Method::HEAD => response,
        Some(_) => {
            let problem = Problem::method_not_allowed(format!("{path} has only GET."));
            ([(header::ALLOW, "GET,HEAD")], problem).into_response()
        }
        None if loader::is_release(path) => Problem::not_found(
            "There is no such version of the loader. /embed.json lists those there are.",
        )
        .into_response(),
        None => match without_slash(&pages, &request.uri) {
            Some(redirect) => redirect,
            None => not_found(&pages, &request).await,
        },
    }
}
