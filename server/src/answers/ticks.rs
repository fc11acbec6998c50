//! What a stream sends at a tick.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use bytes::{BufMut, Bytes, BytesMut};
use edge::representation::Representation;
use store::PlaceFilter;

use super::{
    Answers, frame,
    view::{RequestedView, View},
};
use crate::problem::{Problem, Result};

impl Answers {
    /// The bytes of a stream's tick now. A place that cannot be read gives the `error` event.
    pub async fn tick(&self, place: &PlaceFilter) -> Bytes {
        let current = self.snapshots.current().clone();
        if current.failing || place.is_empty() {
            return current.frame();
        }
        match self.frame(place.clone()).await {
            Ok(answer) => answer.body.clone(),
            Err(error) => failed(&error),
        }
    }

    /// What a view shows now.
    ///
    /// # Errors
    /// If it cannot be read, or what was read before may be out of date.
    pub async fn current_view(&self, view: &View) -> Result<Arc<Representation>> {
        if self.snapshots.current().failing {
            return Err(Problem::unavailable(Arc::new(OutOfDate)));
        }
        Ok(self.view(view).await?)
    }

    /// What several views show, if that is in the cache.
    pub async fn known_lines(&self, views: &[RequestedView]) -> Option<Arc<Representation>> {
        if self.snapshots.current().failing {
            return None;
        }
        self.lines.known(&self.snapshot(), views.into()).await
    }

    /// What several views show now, each as a line of JSON.
    ///
    /// # Errors
    /// As those of [`current_view`](Self::current_view).
    pub async fn lines(&self, views: Box<[RequestedView]>) -> Result<Arc<Representation>> {
        let snapshot = self.snapshot();
        let mut shown = Vec::with_capacity(views.len());
        for (_, view) in &views {
            shown.push(self.current_view(view).await?);
        }
        let compute = || async {
            let mut lines = BytesMut::new();
            for ((requested, _), members) in views.iter().zip(&shown) {
                frame::view_object(requested, &members.body, &mut lines);
                lines.put_u8(b'\n');
            }
            Ok(Representation::ndjson(lines.freeze()))
        };
        Ok(self.lines.get(&snapshot, views.as_ref().into(), compute).await?)
    }

    /// The bytes of a tick of several views: those that have changed since the tick that left `sent`,
    /// a hash for each, all zeros at first. After a tick that failed all of them are sent again. A view that is not in the
    /// cache, and that `may_make` refuses, is left for a later tick.
    pub async fn changes(
        &self,
        views: &[RequestedView],
        sent: &mut [u64],
        may_make: impl Fn() -> bool,
    ) -> Bytes {
        let mut frame = BytesMut::new();
        for (index, (requested, view)) in views.iter().enumerate() {
            if !self.has_view(view) && !may_make() {
                continue;
            }
            let answer = match self.current_view(view).await {
                Ok(answer) => answer,
                Err(problem) => {
                    sent.fill(0);
                    return failed(&problem);
                }
            };
            let mut hasher = DefaultHasher::new();
            answer.etag.hash(&mut hasher);
            let now = hasher.finish();
            if now != sent[index] {
                frame::view(requested, &answer.body, &mut frame);
                sent[index] = now;
            }
        }
        frame.put_slice(frame::TICK);
        frame.freeze()
    }
}

/// The snapshot could not be refreshed.
#[derive(Debug, thiserror::Error)]
#[error("what was read before may be out of date")]
struct OutOfDate;

fn failed(error: &dyn std::fmt::Debug) -> Bytes {
    tracing::warn!(?error, "a filtered tick failed");
    frame::failed()
}
