//! Requests per second: the service, compared with bare axum and nginx serving the same bytes.

use anyhow::{Context as _, Result};
use hyper::{
    HeaderMap,
    header::{CONTENT_LENGTH, CONTENT_TYPE, DATE},
};

use crate::{
    bare,
    budget::{Budget, Unit, number},
    context::{Context, say},
    nginx,
    process::Process,
    report::Section,
    service::Service,
    statistics::median,
    table::Row,
    wrk,
};

/// A request, and the minimum ratio of requests per second to bare axum and nginx.
struct Work {
    path: &'static str,
    name: &'static str,
    headers: &'static [(&'static str, &'static str)],
    of_bare: f64,
    of_nginx: Option<f64>,
}

const BROTLI: &[(&str, &str)] = &[("accept-encoding", "br")];

const WORKS: [Work; 6] = [
    Work {
        path: "/api/v1/metrics",
        name: "`GET /api/v1/metrics`",
        headers: &[],
        of_bare: 0.93,
        of_nginx: Some(1.0),
    },
    Work {
        path: "/api/v1/metrics?country=BR",
        name: "`GET /api/v1/metrics?country=BR`",
        headers: &[],
        of_bare: 0.90,
        of_nginx: None,
    },
    page("/embed/metrics", "`GET /embed/metrics`, br"),
    page("/embed/feed", "`GET /embed/feed`, br"),
    page("/embed/globe", "`GET /embed/globe`, br"),
    page("/docs/api", "`GET /docs/api`, br"),
];

const fn page(path: &'static str, name: &'static str) -> Work {
    Work { path, name, headers: BROTLI, of_bare: 0.85, of_nginx: None }
}

const ABOUT: &str = "wrk with one thread and 64 connections sends requests to the service with an enterprise key, \
    then a bare axum handler and nginx (one worker, a static file, no log) that answer with the same \
    bytes, by turns. All get the same request headers. The service sends all of its own headers, the \
    others a content type and their defaults; bare axum is measured once more with the service\u{2019}s headers. \
    Figures are medians of the rounds; so is the ratio, which is computed in each round.";

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let database = context.database(context.sizes.rows).await?;
    let service = Service::start(&database).await?;
    let mut rows = Vec::new();
    for work in &WORKS {
        say(work.name);
        rows.extend(work.measure(context, &service).await?);
    }
    let about = format!("{ABOUT} The database has {} reports.", number(database.rows as f64));
    Ok(Section::new("Requests", about, rows))
}

impl Work {
    async fn measure(&self, context: &Context, service: &Service) -> Result<Vec<Row>> {
        let answer = service.bytes(self.path, self.headers).await?;
        let content_type = answer.header("content-type").context("no content type")?;
        let folder = tempfile::tempdir_in(context.folder())?;
        let file = folder.path().join("answer");
        std::fs::write(&file, &answer.body)?;

        let only_type = HeaderMap::from_iter([(CONTENT_TYPE, content_type.parse()?)]);
        let mut all = answer.headers.clone();
        // Added by hyper.
        all.remove(DATE);
        all.remove(CONTENT_LENGTH);
        let bare = bare::start(&file, &only_type).await?;
        let same = bare::start(&file, &all).await?;
        let mut references = vec![
            Reference::new("bare axum", bare, "/", Budget::RatioAtLeast(self.of_bare)),
            Reference::new("bare axum, the same headers", same, "/", Budget::None),
        ];
        if let Some(least) = self.of_nginx {
            let nginx = nginx::files(context, folder.path(), content_type).await?;
            references.push(Reference::new("nginx", nginx, "/answer", Budget::RatioAtLeast(least)));
        }
        let authorization = [("authorization", service.authorization.as_str())];
        let headers = [&authorization, self.headers].concat();
        let seconds = context.seconds(4);
        let mut own = Vec::new();
        for _ in 0..context.sizes.rounds {
            own.push(wrk::rate(&service.url(self.path), &headers, seconds).await?);
            for reference in &mut references {
                reference.rates.push(wrk::rate(&reference.url, &headers, seconds).await?);
            }
        }
        let mut rows = Vec::new();
        for reference in references {
            rows.push(reference.row(self.name, &own));
            reference.process.stop().await?;
        }
        Ok(rows)
    }
}

/// A server to compare the service with.
struct Reference {
    name: &'static str,
    url: String,
    budget: Budget,
    /// Requests per second in each round.
    rates: Vec<f64>,
    process: Process,
}

impl Reference {
    fn new(name: &'static str, process: Process, path: &str, budget: Budget) -> Self {
        let url = format!("http://{}{path}", process.addr);
        Self { name, url, budget, rates: Vec::new(), process }
    }

    fn row(&self, work: &str, own: &[f64]) -> Row {
        let ratios: Vec<f64> =
            own.iter().zip(&self.rates).map(|(own, reference)| own / reference).collect();
        Row::new(work, median(own), Unit::PerSecond, self.budget).against(
            self.name,
            median(&self.rates),
            median(&ratios),
        )
    }
}
