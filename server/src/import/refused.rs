//! Refused rows, written down to be mended and imported again.
//!
//! The reasons stand in the first column: a row that was refused because it has too few or too many
//! fields keeps its shape, and is refused again unless it is mended.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use csv::{ByteRecord, Writer, WriterBuilder};

use super::{Error, Refusal, rows::Shape};

const REASONS: &str = "refusedBecause";
/// What stood in a JSON file where the other columns don't say all of it.
pub(super) const ORIGINAL: &str = "refusedJson";
/// The columns that an import passes over without a word.
pub(super) const OUR_COLUMNS: [&str; 2] = [REASONS, ORIGINAL];

/// A new file for refused rows; it is removed again if there are none.
#[derive(Debug)]
pub struct RefusedRows {
    path: PathBuf,
    /// Until the first row.
    file: Option<File>,
    writer: Option<Writer<File>>,
    shape: Option<Shape>,
}

impl RefusedRows {
    /// # Errors
    /// There is such a file already, or it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = File::create_new(path)?;
        Ok(Self { path: path.to_owned(), file: Some(file), writer: None, shape: None })
    }

    pub(super) fn set_shape(&mut self, shape: Shape) {
        self.shape = Some(shape);
    }

    pub(super) fn write(&mut self, row: &ByteRecord, refusals: &[Refusal]) -> Result<(), Error> {
        self.try_write(row, refusals).map_err(|cause| self.error(cause))
    }

    /// Writes down what may still be in memory.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let flushed = self.writer.as_mut().map_or(Ok(()), Writer::flush);
        flushed.map_err(|cause| self.error(cause))
    }

    fn try_write(&mut self, row: &ByteRecord, refusals: &[Refusal]) -> io::Result<()> {
        if let (Some(mut file), Some(shape)) = (self.file.take(), self.shape.take()) {
            if shape.marked {
                file.write_all("\u{FEFF}".as_bytes())?;
            }
            let mut builder = WriterBuilder::new();
            builder.delimiter(shape.separator).flexible(true);
            let writer = self.writer.insert(builder.from_writer(file));
            writer.write_record([REASONS.as_bytes()].into_iter().chain(&shape.columns))?;
        }
        let reasons: Vec<String> = refusals.iter().map(reason).collect();
        if let Some(writer) = &mut self.writer {
            writer.write_record([reasons.join("; ").as_bytes()].into_iter().chain(row))?;
        }
        Ok(())
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::Refused { file: self.path.display().to_string(), cause }
    }
}

fn reason(refusal: &Refusal) -> String {
    match refusal.field {
        Some(field) => format!("{field}: {}", refusal.reason),
        None => refusal.reason.clone(),
    }
}

impl Drop for RefusedRows {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // An empty file that stays is no more than untidy.
            let _ = fs::remove_file(&self.path);
        }
    }
}
