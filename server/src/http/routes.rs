use std::collections::BTreeMap;

use axum::{Router, routing::MethodRouter};

use super::gate::Gate;

/// A router that knows the paths of its routes, as they are written, and the [`Gate`] in front of each.
#[derive(Clone, Debug)]
pub struct Routes<S = ()> {
    pub(super) router: Router<S>,
    pub(super) gates: BTreeMap<String, Gate>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self { router: Router::new(), gates: BTreeMap::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// A router that was put together elsewhere, with the paths of its routes.
    pub fn of<'p>(gate: Gate, router: Router<S>, paths: impl IntoIterator<Item = &'p str>) -> Self {
        Self { router, gates: paths.into_iter().map(|path| (path.to_owned(), gate)).collect() }
    }

    /// As [`Router::route`], behind a gate.
    pub fn route(mut self, path: &str, gate: Gate, methods: MethodRouter<S>) -> Self {
        self.gates.insert(path.to_owned(), gate);
        Self { router: self.router.route(path, methods), ..self }
    }

    /// As [`Router::merge`].
    pub fn merge(mut self, other: Self) -> Self {
        self.gates.extend(other.gates);
        Self { router: self.router.merge(other.router), ..self }
    }

    /// Changes nothing about the routes, but what is answered otherwise.
    pub fn otherwise(self, fallback: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        Self { router: fallback(self.router), ..self }
    }

    /// As [`Router::with_state`].
    pub fn with_state(self, state: S) -> Routes {
        Routes { router: self.router.with_state(state), gates: self.gates }
    }
}
