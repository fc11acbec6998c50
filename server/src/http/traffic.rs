//! What is counted of the requests on one side, the public one or the operator's.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use http::StatusCode;

use crate::histogram::{Counted, Histogram};

/// What stands for the path where no route matches, so that made-up paths are all one.
const OTHER: &str = "other";
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// Requests and how long their responses took. There is a place for each route and class of status from the
/// start, so counting a request looks its route up, and adds.
#[derive(Debug)]
pub struct Traffic {
    requests: AtomicU64,
    limited: AtomicU64,
    paths: matchit::Router<usize>,
    /// The first is [`OTHER`].
    routes: Vec<Counters>,
}

#[derive(Debug)]
struct Counters {
    path: String,
    by_class: [Histogram; CLASSES.len()],
}

impl Counters {
    fn of(path: String) -> Self {
        Self { path, by_class: Default::default() }
    }
}

/// The number of a route. Without one, it is that of all requests that no route matches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Route(usize);

impl Traffic {
    /// Traffic of these routes, with paths as axum takes them.
    pub(super) fn on(paths: BTreeSet<String>) -> Self {
        let mut numbers = matchit::Router::new();
        let mut routes = vec![Counters::of(OTHER.to_owned())];
        for path in paths {
            // It fails if paths contradict each other; axum panics then.
            if numbers.insert(path.clone(), routes.len()).is_ok() {
                routes.push(Counters::of(path));
            }
        }
        Self { requests: AtomicU64::new(0), limited: AtomicU64::new(0), paths: numbers, routes }
    }

    pub(super) fn begin(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn route(&self, path: &str) -> Route {
        self.paths.at(path).map(|found| Route(*found.value)).unwrap_or_default()
    }

    /// The path of a route, as it is written; none where no route matches.
    pub(super) fn path_of(&self, route: Route) -> Option<&str> {
        let counters = self.routes.get(route.0).filter(|_| route.0 > 0);
        counters.map(|counters| counters.path.as_str())
    }

    /// Counts a response, which took `duration` until it began to be sent.
    pub(super) fn end(&self, route: Route, status: StatusCode, duration: Duration) {
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.limited.fetch_add(1, Ordering::Relaxed);
        }
        let class = usize::from(status.as_u16() / 100).checked_sub(2);
        let counters = self.routes.get(route.0).zip(class);
        if let Some(histogram) = counters.and_then(|(counters, class)| counters.by_class.get(class))
        {
            histogram.record(duration);
        }
    }

    /// How many requests there were.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Of those, the ones refused with 429.
    pub fn limited(&self) -> u64 {
        self.limited.load(Ordering::Relaxed)
    }

    /// How long responses took, by the path of their route and the class of their status, such as `2xx`;
    /// without what did not occur.
    pub fn durations(&self) -> impl Iterator<Item = (&str, &'static str, Counted)> {
        self.routes.iter().flat_map(|route| {
            let classes = CLASSES.iter().zip(&route.by_class);
            let counted = classes
                .map(|(class, histogram)| (route.path.as_str(), *class, histogram.counted()));
            counted.filter(|(_, _, counted)| counted.count() > 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_route_and_class_with_the_time_that_they_took() {
        let traffic = Traffic::on(["/a", "/a/{name}", "/{*rest}"].map(str::to_owned).into());
        for (path, status, millis) in [
            ("/a", 200, 1),
            ("/a", 204, 2),
            ("/a/x", 404, 4),
            ("/a/y", 429, 8),
            ("/b/c", 302, 16),
            ("", 500, 32),
            ("/a", 101, 64),
        ] {
            let (route, status) = (traffic.route(path), StatusCode::from_u16(status).unwrap());
            traffic.end(route, status, Duration::from_millis(millis));
        }
        let counted: Vec<_> = traffic
            .durations()
            .map(|(path, class, counted)| (path, class, counted.count(), counted.sum.as_millis()))
            .collect();
        assert_eq!(
            counted,
            [
                ("other", "5xx", 1, 32),
                ("/a", "2xx", 2, 3),
                ("/a/{name}", "4xx", 2, 12),
                ("/{*rest}", "3xx", 1, 16),
            ]
        );
        assert_eq!(traffic.limited(), 1);
    }
}
