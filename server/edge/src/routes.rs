use std::collections::BTreeMap;

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    routing::{MethodRouter, get},
};

use super::gate::Gate;

/// A router that knows the paths of its routes, as they are written, and the [`Gate`] in front of each.
#[derive(Clone, Debug)]
pub struct Routes<S = ()> {
    pub(super) router: Router<S>,
    /// The same routes with nothing behind them: their empty responses to `OPTIONS` have an `Allow`, which axum writes.
    pub(super) allowed: Router<S>,
    pub(super) gates: BTreeMap<String, Gate>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self { router: Router::new(), allowed: Router::new(), gates: BTreeMap::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// A router that was put together elsewhere, with the paths of its routes, which are for reading.
    pub fn of<'p>(gate: Gate, router: Router<S>, paths: impl IntoIterator<Item = &'p str>) -> Self {
        let gates: BTreeMap<String, Gate> =
            paths.into_iter().map(|path| (path.to_owned(), gate)).collect();
        let reading = |allowed: Router<S>, path: &String| {
            allowed.route(path, get(async || ()).fallback(async || ()))
        };
        Self { router, allowed: gates.keys().fold(Router::new(), reading), gates }
    }

    /// As [`Router::route`], behind a gate.
    pub fn route(mut self, path: &str, gate: Gate, methods: MethodRouter<S>) -> Self {
        self.gates.insert(path.to_owned(), gate);
        let nothing = middleware::from_fn(async |_: Request, _: Next| ());
        let allowed = self.allowed.route(path, methods.clone().layer(nothing));
        Self { router: self.router.route(path, methods), allowed, ..self }
    }

    /// As [`Router::merge`].
    pub fn merge(mut self, other: Self) -> Self {
        self.gates.extend(other.gates);
        let allowed = self.allowed.merge(other.allowed);
        Self { router: self.router.merge(other.router), allowed, ..self }
    }

    /// Changes nothing about the routes, but what is answered otherwise.
    pub fn otherwise(self, fallback: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        Self { router: fallback(self.router), ..self }
    }

    /// As [`Router::with_state`].
    pub fn with_state(self, state: S) -> Routes {
        // Of other paths, nothing is known that they would not allow.
        let allowed = self.allowed.fallback(async || ()).with_state(state.clone());
        Routes { router: self.router.with_state(state), allowed, gates: self.gates }
    }
}
