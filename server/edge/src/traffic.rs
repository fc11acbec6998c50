//! What is counted of the requests on one side, the public one or the operator's.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use base::histogram::{Counted, Histogram};
use http::StatusCode;

/// What stands for the path where no route matches, so that made-up paths are all one.
const OTHER: &str = "other";
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// The number of all requests that no route matches.
pub(super) const NO_ROUTE: usize = 0;

/// Requests and how long their responses took. There is a place for each route and class of status from the
/// start, so counting a request looks its route up, and adds.
#[derive(Debug)]
pub struct Traffic {
    requests: AtomicU64,
    /// Names of quotas, each with the number of requests over its limit. The last is [`OTHER`].
    limited: Vec<(&'static str, AtomicU64)>,
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

impl Traffic {
    /// Traffic of these routes, with paths as axum takes them, under quotas of these names.
    pub(super) fn on(
        paths: impl IntoIterator<Item = String>,
        quotas: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let mut numbers = matchit::Router::new();
        let mut routes = vec![Counters::of(OTHER.to_owned())];
        for path in paths {
            // It fails if paths contradict each other, of which axum panics.
            let _ = numbers.insert(path.clone(), routes.len());
            routes.push(Counters::of(path));
        }
        let limited = quotas.into_iter().chain([OTHER]).map(|quota| (quota, AtomicU64::new(0)));
        Self { requests: AtomicU64::new(0), limited: limited.collect(), paths: numbers, routes }
    }

    pub(super) fn begin(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the route of a path; [`NO_ROUTE`] where none matches.
    pub(super) fn route(&self, path: &str) -> usize {
        self.paths.at(path).map_or(NO_ROUTE, |found| *found.value)
    }

    /// The paths of all routes, as they are written.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.routes.iter().skip(1).map(|route| route.path.as_str())
    }

    /// The path of a route, as it is written; none where no route matches.
    pub(super) fn path_of(&self, route: usize) -> Option<&str> {
        let counters = self.routes.get(route).filter(|_| route != NO_ROUTE);
        counters.map(|counters| counters.path.as_str())
    }

    /// Counts a response, which took `duration` until it began to be sent. If it is a 429, `quota` is the name of the
    /// quota that is used up.
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

    /// How many requests there were.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Of those, the ones refused with 429, by the name of the quota that was used up.
    pub fn limited(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.limited.iter().map(|(quota, count)| (*quota, count.load(Ordering::Relaxed)))
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
