//! Requests of which no two are alike: everything that a client chooses is new, so that anything that the service keeps of
//! it would grow.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context as _, Result};
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

use crate::{
    client::{Answer, Connection},
    load::Requests,
    questions::{Questions, Subject},
    service::Service,
};

/// Requests of each connection, which comes from a new address.
const PER_CONNECTION: u64 = 20;

/// Header fields whose value the client chooses.
const HEADERS: [&str; 9] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "cookie",
    "if-none-match",
    "origin",
    "referer",
    "user-agent",
    "x-request-id",
];

/// Paths that a text is appended to.
const PATHS: [&str; 12] = [
    "/",
    "/api/v1/",
    "/api/v1/metrics?country=",
    "/api/v1/metrics?",
    "/api/v1/metrics/by?group=city&country=",
    "/api/v1/reports?city=",
    "/api/v1/reports/",
    "/assets/",
    "/docs/",
    "/embed/",
    "/embed/feed?country=",
    "/embed/metrics?theme=",
];

pub(crate) struct Novelties {
    questions: Questions,
    authorization: String,
    addr: SocketAddr,
}

impl Novelties {
    /// Requests about places of the service, and about others.
    pub(crate) async fn of(service: &Service) -> Result<Self> {
        Ok(Self {
            questions: Questions::about(service).await?,
            authorization: service.authorization.clone(),
            addr: service.addr(),
        })
    }
}

impl Requests for Novelties {
    const PER_CONNECTION: u64 = PER_CONNECTION;

    async fn connect(&self, rng: &mut StdRng) -> Result<Connection> {
        let source = Ipv4Addr::from_bits(0x7f00_0002 + rng.random_range(0..0xff_0000));
        Connection::open_from(source, self.addr).await
    }

    async fn send(&self, rng: &mut StdRng, connection: &mut Connection) -> Result<Answer> {
        let name = format!("x-{}", text(rng));
        let chosen = [*HEADERS.choose(rng).context("no header")?, &name];
        let values = [text(rng), text(rng)];
        let mut headers: Vec<(&str, &str)> =
            chosen.into_iter().zip(values.iter().map(String::as_str)).collect();
        // A third has a key, without which few requests would be answered; a third a wrong one.
        let wrong = format!("Bearer {}", text(rng));
        match rng.random_range(0..3) {
            0 => headers.push(("authorization", &self.authorization)),
            1 => headers.push(("authorization", &wrong)),
            _ => {}
        }
        let path = if rng.random_ratio(1, 2) {
            let subject = *Subject::ALL.choose(rng).context("no subject")?;
            self.questions.next(rng, subject)?
        } else {
            format!("{}{}", PATHS.choose(rng).context("no path")?, text(rng))
        };
        connection.get(&path, &headers).await
    }
}

/// A text of letters and digits that is new.
fn text(rng: &mut StdRng) -> String {
    let long = rng.random_range(1..=3);
    (0..long).map(|_| format!("{:x}", rng.random::<u64>())).collect()
}
