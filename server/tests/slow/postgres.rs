//! Behaviour that only PostgreSQL has: several servers, poolers, TLS.

mod failover;
mod poolers;
mod starting;
mod tls;
mod watchdog;

use base::time::parse_date;
use model::ReportType::Water;
use scratch::postgres::Server;
use store::{Filter, Mode, Period, ReportsQuery, Store};

use crate::harness::{But, report};

/// Starts a primary and a replica that follows it.
fn pair() -> (Server, Server) {
    let primary = Server::start_on_tcp(&[]);
    primary.create_named("svc", None);
    let replica = primary.replica(&[]);
    (primary, replica)
}

/// URL of the database `svc` on both servers.
fn url_of(first: &Server, second: &Server) -> String {
    format!("postgres://svc@{},{}/svc", first.address(), second.address())
}

/// Publishes a report from this city.
async fn publish(store: &Store, id: &str, city: &str) {
    let report = report(id, Water).at(city, "", "Brazil");
    let imported = store.reports().import(&[report], Mode::Approve).await;
    imported.unwrap_or_else(|error| panic!("{id} is not published: {error}"));
}

/// Public data: number of reports, ids of the newest, and cities.
async fn seen(store: &Store) -> (u64, Vec<String>, Vec<String>) {
    let all = Filter::default();
    let counted =
        store.counters().metrics(&all, parse_date("2026-03-01").unwrap()).await.unwrap().value;
    let newest = store.reports().recent(&ReportsQuery::newest(10)).await.unwrap().value;
    let ids = newest.into_iter().map(|listed| listed.report.id).collect();
    let cities = store.counters().geo_facets(Period::default(), [true; 3]).await.unwrap();
    let largest = store.counters().largest_cities(&all, [true; 3], 10).await.unwrap();
    let mut names: Vec<String> =
        largest.value.iter().map(|city| city.name.city.to_string()).collect();
    names.sort();
    let facets: Vec<String> = cities.iter().map(|city| city.city.to_string()).collect();
    assert_eq!(names, facets);
    (counted.by_type.iter().sum(), ids, facets)
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}
