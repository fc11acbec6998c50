//! Contents of a tick of the stream.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use bytes::{BufMut, Bytes, BytesMut};
use edge::representation::Representation;
use store::PlaceFilter;

use super::{
    ResponseCache, frame,
    view::{RequestedView, View},
};
use crate::problem::{Problem, Result};

impl ResponseCache {
    /// Returns the frame of a stream's tick. If the place cannot be read, the frame is the `error` event.
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

    /// Returns the current contents of a view.
    ///
    /// # Errors
    /// The view cannot be read, or the last snapshot may be out of date.
    pub async fn current_view(&self, view: &View) -> Result<Arc<Representation>> {
        if self.snapshots.current().failing {
            return Err(Problem::unavailable(Arc::new(OutOfDate)));
        }
        Ok(self.view(view).await?)
    }

    /// Returns the contents of several views if they are cached.
    pub async fn known_lines(&self, views: &[RequestedView]) -> Option<Arc<Representation>> {
        if self.snapshots.current().failing {
            return None;
        }
        self.lines.known(&self.snapshot(), views.into()).await
    }

    /// Returns the current contents of several views, each as a line of JSON.
    ///
    /// # Errors
    /// See [`current_view`](Self::current_view).
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

    /// Returns the frame of a tick with several views: those that have changed since the last one. `sent` has a hash
    /// for each view, all zeros at first. After a failed tick, all views are sent again. A view that is not cached, and
    /// that `may_make` refuses, is left for a later tick.
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
#[error("previously read data may be out of date")]
struct OutOfDate;

fn failed(error: &dyn std::fmt::Debug) -> Bytes {
    tracing::warn!(?error, "a filtered tick failed");
    frame::failed()
}
