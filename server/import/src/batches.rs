//! Batches of rows between the reading thread and the store.
//!
//! A task collects rows until there are [`BATCH`] of them, or until a second has passed since the first. On standard
//! input the next row may take long to arrive, and earlier rows should not wait for it. The reading thread pauses while
//! a full batch is waiting.

use std::{io, time::Duration};

use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    time::timeout,
};

use super::{
    Error, FileError, Note,
    rows::{Row, Shape},
};

/// Maximum number of rows in a batch: the largest transaction of the store.
pub(super) const BATCH: usize = 65_536;
/// Maximum number of bytes of original rows in a batch, which limits batches of long rows.
const MAX_HELD: usize = 32 << 20;
/// Maximum number of rows that are read but not yet in a batch. Each may have up to a mebibyte.
const AHEAD: usize = 32;
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Item found in a file.
pub(super) enum Found {
    /// Shape of the file: header, separator and byte order mark.
    Shape(Shape),
    /// Notes about the rows that follow.
    Notes(Vec<Note>),
    /// Row, and the offset of its end in the file.
    Row(Row, u64),
    /// Result of reading, and final notes.
    End(Result<(), Error>, Vec<Note>),
}

/// All items found since the last batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub rows: Vec<Row>,
    pub notes: Vec<Note>,
    pub shape: Option<Shape>,
    /// Offset in the file at which the rows end.
    pub bytes: u64,
    /// Bytes of the original rows.
    held: usize,
    pub end: Option<(Result<(), Error>, Vec<Note>)>,
}

impl Batch {
    fn add(&mut self, found: Option<Found>) {
        match found {
            Some(Found::Shape(shape)) => self.shape = Some(shape),
            Some(Found::Notes(notes)) => self.notes.extend(notes),
            Some(Found::Row(row, bytes)) => {
                self.held += row.original.as_ref().map_or(0, Vec::len);
                self.rows.push(row);
                self.bytes = bytes;
            }
            Some(Found::End(end, notes)) => self.end = Some((end, notes)),
            // The reading thread has panicked.
            None => {
                let failed = io::Error::other(FileError::ReaderFailed);
                self.end = Some((Err(failed.into()), Vec::new()));
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.rows.len() >= BATCH || self.held >= MAX_HELD || self.end.is_some()
    }
}

/// Creates the channels for the reading thread and the store. Only the last batch has an `end`.
pub(super) fn batches() -> (Sender<Found>, Receiver<Batch>) {
    let ((found, finds), (batches, taken)) = (channel(AHEAD), channel(1));
    tokio::spawn(gather(finds, batches));
    (found, taken)
}

async fn gather(mut finds: Receiver<Found>, batches: Sender<Batch>) {
    // No further batch is begun while one waits to be taken.
    while let Ok(place) = batches.reserve().await {
        let mut batch = Batch::default();
        batch.add(finds.recv().await);
        let rest = async {
            while !batch.is_complete() {
                batch.add(finds.recv().await);
            }
        };
        // The batch is sent after the timeout even if it is not full.
        let _ = timeout(LONGEST_WAIT, rest).await;
        let is_last = batch.end.is_some();
        place.send(batch);
        if is_last {
            break;
        }
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
            let (found, mut taken) = batches();
            let reader = std::thread::spawn(move || {
                let mut rows = (0..rows).map(|line| Found::Row(row(line, size), line));
                assert!(rows.all(|row| found.blocking_send(row).is_ok()));
                found.blocking_send(Found::End(Ok(()), Vec::new())).unwrap();
            });
            let mut lines = Vec::new();
            loop {
                let batch = taken.recv().await.unwrap();
                assert!(batch.rows.len() <= most, "{}", batch.rows.len());
                lines.extend(batch.rows.iter().map(|row| row.line));
                if let Some((end, _)) = batch.end {
                    end.unwrap();
                    break;
                }
            }
            assert!(lines.into_iter().eq(0..rows));
            reader.join().unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_reader_that_panics_is_an_error_and_one_that_nobody_listens_to_stops() {
        let (found, mut taken) = batches();
        drop(found);
        let (end, _) = taken.recv().await.unwrap().end.unwrap();
        assert_eq!(end.unwrap_err().to_string(), "the file could not be read");
        let (found, mut taken) = batches();
        let reader = std::thread::spawn(move || {
            let endless = (0..).map(|line| Found::Row(row(line, 0), 0));
            endless.map(|row| found.blocking_send(row).is_ok()).take_while(|sent| *sent).count()
        });
        // On a busy machine, the first batch is sent before it is full.
        let mut rows = 0;
        while rows < BATCH {
            rows += taken.recv().await.unwrap().rows.len();
        }
        drop(taken);
        assert!(reader.join().unwrap() >= BATCH);
    }
}
