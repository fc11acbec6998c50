//! Counters of requests to the public or the operator's side.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use base::histogram::{Counted, Histogram};
use http::StatusCode;

/// Path of requests that match no route, so that made-up paths count as one.
const OTHER: &str = "other";
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// Number of the route for requests that match none.
pub(super) const NO_ROUTE: usize = 0;

/// Number of requests, and durations of their responses. Counters for each route and class of status exist from the
/// start, so counting a request is a lookup and an addition.
#[derive(Debug)]
pub struct Traffic {
    requests: AtomicU64,
    /// Number of rejected requests by name of the quota. The last is [`OTHER`].
    limited: Vec<(&'static str, AtomicU64)>,
    paths: matchit::Router<usize>,
    /// Counters of each route. The first is [`OTHER`].
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

impl Traffic {
    /// Counters for these routes, with paths in axum's syntax, and these quotas.
    pub(super) fn on(
        paths: impl IntoIterator<Item = String>,
        quotas: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let mut numbers = matchit::Router::new();
        let mut routes = vec![Counters::of(OTHER.to_owned())];
        for path in paths {
            // Fails if paths conflict, in which case axum panics.
            let _ = numbers.insert(path.clone(), routes.len());
            routes.push(Counters::of(path));
        }
        let limited = quotas.into_iter().chain([OTHER]).map(|quota| (quota, AtomicU64::new(0)));
        Self { requests: AtomicU64::new(0), limited: limited.collect(), paths: numbers, routes }
    }

    pub(super) fn begin(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of a path's route; [`NO_ROUTE`] if none matches.
    pub(super) fn route(&self, path: &str) -> usize {
        self.paths.at(path).map_or(NO_ROUTE, |found| *found.value)
    }

    /// Path patterns of all routes.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.routes.iter().skip(1).map(|route| route.path.as_str())
    }

    /// Path pattern of a route; `None` for [`NO_ROUTE`].
    pub(super) fn path_of(&self, route: usize) -> Option<&str> {
        let counters = self.routes.get(route).filter(|_| route != NO_ROUTE);
        counters.map(|counters| counters.path.as_str())
    }

    /// Counts a response, which took `duration` until it began to be sent. For a 429, `quota` is the name of the
    /// exceeded quota.
    pub(super) fn end(
        &self,
        route: usize,
        status: StatusCode,
        quota: Option<&str>,
        duration: Duration,
    ) {
        if status == StatusCode::TOO_MANY_REQUESTS {
            let of_quota = self.limited.iter().find(|(name, _)| quota == Some(*name));
            if let Some((_, count)) = of_quota.or(self.limited.last()) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
        let class = usize::from(status.as_u16() / 100).checked_sub(2);
        let counters = self.routes.get(route).zip(class);
        if let Some(histogram) = counters.and_then(|(counters, class)| counters.by_class.get(class))
        {
            histogram.record(duration);
        }
    }

    /// Number of requests.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Number of requests rejected with 429, by name of the exceeded quota.
    pub fn limited(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.limited.iter().map(|(quota, count)| (*quota, count.load(Ordering::Relaxed)))
    }

    /// Durations of responses by path pattern and class of status, such as `2xx`; without those that did not occur.
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
        let traffic =
            Traffic::on(["/a", "/a/{name}", "/{*rest}"].map(str::to_owned), ["public", "uncached"]);
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
            traffic.end(route, status, None, Duration::from_millis(millis));
        }
        let refused = StatusCode::TOO_MANY_REQUESTS;
        for quota in ["public", "uncached", "public", "made-up"] {
            traffic.end(NO_ROUTE, refused, Some(quota), Duration::ZERO);
        }
        let counted: Vec<_> = traffic
            .durations()
            .map(|(path, class, counted)| (path, class, counted.count(), counted.sum.as_millis()))
            .collect();
        assert_eq!(
            counted,
            [
                ("other", "4xx", 4, 0),
                ("other", "5xx", 1, 32),
                ("/a", "2xx", 2, 3),
                ("/a/{name}", "4xx", 2, 12),
                ("/{*rest}", "3xx", 1, 16),
            ]
        );
        let limited: Vec<_> = traffic.limited().collect();
        assert_eq!(limited, [("public", 2), ("uncached", 1), ("other", 2)]);
    }
}
