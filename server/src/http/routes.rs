use std::collections::BTreeSet;

use axum::{Router, routing::MethodRouter};

/// A router that knows the paths of its routes, as they are written: by these, requests are counted.
#[derive(Clone, Debug)]
pub struct Routes<S = ()> {
    pub(super) router: Router<S>,
    pub(super) paths: BTreeSet<String>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self { router: Router::new(), paths: BTreeSet::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// A router that was put together elsewhere, with the paths of its routes.
    pub fn of<'p>(router: Router<S>, paths: impl IntoIterator<Item = &'p str>) -> Self {
        Self { router, paths: paths.into_iter().map(str::to_owned).collect() }
    }

    /// As [`Router::route`].
    pub fn route(mut self, path: &str, methods: MethodRouter<S>) -> Self {
        self.paths.insert(path.to_owned());
        Self { router: self.router.route(path, methods), ..self }
    }

    /// As [`Router::merge`].
    pub fn merge(mut self, other: Self) -> Self {
        self.paths.extend(other.paths);
        Self { router: self.router.merge(other.router), ..self }
    }

    /// Changes nothing about the routes, but what is answered otherwise.
    pub fn otherwise(self, fallback: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        Self { router: fallback(self.router), ..self }
    }

    /// As [`Router::with_state`].
    pub fn with_state(self, state: S) -> Routes {
        Routes { router: self.router.with_state(state), paths: self.paths }
    }
}
