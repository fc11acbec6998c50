//! The fastest possible axum server: it sends the same bytes for every request, in a separate
//! process.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use axum::{Router, body::Body, response::Response, routing::get};
use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use tokio::net::TcpListener;

use crate::process::Process;

#[derive(Debug, clap::Args)]
pub(crate) struct Bare {
    /// File to send in every response
    file: PathBuf,
    /// Headers of every response, such as `content-type: text/html`
    #[arg(long = "header", value_name = "HEADER", value_parser = header)]
    headers: Vec<(HeaderName, HeaderValue)>,
}

fn header(line: &str) -> Result<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(": ").context("a header is a name, a colon and a value")?;
    Ok((name.parse()?, value.parse()?))
}

impl Bare {
    pub(crate) async fn serve(self) -> Result<ExitCode> {
        let body = Bytes::from(std::fs::read(&self.file)?);
        let headers: HeaderMap = self.headers.into_iter().collect();
        let answer = move || async move {
            let mut response = Response::new(Body::from(body));
            *response.headers_mut() = headers;
            response
        };
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("bare axum serves http://{}", listener.local_addr()?);
        axum::serve(listener, Router::new().route("/", get(answer))).await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Starts this program again, as a server of `file`.
pub(crate) async fn start(file: &Path, headers: &HeaderMap) -> Result<Process> {
    let mut command = tokio::process::Command::new(std::env::current_exe()?);
    command.arg("bare").arg(file);
    for (name, value) in headers {
        command.args(["--header", &format!("{name}: {}", value.to_str()?)]);
    }
    Process::start(command, "bare axum").await
}
