//! A mix of all kinds of requests, like on a normal day.

use std::net::SocketAddr;

use anyhow::{Context as _, Result};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use crate::{
    client::{Answer, Connection},
    load::Requests,
    questions::{Questions, Subject},
    service::Service,
};

/// Number of requests per request that was never sent before.
const NEW: u32 = 50;

/// Requests to choose from. More frequent ones are repeated.
pub(crate) struct Mixture {
    requests: Vec<Request>,
    questions: Questions,
    authorization: String,
    addr: SocketAddr,
}

struct Request {
    path: String,
    headers: Vec<(&'static str, String)>,
}

impl Mixture {
    /// Requests about the data of the service.
    pub(crate) async fn of(service: &Service) -> Result<Self> {
        let mut mixture = Self {
            requests: Vec::new(),
            questions: Questions::about(service).await?,
            authorization: service.authorization.clone(),
            addr: service.addr(),
        };
        let key = [("authorization", service.authorization.clone())];
        let brotli = [("accept-encoding", "br".to_owned())];

        let mut rng = StdRng::seed_from_u64(1);
        for (subject, count) in [
            (Subject::Country, 200),
            (Subject::City, 200),
            (Subject::List, 200),
            (Subject::Markers, 50),
            (Subject::Facets, 20),
        ] {
            for _ in 0..count {
                let path = mixture.questions.next(&mut rng, subject)?;
                mixture.add(1, path, &[key.as_slice(), &brotli].concat());
            }
        }
        for path in ["/api/v1/metrics", "/api/v1/reports"] {
            mixture.add(150, path, &key);
            let answer = service.bytes(path, &[]).await?;
            let etag = answer.header("etag").context("no etag")?.to_owned();
            mixture.add(50, path, &[key.as_slice(), &[("if-none-match", etag)]].concat());
        }
        for path in
            ["/", "/embed/metrics", "/embed/feed", "/embed/globe", "/embed/trend", "/docs/api"]
        {
            mixture.add(30, path, &brotli);
        }
        // Rarely, because drawing a PNG takes longer than everything else.
        mixture.add(10, "/embed/metrics.svg", &brotli);
        mixture.add(1, "/embed/metrics.png", &[]);
        for bad in [
            "/api/v1/metrics?from=yesterday",
            "/api/v1/reports?limit=0",
            "/api/v1/reports?since=soon",
            "/api/v1/geo-facets",
            "/api/v1/nothing",
        ] {
            mixture.add(5, bad, &key);
        }
        mixture.add(5, "/api/v1/metrics", &[("authorization", "Bearer nonsense".to_owned())]);
        mixture.add(5, "/nowhere", &[]);
        Ok(mixture)
    }

    fn add(&mut self, times: usize, path: impl Into<String>, headers: &[(&'static str, String)]) {
        let path = path.into();
        for _ in 0..times {
            self.requests.push(Request { path: path.clone(), headers: headers.to_vec() });
        }
    }
}

impl Requests for Mixture {
    async fn connect(&self, _: &mut StdRng) -> Result<Connection> {
        Connection::open(self.addr).await
    }

    async fn send(&self, rng: &mut StdRng, connection: &mut Connection) -> Result<Answer> {
        // Some requests are new, so that unbounded caches would be detected.
        if rng.random_ratio(1, NEW) {
            let subject = [Subject::City, Subject::List, Subject::Markers].choose(rng);
            let path = self.questions.next(rng, *subject.context("no subject")?)?;
            return connection.get(&path, &[("authorization", &self.authorization)]).await;
        }
        let request = self.requests.choose(rng).context("nothing to choose from")?;
        let headers: Vec<(&str, &str)> =
            request.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        connection.get(&request.path, &headers).await
    }
}
