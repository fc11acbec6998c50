use std::collections::BTreeMap;

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    routing::{MethodRouter, get},
};

use super::gate::Gate;

/// Router with the path patterns of its routes, and the [`Gate`] of each.
#[derive(Clone, Debug)]
pub struct Routes<S = ()> {
    pub(super) router: Router<S>,
    /// Same routes without handlers: axum adds `Allow` to their empty responses to `OPTIONS`.
    pub(super) allowed: Router<S>,
    pub(super) gates: BTreeMap<String, Gate>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self { router: Router::new(), allowed: Router::new(), gates: BTreeMap::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// Adds a gate to a router that was built elsewhere. `paths` are its routes, which are read-only.
    pub fn of<'p>(gate: Gate, router: Router<S>, paths: impl IntoIterator<Item = &'p str>) -> Self {
        let gates: BTreeMap<String, Gate> =
            paths.into_iter().map(|path| (path.to_owned(), gate)).collect();
        let reading = |allowed: Router<S>, path: &String| {
            allowed.route(path, get(async || ()).fallback(async || ()))
        };
        Self { router, allowed: gates.keys().fold(Router::new(), reading), gates }
    }

    /// Adds a route behind a gate, like [`Router::route`].
    pub fn route(mut self, path: &str, gate: Gate, methods: MethodRouter<S>) -> Self {
        self.gates.insert(path.to_owned(), gate);
        let nothing = middleware::from_fn(async |_: Request, _: Next| ());
        let allowed = self.allowed.route(path, methods.clone().layer(nothing));
        Self { router: self.router.route(path, methods), allowed, ..self }
    }

    /// Merges two routers, like [`Router::merge`].
    pub fn merge(mut self, other: Self) -> Self {
        self.gates.extend(other.gates);
        let allowed = self.allowed.merge(other.allowed);
        Self { router: self.router.merge(other.router), allowed, ..self }
    }

    /// Sets the response for paths without a route.
    pub fn otherwise(self, fallback: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        Self { router: fallback(self.router), ..self }
    }

    /// Sets the state, like [`Router::with_state`].
    pub fn with_state(self, state: S) -> Routes {
        // Paths without a route have no `Allow`.
        let allowed = self.allowed.fallback(async || ()).with_state(state.clone());
        Routes { router: self.router.with_state(state), allowed, gates: self.gates }
    }
}
