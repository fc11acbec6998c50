//! Processor time of pages and pictures that are in no cache.

use std::net::Ipv4Addr;

use anyhow::{Result, ensure};

use crate::{
    budget::{Budget, Unit, number},
    client::Connection,
    context::{Context, say},
    report::Section,
    service::Service,
    statistics::median,
    table::Row,
};

/// A page or picture.
struct Work {
    /// Path. If it ends with `=`, a number is appended; otherwise, each request has another host name.
    path: &'static str,
    name: &'static str,
    /// Number of requests in a round, which is from one address: the service limits uncached
    /// responses by address.
    requests: u32,
    budget: Budget,
}

/// Number of pages in a round. Many, because the system counts processor time in units of ten
/// milliseconds.
const PAGES: u32 = 400;
/// Number of pictures in a round.
const PICTURES: u32 = 8;

const WORKS: [Work; 11] = [
    page("/embed/metrics?title=", "`/embed/metrics`"),
    page("/embed/feed?title=", "`/embed/feed`"),
    page("/embed/globe?title=", "`/embed/globe`"),
    page("/embed/trend?title=", "`/embed/trend`"),
    page("/", "`/`"),
    page("/docs", "`/docs`"),
    page("/docs/api", "`/docs/api`"),
    picture("/embed/globe.png?title=", "`/embed/globe.png`", Budget::AtMost(40.0)),
    picture("/embed/feed.png?title=", "`/embed/feed.png`", Budget::None),
    picture("/embed/trend.png?title=", "`/embed/trend.png`", Budget::None),
    picture("/embed/metrics.png?title=", "`/embed/metrics.png`", Budget::None),
];

const fn page(path: &'static str, name: &'static str) -> Work {
    Work { path, name, requests: PAGES, budget: Budget::AtMost(1.5) }
}

const fn picture(path: &'static str, name: &'static str, budget: Budget) -> Work {
    Work { path, name, requests: PICTURES, budget }
}

/// Codings that browsers accept.
const CODINGS: [(&str, &str); 1] = [("accept-encoding", "gzip, deflate, br, zstd")];

const ABOUT: &str = "Processor time of the service for the first request for a page or picture: widgets with another title each \
    time, other pages under another host name. Requests are sent one after the other, with the codings that browsers \
    accept. The figure is the median of the rounds.";

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let database = context.database(context.sizes.rows).await?;
    let service = Service::start(&database).await?;
    let mut sources = (2..=254).cycle().map(|last| Ipv4Addr::new(127, 0, 1, last));
    let mut rows = Vec::new();
    let mut asked = 0;
    for work in &WORKS {
        let mut times = Vec::new();
        // The first round reads fonts and data that later requests share.
        for (round, source) in (0..=context.sizes.rounds).zip(sources.by_ref()) {
            let time = work.ask(&service, source, asked).await?;
            asked += work.requests;
            if round > 0 {
                times.push(time);
            }
        }
        let time = median(&times);
        say(format!("{}: {} ms", work.name, number(time)));
        rows.push(Row::new(work.name, time, Unit::Milliseconds, work.budget));
    }
    service.process.stop().await?;
    let about = format!("{ABOUT} The database has {} reports.", number(database.rows as f64));
    Ok(Section::new("First requests", about, rows))
}

impl Work {
    /// Sends the requests of a round from `source`, numbered from `first`. Returns the processor
    /// time of one, in milliseconds.
    async fn ask(&self, service: &Service, source: Ipv4Addr, first: u32) -> Result<f64> {
        let mut connection = Connection::open_from(source, service.addr()).await?;
        let before = service.process.processor_time()?;
        for number in first..first + self.requests {
            let path = match self.path.ends_with('=') {
                true => format!("{}{number}", self.path),
                false => {
                    connection.use_host(format!("host{number}.example"));
                    self.path.to_owned()
                }
            };
            let answer = connection.get(&path, &CODINGS).await?;
            ensure!(answer.status == 200, "{path}: {}", answer.status);
        }
        let time = service.process.processor_time()? - before;
        Ok(time / f64::from(self.requests))
    }
}
