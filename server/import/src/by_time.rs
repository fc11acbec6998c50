//! Rows in the order of `createdAt`.
//!
//! Each batch of history becomes a segment of the lists, and those of a file in no order would all span the
//! whole time: a list would have to look into every one of them. So a large file is sorted before its first
//! row is imported. As many rows as fit in [`RUN`] are sorted in memory; more go to a temporary file, run by
//! run, and the runs are merged.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    mem,
    path::{Path, PathBuf},
    sync::Arc,
};

use base::time::{date_of_day, day_number, instant_of_millis};
use domain::{report::NewReport, report_id::ReportId};
use model::ReportType;
use rustix::io::pread;
use serde::{Deserialize, Serialize};

use super::{Error, rows::Row};

/// Bytes of rows that are sorted in memory.
const RUN: usize = if cfg!(test) { 1 << 10 } else { 32 << 20 };
/// What is read of each run at a time. A few hundred runs are tens of gigabytes.
const BUFFER: usize = 64 << 10;

/// Sorts rows that were accepted. Rows with the same `createdAt` stay in their order.
pub(super) struct ByTime {
    folder: PathBuf,
    run: Run,
    file: Option<File>,
    /// Where the runs in the file end.
    ends: Vec<u64>,
    rows: u64,
}

impl ByTime {
    /// Temporary files, which have no name, are made in `folder`.
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
        self.run.add(&Record::of(line, report, original)).map_err(|error| self.failed(error))?;
        if self.run.bytes.len() >= RUN {
            self.write_run().map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// How many rows were added.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows, in order.
    pub(super) fn sorted(mut self) -> Result<Sorted, Error> {
        let merged = if self.file.is_some() {
            self.write_run().and_then(|()| self.merged())
        } else {
            self.run.sort();
            Runs::of(vec![Box::new(io::Cursor::new(self.run.sorted_bytes()))])
        };
        let runs = merged.map_err(|error| self.failed(error))?;
        Ok(Sorted { folder: self.folder, runs })
    }

    fn write_run(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        self.run.sort();
        let mut written = BufWriter::new(file);
        let mut end = self.ends.last().copied().unwrap_or_default();
        for record in self.run.records() {
            written.write_all(record)?;
            end += record.len() as u64;
        }
        written.flush()?;
        self.ends.push(end);
        self.run.clear();
        Ok(())
    }

    fn merged(&mut self) -> io::Result<Runs> {
        self.run = Run::default();
        let file = self.file.take().ok_or_else(|| io::Error::other("there are no runs"))?;
        let file = Arc::new(file);
        let mut begin = 0;
        let mut runs: Vec<Box<dyn Read>> = Vec::with_capacity(self.ends.len());
        for end in mem::take(&mut self.ends) {
            let section = Section { file: file.clone(), at: begin, end };
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

/// Rows in memory. Each is its time, its length and itself.
#[derive(Default)]
struct Run {
    bytes: Vec<u8>,
    /// Time, begin and end of each row.
    rows: Vec<(i64, u32, u32)>,
}

/// Bytes before a row: its time and its length.
const HEAD: usize = 12;

impl Run {
    fn add(&mut self, record: &Record<'_>) -> io::Result<()> {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(&record.created_at.to_le_bytes());
        self.bytes.extend_from_slice(&[0; 4]);
        postcard::to_io(record, &mut self.bytes).map_err(io::Error::other)?;
        let length = u32::try_from(self.bytes.len() - begin - HEAD).map_err(io::Error::other)?;
        if let Some(head) = self.bytes.get_mut(begin + HEAD - 4..begin + HEAD) {
            head.copy_from_slice(&length.to_le_bytes());
        }
        let offset = |at: usize| u32::try_from(at).map_err(io::Error::other);
        self.rows.push((record.created_at, offset(begin)?, offset(self.bytes.len())?));
        Ok(())
    }

    fn sort(&mut self) {
        // By the time, then by where they begin: in the order of the file.
        self.rows.sort_unstable();
    }

    fn records(&self) -> impl Iterator<Item = &[u8]> {
        self.rows
            .iter()
            .filter_map(|(_, begin, end)| self.bytes.get(*begin as usize..*end as usize))
    }

    fn sorted_bytes(&mut self) -> Vec<u8> {
        let mut sorted = Vec::with_capacity(self.bytes.len());
        self.records().for_each(|record| sorted.extend_from_slice(record));
        self.clear();
        sorted
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The part of a file that has a run.
struct Section {
    file: Arc<File>,
    at: u64,
    end: u64,
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

/// Runs that are merged.
struct Runs {
    runs: Vec<Box<dyn Read>>,
    /// The next row of each run that has one: its time, the run's number and the row.
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
        let record: Record<'_> = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
        let row = record.row();
        self.advance(run, bytes)?;
        Ok(Some(row))
    }
}

/// The rows in the order of their times.
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

/// A row as it is written.
#[derive(Serialize, Deserialize)]
struct Record<'r> {
    line: u64,
    original: Option<&'r [u8]>,
    id: &'r str,
    kind: ReportType,
    city: &'r str,
    region: &'r str,
    country: &'r str,
    people_count: u32,
    event_day: i64,
    created_at: i64,
    event_date_given: bool,
    created_at_given: bool,
    position: Option<(f64, f64)>,
}

impl<'r> Record<'r> {
    fn of(line: u64, report: &'r NewReport, original: Option<&'r [u8]>) -> Self {
        Self {
            line,
            original,
            id: &report.id,
            kind: report.kind,
            city: &report.city,
            region: &report.region,
            country: &report.country,
            people_count: report.people_count,
            event_day: day_number(report.event_date),
            created_at: report.created_at.timestamp_millis(),
            event_date_given: report.event_date_given,
            created_at_given: report.created_at_given,
            position: report.position,
        }
    }

    fn row(self) -> Row {
        let report = NewReport {
            id: ReportId::stored(self.id.to_owned()),
            kind: self.kind,
            city: self.city.to_owned(),
            region: self.region.to_owned(),
            country: self.country.to_owned(),
            people_count: self.people_count,
            event_date: date_of_day(self.event_day),
            created_at: instant_of_millis(self.created_at),
            event_date_given: self.event_date_given,
            created_at_given: self.created_at_given,
            position: self.position,
        };
        let original = self.original.map(<[u8]>::to_vec);
        Row { line: self.line, report: Ok(report), original }
    }
}

#[cfg(test)]
mod tests {
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
            // What was written had no name.
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
