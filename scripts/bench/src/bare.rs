//! The least that axum can do: the same bytes for every request, as a process of its own.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use axum::{Router, routing::get};
use bytes::Bytes;
use hyper::header::CONTENT_TYPE;
use tokio::net::TcpListener;

use crate::process::Process;

#[derive(Debug, clap::Args)]
pub(crate) struct Bare {
    /// The file whose bytes answer every request
    file: PathBuf,
    #[arg(long)]
    content_type: String,
}

impl Bare {
    pub(crate) async fn serve(self) -> Result<ExitCode> {
        let body = Bytes::from(std::fs::read(&self.file)?);
        // `IntoResponse` takes a header of any text, but must not have to parse it each time.
        let content_type = hyper::header::HeaderValue::from_str(&self.content_type)?;
        let answer = move || async move { ([(CONTENT_TYPE, content_type)], body) };
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("bare axum serves http://{}", listener.local_addr()?);
        axum::serve(listener, Router::new().route("/", get(answer))).await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Starts this program again, to serve `file`.
pub(crate) async fn start(file: &std::path::Path, content_type: &str) -> Result<Process> {
    let mut command = tokio::process::Command::new(std::env::current_exe()?);
    command.arg("bare").arg(file).args(["--content-type", content_type]);
    Process::start(command, "bare axum").await
}
