//! Rows on their way from the thread that reads them to the store.
//!
//! They gather until there are [`BATCH`] of them, or until a second has passed since there was
//! something: on standard input the next row may be long in coming, and what has come should not wait
//! for it. The reading thread waits while a whole batch has gathered.

use std::{
    io, mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;

use super::{
    Error,
    rows::{Row, Shape},
};

/// Maximum number of rows in a batch: a few transactions of the store.
pub(super) const BATCH: usize = 40_000;
/// Bytes of originals in a batch, which bound it where rows are long.
const MOST_HELD: usize = 32 << 20;
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What has gathered since the last call.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub rows: Vec<Row>,
    /// What is to be said before the rows.
    pub notes: Vec<String>,
    /// Of the file, once its beginning was read.
    pub shape: Option<Shape>,
    /// How much of the file the rows end at.
    pub bytes: u64,
    /// Bytes of the rows' originals.
    held: usize,
    /// How reading ended, when it has.
    pub end: Option<Result<(), Error>>,
    /// What is to be said at the end.
    pub closing_notes: Vec<String>,
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.notes.is_empty() && self.end.is_none()
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= BATCH || self.held >= MOST_HELD
    }

    fn is_complete(&self) -> bool {
        self.is_full() || self.end.is_some()
    }
}

#[derive(Default)]
struct Shared {
    gathered: Mutex<Gathered>,
    /// For the one who takes.
    changed: Notify,
    /// For the one who adds.
    taken: Condvar,
}

#[derive(Default)]
struct Gathered {
    batch: Batch,
    /// Nobody takes any more.
    abandoned: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Gathered> {
        // It is never left half changed.
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn channel() -> (Adding, Taking) {
    let shared = Arc::<Shared>::default();
    (Adding { shared: shared.clone() }, Taking { shared })
}

/// The end of the reading thread.
pub(super) struct Adding {
    shared: Arc<Shared>,
}

impl Adding {
    pub(super) fn set_shape(&self, shape: Shape) {
        self.shared.lock().batch.shape = Some(shape);
    }

    pub(super) fn add_notes(&self, notes: Vec<String>) {
        if !notes.is_empty() {
            self.shared.lock().batch.notes.extend(notes);
            self.shared.changed.notify_one();
        }
    }

    /// Adds a row that ends so many bytes into the file; `false` when nobody wants it.
    pub(super) fn add(&self, row: Row, bytes: u64) -> bool {
        let mut gathered = self.shared.lock();
        while gathered.batch.is_full() && !gathered.abandoned {
            gathered = self.shared.taken.wait(gathered).unwrap_or_else(PoisonError::into_inner);
        }
        let batch = &mut gathered.batch;
        batch.held += row.original.as_ref().map_or(0, Vec::len);
        batch.rows.push(row);
        batch.bytes = bytes;
        if batch.rows.len() == 1 || batch.is_full() {
            self.shared.changed.notify_one();
        }
        !gathered.abandoned
    }

    pub(super) fn end(self, end: Result<(), Error>, closing_notes: Vec<String>) {
        let mut gathered = self.shared.lock();
        gathered.batch.end = Some(end);
        gathered.batch.closing_notes = closing_notes;
    }
}

impl Drop for Adding {
    fn drop(&mut self) {
        // After a panic there is no end yet.
        let failed = || Err(io::Error::other("the thread that reads it has failed").into());
        self.shared.lock().batch.end.get_or_insert_with(failed);
        self.shared.changed.notify_one();
    }
}

/// The end of the store.
pub(super) struct Taking {
    shared: Arc<Shared>,
}

impl Taking {
    /// Waits for rows. After a batch with an end there is none.
    pub(super) async fn next(&self) -> Batch {
        self.until(|batch| !batch.is_empty()).await;
        // Whether it is complete by then or not.
        let _ = tokio::time::timeout(LONGEST_WAIT, self.until(Batch::is_complete)).await;
        let batch = mem::take(&mut self.shared.lock().batch);
        self.shared.taken.notify_one();
        batch
    }

    async fn until(&self, is_so: impl Fn(&Batch) -> bool) {
        while !is_so(&self.shared.lock().batch) {
            self.shared.changed.notified().await;
        }
    }
}

impl Drop for Taking {
    fn drop(&mut self) {
        self.shared.lock().abandoned = true;
        self.shared.taken.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u64, original: usize) -> Row {
        Row { line, report: Err(Vec::new()), original: Some(vec![b'x'; original]) }
    }

    #[tokio::test]
    async fn rows_are_bounded_by_number_and_by_size_and_none_is_lost() {
        for (rows, size, most) in [(100, 1 << 20, 32), (100_000, 0, BATCH)] {
            let (adding, taking) = channel();
            let reader = std::thread::spawn(move || {
                assert!((0..rows).all(|line| adding.add(row(line, size), line)));
                adding.end(Ok(()), Vec::new());
            });
            let mut lines = Vec::new();
            loop {
                let batch = taking.next().await;
                assert!(batch.rows.len() <= most, "{}", batch.rows.len());
                lines.extend(batch.rows.iter().map(|row| row.line));
                if let Some(end) = batch.end {
                    end.unwrap();
                    break;
                }
            }
            assert!(lines.into_iter().eq(0..rows));
            reader.join().unwrap();
        }
    }

    #[tokio::test]
    async fn a_reader_that_panics_is_an_error_and_one_that_nobody_listens_to_stops() {
        let (adding, taking) = channel();
        drop(adding);
        let end = taking.next().await.end.unwrap().unwrap_err();
        assert_eq!(end.to_string(), "the file could not be read");
        let (adding, taking) = channel();
        let reader = std::thread::spawn(move || {
            (0..).take_while(|line| adding.add(row(*line, 0), 0)).count()
        });
        taking.next().await;
        drop(taking);
        assert!(reader.join().unwrap() >= BATCH);
    }
}
