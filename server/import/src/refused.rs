//! Refused rows, written to a file so that they can be fixed and imported again.
//!
//! The reasons are in the first column. A row with too few or too many fields keeps its shape, and is refused again
//! unless it is fixed. So that it is safe to fix rows in a spreadsheet, no cell is a [formula](super::formula).

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use csv::WriterBuilder;

use super::{Error, Refusal, formula::neutralized, rows::Shape};

pub(super) const REASONS: &str = "refusedBecause";
/// Column with the original JSON object, if the other columns cannot represent all of it.
pub(super) const ORIGINAL: &str = "refusedJson";
/// Columns added by svc, which an import ignores without a note.
pub(super) const OUR_COLUMNS: [&str; 2] = [REASONS, ORIGINAL];

/// Maximum number of bytes of refused rows in memory; later rows are left out.
const MAX_KEPT: usize = 4 << 20;

/// Writer of refused rows.
#[derive(Debug)]
pub struct RefusedRows {
    target: Target,
    shape: Shape,
    is_empty: bool,
}

#[derive(Debug)]
enum Target {
    /// File, which is removed if no row is refused.
    File {
        path: PathBuf,
        file: BufWriter<File>,
    },
    Memory(Kept),
}

/// Refused rows kept in memory. Clones share the same rows.
#[derive(Clone, Debug, Default)]
pub struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    /// Takes the rows as CSV; empty if there are none.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds lines, unless they exceed the limit.
    fn add(&self, lines: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + lines.len() <= MAX_KEPT {
            kept.extend_from_slice(lines);
        }
    }
}

impl RefusedRows {
    /// # Errors
    /// The file exists already, or cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create_new(path)?);
        Ok(Self::to(Target::File { path: path.to_owned(), file }))
    }

    /// Creates a writer that keeps the first rows in memory.
    pub fn kept() -> (Self, Kept) {
        let kept = Kept::default();
        (Self::to(Target::Memory(kept.clone())), kept)
    }

    fn to(target: Target) -> Self {
        Self { target, shape: Shape::default(), is_empty: true }
    }

    pub(super) fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
    }

    /// Writes rows, each as a line of CSV.
    pub(super) fn write<'r>(
        &mut self,
        rows: impl Iterator<Item = (&'r [u8], &'r [Refusal])>,
    ) -> Result<(), Error> {
        self.try_write(rows).map_err(|source| {
            let file = match &self.target {
                Target::File { path, .. } => path.display().to_string(),
                Target::Memory(_) => "memory".to_owned(),
            };
            Error::Refused { file, source }
        })
    }

    fn try_write<'r>(
        &mut self,
        rows: impl Iterator<Item = (&'r [u8], &'r [Refusal])>,
    ) -> io::Result<()> {
        for (row, refusals) in rows {
            if self.is_empty {
                self.is_empty = false;
                let mark = if self.shape.marked { "\u{FEFF}" } else { "" };
                let header = self.line(REASONS, &self.shape.header);
                self.add(&[mark.as_bytes(), &header].concat())?;
            }
            let reasons: Vec<String> = refusals.iter().map(reason).collect();
            let line = self.line(&reasons.join("; "), row);
            self.add(&line)?;
        }
        match &mut self.target {
            // Flushed now, so that a later crash does not lose them.
            Target::File { file, .. } => file.flush(),
            Target::Memory(_) => Ok(()),
        }
    }

    fn add(&mut self, line: &[u8]) -> io::Result<()> {
        match &mut self.target {
            Target::File { file, .. } => file.write_all(line),
            Target::Memory(kept) => {
                kept.add(line);
                Ok(())
            }
        }
    }

    fn line(&self, first: &str, rest: &[u8]) -> Vec<u8> {
        let separator = self.shape.separator;
        let first = csv_line([first].into_iter(), separator);
        // Without its end, which would make the last number of the line look like a formula.
        let line = [&first[..], &[separator], rest].concat();
        let mut line = neutralized(&line, separator);
        line.push(b'\n');
        line
    }
}

/// Joins cells to a line of CSV, without its line end.
pub(super) fn csv_line(cells: impl Iterator<Item = impl AsRef<[u8]>>, separator: u8) -> Vec<u8> {
    let mut writer = WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(cells);
    let mut line = writer.into_inner().unwrap_or_default();
    line.pop();
    line
}

fn reason(refusal: &Refusal) -> String {
    match refusal.field {
        Some(field) => format!("{field}: {}", refusal.reason),
        None => refusal.reason.to_string(),
    }
}

impl Drop for RefusedRows {
    fn drop(&mut self) {
        if let (true, Target::File { path, .. }) = (self.is_empty, &self.target) {
            // An empty file that cannot be removed does no harm.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_number_at_the_end_of_a_row_stays_a_number() {
        let (mut rows, kept) = RefusedRows::kept();
        let header = b"id,lat,lng".to_vec();
        rows.set_shape(Shape { header, separator: b',', marked: false });
        let refusal = crate::rows::Problem::of_row(crate::RowError::Other("why".to_owned())).on(2);
        rows.write([(&b"=1,-8.05,-34.9"[..], &[refusal][..])].into_iter()).unwrap();
        let text = String::from_utf8(kept.take()).unwrap();
        assert_eq!(text, "refusedBecause,id,lat,lng\nwhy,'=1,-8.05,-34.9\n");
    }
}
