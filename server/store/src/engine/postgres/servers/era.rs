//! Time in which one server is used.

use std::{
    io,
    task::{Context, Poll},
};

use futures_util::{
    FutureExt, StreamExt, future,
    stream::{self, BoxStream},
};
use tokio::sync::watch;

/// Time in which one server is used, between two starts or promotions. Numbers and connections of one era are useless in
/// another.
#[derive(Clone, Debug)]
pub(crate) struct Era {
    number: u64,
    current: watch::Receiver<u64>,
}

impl Era {
    pub(super) fn current(current: &watch::Sender<u64>) -> Self {
        let current = current.subscribe();
        let number = *current.borrow();
        Self { number, current }
    }

    /// Number of this era, counting all servers that this process has used.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn is_over(&self) -> bool {
        *self.current.borrow() != self.number
    }

    /// Runs an operation on a connection of this era.
    ///
    /// # Errors
    /// The era ends first, or the operation fails.
    pub(crate) async fn run<T, E: From<sqlx::Error>>(
        &self,
        operation: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        tokio::select! {
            biased;
            done = operation => done,
            ended = self.clone().end() => Err(ended.into()),
        }
    }

    /// Passes on the results of a statement on a connection of this era, or an error when the era ends first.
    pub(crate) fn run_steps<'s, T: 's>(
        self,
        mut steps: BoxStream<'s, sqlx::Result<T>>,
    ) -> BoxStream<'s, sqlx::Result<T>> {
        let mut end = Box::pin(self.end().fuse());
        let next = move |context: &mut Context<'_>| match steps.poll_next_unpin(context) {
            Poll::Pending => end.poll_unpin(context).map(|error| Some(Err(error))),
            next => next,
        };
        stream::poll_fn(next).boxed()
    }

    async fn end(mut self) -> sqlx::Error {
        // Fails if nobody can begin another era.
        if self.current.wait_for(|current| *current != self.number).await.is_err() {
            return future::pending().await;
        }
        sqlx::Error::Io(io::ErrorKind::ConnectionAborted.into())
    }
}
