//! Sorting of rows by `createdAt`.
//!
//! Each batch of history becomes a segment of the lists. Batches of an unsorted file would all span the whole time, so
//! a list would have to read every segment. Therefore a large file is sorted before its first row is imported. As many
//! rows as fit in [`RUN`] are sorted in memory. Larger files are written to a temporary file in sorted runs, which are
//! then merged.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    mem,
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::report::NewReport;
use rustix::io::pread;

use super::{Error, rows::Row};

/// Bytes of rows that are sorted in memory.
const RUN: usize = if cfg!(test) { 1 << 10 } else { 32 << 20 };
/// Bytes that are read from each run at a time. A few hundred runs hold tens of gigabytes.
const BUFFER: usize = 64 << 10;

/// Sorter of accepted rows. Rows with the same `createdAt` keep their order.
pub(super) struct ByTime {
    folder: PathBuf,
    run: Run,
    file: Option<File>,
    /// Offsets of the ends of the runs in the file.
    ends: Vec<u64>,
    rows: u64,
}

impl ByTime {
    /// Creates a sorter whose temporary files are in `folder`. They have no name.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, run: Run::default(), file: None, ends: Vec::new(), rows: 0 }
    }

    pub(super) fn add(
        &mut self,
        line: u64,
        report: &NewReport,
        original: Option<&[u8]>,
    ) -> Result<(), Error> {
        self.rows += 1;
        let row = postcard::to_stdvec(&(line, report, original))
            .map_err(|error| self.failed(io::Error::other(error)))?;
        self.run.bytes += row.len();
        self.run.rows.push((report.created_at.timestamp_millis(), row));
        if self.run.bytes >= RUN {
            self.write_run().map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// Number of added rows.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the rows in order.
    pub(super) fn sorted(mut self) -> Result<Sorted, Error> {
        let merged = if self.file.is_some() {
            self.write_run().and_then(|()| self.merged())
        } else {
            let mut rows = Vec::with_capacity(self.run.bytes);
            self.run.write(&mut rows).and_then(|_| Runs::of(vec![Box::new(io::Cursor::new(rows))]))
        };
        let runs = merged.map_err(|error| self.failed(error))?;
        Ok(Sorted { folder: self.folder, runs })
    }

    fn write_run(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let mut file = BufWriter::new(file);
        let length = self.run.write(&mut file)?;
        file.flush()?;
        self.ends.push(self.ends.last().copied().unwrap_or_default() + length);
        Ok(())
    }

    fn merged(&mut self) -> io::Result<Runs> {
        let file = self.file.take().ok_or_else(|| io::Error::other("there are no runs"))?;
        let file = Arc::new(file);
        let mut begin = 0;
        let mut runs: Vec<Box<dyn Read>> = Vec::with_capacity(self.ends.len());
        for end in mem::take(&mut self.ends) {
            let section = Section::new(file.clone(), begin, end);
            runs.push(Box::new(BufReader::with_capacity(BUFFER, section)));
            begin = end;
        }
        Runs::of(runs)
    }

    fn failed(&self, source: io::Error) -> Error {
        failed(&self.folder, source)
    }
}

fn failed(folder: &Path, source: io::Error) -> Error {
    Error::Sort { folder: folder.to_owned(), source }
}

/// Rows in memory, each with its time.
#[derive(Default)]
struct Run {
    rows: Vec<(i64, Vec<u8>)>,
    bytes: usize,
}

impl Run {
    /// Writes all rows in order, each after its time and length. Returns the number of bytes.
    fn write(&mut self, to: &mut impl Write) -> io::Result<u64> {
        let Self { mut rows, .. } = mem::take(self);
        // A stable sort: rows with the same time keep the order of the file.
        rows.sort_by_key(|(time, _)| *time);
        let mut written = 0;
        for (time, row) in rows {
            let length = u32::try_from(row.len()).map_err(io::Error::other)?;
            for part in [&time.to_le_bytes()[..], &length.to_le_bytes(), &row] {
                to.write_all(part)?;
                written += part.len() as u64;
            }
        }
        Ok(written)
    }
}

/// Section of a file. Several sections of one file can be read at the same time.
#[derive(Debug)]
pub struct Section {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Section {
    /// The section between two offsets.
    pub fn new(file: Arc<File>, at: u64, end: u64) -> Self {
        Self { file, at, end }
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = left.min(buffer.len());
        let read = pread(&*self.file, &mut buffer[..wanted], self.at)?;
        if read < wanted && read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        Ok(read)
    }
}

/// Runs to be merged.
struct Runs {
    runs: Vec<Box<dyn Read>>,
    /// Next row of each run that has one: its time, the run's number, and the row.
    next: BinaryHeap<Reverse<(i64, usize, Vec<u8>)>>,
}

impl Runs {
    fn of(runs: Vec<Box<dyn Read>>) -> io::Result<Self> {
        let mut merged = Self { next: BinaryHeap::with_capacity(runs.len()), runs };
        for run in 0..merged.runs.len() {
            merged.advance(run, Vec::new())?;
        }
        Ok(merged)
    }

    /// Reads the next row of a run, if there is one, into `row`.
    fn advance(&mut self, run: usize, mut row: Vec<u8>) -> io::Result<()> {
        let Some(reader) = self.runs.get_mut(run) else { return Ok(()) };
        let mut time = [0; 8];
        match reader.read_exact(&mut time) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            read => read?,
        }
        let mut length = [0; 4];
        reader.read_exact(&mut length)?;
        row.resize(u32::from_le_bytes(length) as usize, 0);
        reader.read_exact(&mut row)?;
        self.next.push(Reverse((i64::from_le_bytes(time), run, row)));
        Ok(())
    }

    fn next_row(&mut self) -> io::Result<Option<Row>> {
        let Some(Reverse((_, run, bytes))) = self.next.pop() else { return Ok(None) };
        let (line, report, original) = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
        self.advance(run, bytes)?;
        Ok(Some(Row { line, report: Ok(report), original }))
    }
}

/// Rows in the order of their times.
pub(super) struct Sorted {
    folder: PathBuf,
    runs: Runs,
}

impl Iterator for Sorted {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.runs.next_row().map_err(|error| failed(&self.folder, error)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use base::time::{date_of_day, instant_of_millis};
    use domain::report_id::ReportId;
    use model::ReportType;
    use proptest::prelude::*;

    use super::*;

    fn report(index: u64, created_at: i64, position: Option<(f64, f64)>) -> NewReport {
        NewReport {
            id: ReportId::stored(format!("id{index}")),
            kind: ReportType::ALL[(index % 3) as usize],
            city: "Tromsø".to_owned(),
            region: String::new(),
            country: "Norway".to_owned(),
            people_count: index as u32 + 1,
            event_date: date_of_day(created_at / 7),
            created_at: instant_of_millis(created_at),
            event_date_given: index.is_multiple_of(2),
            created_at_given: !index.is_multiple_of(5),
            position,
        }
    }

    proptest! {
        #[test]
        fn rows_come_as_they_were_in_the_order_of_time_and_then_of_the_file(
            times in prop::collection::vec((-300..300_i64, any::<bool>()), 0..120),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = ByTime::new(folder.path().to_owned());
            let mut added = Vec::new();
            for (index, (time, is_long)) in (0..).zip(times) {
                let report = report(index, time, is_long.then_some((-17.5, 179.25)));
                let original = is_long.then(|| vec![b'x'; 40]);
                sorter.add(index, &report, original.as_deref()).unwrap();
                added.push((index, report, original));
            }
            prop_assert_eq!(sorter.rows(), added.len() as u64);
            added.sort_by_key(|(_, report, _)| report.created_at);
            let sorted: Vec<_> = sorter
                .sorted()
                .unwrap()
                .map(|row| row.unwrap())
                .map(|row| (row.line, row.report.unwrap(), row.original))
                .collect();
            prop_assert_eq!(sorted, added);
            // The temporary files have no name.
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_folder_that_nothing_can_be_written_to_is_named() {
        let mut sorter = ByTime::new("/nowhere".into());
        let error =
            (0..100).find_map(|index| sorter.add(index, &report(index, 0, None), None).err());
        let error = error.unwrap();
        assert_eq!(
            error.to_string(),
            "the rows could not be sorted in a temporary file in /nowhere"
        );
    }
}
