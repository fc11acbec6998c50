//! Rows on their way from the thread that reads them to the store.
//!
//! A task gathers them until there are [`BATCH`] of them, or until a second has passed since there was
//! something: on standard input the next row may be long in coming, and what has come should not wait
//! for it. The reading thread waits while a whole batch has gathered.

use std::{io, time::Duration};

use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    time::timeout,
};

use super::{
    Error,
    rows::{Row, Shape},
};

/// Maximum number of rows in a batch: a few transactions of the store.
pub(super) const BATCH: usize = 40_000;
/// Bytes of originals in a batch, which bound it where rows are long.
const MOST_HELD: usize = 32 << 20;
/// Maximum number of rows that were read and are in no batch yet. Each may have a mebibyte.
const AHEAD: usize = 32;
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Something that was found in a file.
pub(super) enum Found {
    /// Its beginning was read.
    Shape(Shape),
    /// Remarks that come before the rows that follow.
    Notes(Vec<String>),
    /// A row, which ends so many bytes into the file.
    Row(Row, u64),
    /// How reading ended, and remarks that come last.
    End(Result<(), Error>, Vec<String>),
}

/// Everything that was found since the last batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub rows: Vec<Row>,
    pub notes: Vec<String>,
    pub shape: Option<Shape>,
    /// How much of the file the rows end at.
    pub bytes: u64,
    /// Bytes of the rows' originals.
    held: usize,
    pub end: Option<(Result<(), Error>, Vec<String>)>,
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
            // It has panicked.
            None => {
                let failed = io::Error::other("the thread that reads it has failed");
                self.end = Some((Err(failed.into()), Vec::new()));
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.rows.len() >= BATCH || self.held >= MOST_HELD || self.end.is_some()
    }
}

/// The ends of the reading thread and of the store. The last batch has an end.
pub(super) fn batches() -> (Sender<Found>, Receiver<Batch>) {
    let ((found, finds), (batches, taken)) = (channel(AHEAD), channel(1));
    tokio::spawn(gather(finds, batches));
    (found, taken)
}

async fn gather(mut finds: Receiver<Found>, batches: Sender<Batch>) {
    // While one waits to be taken, no other is begun.
    while let Ok(place) = batches.reserve().await {
        let mut batch = Batch::default();
        batch.add(finds.recv().await);
        let rest = async {
            while !batch.is_complete() {
                batch.add(finds.recv().await);
            }
        };
        // Whether it is complete by then or not.
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
            let mut rows = (0..).map(|line| Found::Row(row(line, 0), 0));
            rows.position(|row| found.blocking_send(row).is_err())
        });
        taken.recv().await.unwrap();
        drop(taken);
        assert!(reader.join().unwrap().unwrap() >= BATCH);
    }
}
