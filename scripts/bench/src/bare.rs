//! The fastest possible axum server: it sends the same bytes for every request, in a separate
//! process.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use axum::{Router, routing::get};
use bytes::Bytes;
use hyper::header::CONTENT_TYPE;
use tokio::net::TcpListener;

use crate::process::Process;

#[derive(Debug, clap::Args)]
pub(crate) struct Bare {
    /// File to send in every response
    file: PathBuf,
    #[arg(long)]
    content_type: String,
}

impl Bare {
    pub(crate) async fn serve(self) -> Result<ExitCode> {
        let body = Bytes::from(std::fs::read(&self.file)?);
        // Parsed once, because parsing the text for each request would distort the result.
        let content_type = hyper::header::HeaderValue::from_str(&self.content_type)?;
        let answer = move || async move { ([(CONTENT_TYPE, content_type)], body) };
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("bare axum serves http://{}", listener.local_addr()?);
        axum::serve(listener, Router::new().route("/", get(answer))).await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Starts this program again, as a server of `file`.
pub(crate) async fn start(file: &std::path::Path, content_type: &str) -> Result<Process> {
    let mut command = tokio::process::Command::new(std::env::current_exe()?);
    command.arg("bare").arg(file).args(["--content-type", content_type]);
    Process::start(command, "bare axum").await
}
