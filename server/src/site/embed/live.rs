use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use bytes::{BufMut, BytesMut};
use http::HeaderMap;

use crate::{
    answers::{Answers, frame},
    api::{
        Parameters,
        views::{self, VIEW},
    },
    http::{problem::Result, representation::Representation},
    site::visitors::Visitor,
};

/// `GET /embed/live?view=…&view=…`: what the stream tells of these views, once, each as a line of
/// JSON. For widgets whose stream was refused; hence it counts against no quota, and costs little
/// while nothing changes.
pub async fn live(
    State(answers): State<Answers>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let views = views::requested(&Parameters::of(query.as_deref(), &[VIEW]))?;
    let mut lines = BytesMut::new();
    for (requested, view) in &views {
        if !answers.has_view(view) {
            visitor.count_uncached().await?;
        }
        let members = answers.current_view(view).await?;
        frame::view_object(requested, &members.body, &mut lines);
        lines.put_u8(b'\n');
    }
    Ok(Representation::ndjson(lines.freeze()).respond(&headers))
}
