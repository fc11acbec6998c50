//! CSV files that are read in parts while they are sent, so that their number of rows is not limited.

use std::io;

use axum::{
    body::{Body, Bytes},
    response::{IntoResponse, Response},
};
use futures_util::stream::{self, BoxStream};
use http::header;

use crate::{
    csv_row::{MARK, Row},
    problem::Result,
    realm::csrf::fenced,
};

/// Rows, and the place at which the next part begins.
pub(super) type Part<S> = (Vec<Vec<String>>, Option<S>);

/// Responds with a file whose parts `read` returns, the first one for `first`.
///
/// # Errors
/// The first part cannot be read. A later error breaks the response off.
pub(super) async fn respond<S, F>(
    name: &str,
    columns: &[&str],
    first: S,
    read: impl Fn(S) -> F + Send + 'static,
) -> Result<Response>
where
    S: Send + 'static,
    F: Future<Output = Result<Part<S>>> + Send + 'static,
{
    let (rows, next) = read(first).await?;
    let header = columns.iter().map(|column| (*column).to_owned()).collect();
    let start = [MARK.as_bytes().to_vec(), text(vec![header]), text(rows)].concat();
    let parts = stream::try_unfold((Some(start), next, read), |(start, next, read)| async move {
        if let Some(start) = start {
            return Ok(Some((Bytes::from(start), (None, next, read))));
        }
        let Some(place) = next else { return Ok(None) };
        let part = read(place).await.map(|(rows, next)| (text(rows), next));
        let (rows, next) = part.map_err(|problem| {
            tracing::error!(problem = %problem.0.detail, "a download was interrupted");
            io::Error::other("the next rows cannot be read")
        })?;
        Ok(Some((Bytes::from(rows), (None, next, read))))
    });
    let parts: BoxStream<'static, io::Result<Bytes>> = Box::pin(parts);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok(fenced((headers, Body::from_stream(parts)).into_response()))
}

fn text(rows: Vec<Vec<String>>) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        row.iter().fold(Row::of(&mut out), |line, cell| line.cell(cell)).end();
    }
    out
}
