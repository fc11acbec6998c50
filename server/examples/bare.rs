//! The least that axum can do: the same bytes for every request. `make bench` sets the service
//! against it.

use std::io;

use axum::{Router, routing::get};

/// As long as an answer of `/api/v1/metrics`.
const BODY: &str = r#"{"spirit":470000,"water":400000,"both":130000,"total":1000000,"spiritToday":0,"waterToday":0,"bothToday":0,"totalToday":0,"countries":246,"cities":5060,"updatedAt":"2026-03-01T12:00:00.000Z"}"#;

#[tokio::main]
async fn main() -> io::Result<()> {
    let body = || async { ([("content-type", "application/json")], BODY) };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("bare axum serves http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/", get(body))).await
}
