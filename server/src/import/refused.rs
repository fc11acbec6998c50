//! Refused rows, written down to be mended and imported again.
//!
//! The reasons stand in the first column: a row that was refused because it has too few or too many
//! fields keeps its shape, and is refused again unless it is mended.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use csv::WriterBuilder;

use super::{Error, Refusal, rows::Shape};

pub(super) const REASONS: &str = "refusedBecause";
/// What stood in a JSON file where the other columns don't say all of it.
pub(super) const ORIGINAL: &str = "refusedJson";
/// The columns that an import passes over without a word.
pub(super) const OUR_COLUMNS: [&str; 2] = [REASONS, ORIGINAL];

/// A new file for refused rows; it is removed again if there are none.
#[derive(Debug)]
pub struct RefusedRows {
    path: PathBuf,
    file: BufWriter<File>,
    shape: Shape,
    is_empty: bool,
}

impl RefusedRows {
    /// # Errors
    /// There is such a file already, or it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create_new(path)?);
        Ok(Self { path: path.to_owned(), file, shape: Shape::default(), is_empty: true })
    }

    pub(super) fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
    }

    /// Adds rows, each as a line of CSV.
    pub(super) fn write<'r>(
        &mut self,
        rows: impl Iterator<Item = (&'r [u8], &'r [Refusal])>,
    ) -> Result<(), Error> {
        self.try_write(rows).map_err(|source| {
            let file = self.path.display().to_string();
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
                self.file.write_all(mark.as_bytes())?;
                let header = self.shape.header.clone();
                self.line(REASONS, &header)?;
            }
            let reasons: Vec<String> = refusals.iter().map(reason).collect();
            self.line(&reasons.join("; "), row)?;
        }
        // A crash of what follows leaves them.
        self.file.flush()
    }

    fn line(&mut self, first: &str, rest: &[u8]) -> io::Result<()> {
        let separator = self.shape.separator;
        self.file.write_all(&csv_line([first].into_iter(), separator))?;
        self.file.write_all(&[separator])?;
        self.file.write_all(rest)?;
        self.file.write_all(b"\n")
    }
}

/// Cells as a line of CSV, without its end.
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
        None => refusal.reason.clone(),
    }
}

impl Drop for RefusedRows {
    fn drop(&mut self) {
        if self.is_empty {
            // An empty file that stays is no more than untidy.
            let _ = fs::remove_file(&self.path);
        }
    }
}
