//! Workbooks of Excel (`.xlsx`): one sheet becomes CSV, so that its rows pass the same checks, and its row numbers are
//! the line numbers.
//!
//! A workbook is a ZIP archive, which cannot be read from beginning to end. It is copied to a temporary file without a
//! name. All its parts are unpacked once and counted before they are parsed, because a small archive can contain
//! gigabytes.

mod parts;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufReader, Read, Seek},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};
use domain::text::quote;

use super::Decoded;
use crate::{Error, FileError, Note};

/// Maximum size of a workbook in bytes: enough for the million rows that a sheet can have.
const MAX_BYTES: u64 = 128 << 20;
/// Number of rows of a sheet in Excel.
const MAX_ROWS: u32 = 1 << 20;
/// Size of the pieces of CSV.
const PIECE: usize = 64 << 10;

type Workbook = Xlsx<BufReader<File>>;

/// Returns a sheet of a workbook as CSV: the sheet with this name, or the first visible one.
pub(super) fn open<'i>(input: impl Read, sheet: Option<&str>) -> Result<Decoded<'i>, Error> {
    let mut file = tempfile::tempfile()?;
    if io::copy(&mut input.take(MAX_BYTES + 1), &mut file)? > MAX_BYTES {
        return Err(Error::Source(FileError::LargeFile));
    }
    file.rewind()?;
    parts::check(&file)?;
    file.rewind()?;
    let workbook = Workbook::new(BufReader::new(file)).map_err(|error| unreadable(&error))?;
    let sheets = workbook.sheets_metadata().iter();
    let sheets = sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let visible: Vec<String> = sheets
        .filter(|sheet| sheet.visible == SheetVisible::Visible)
        .map(|sheet| sheet.name.clone())
        .collect();
    let chosen = match sheet {
        Some(name) => visible
            .iter()
            .find(|sheet| *sheet == name)
            .ok_or_else(|| Error::Source(FileError::NoSheet(quote(name))))?,
        None => visible.first().ok_or_else(|| Error::Source(FileError::NoVisibleSheet))?,
    };
    let notes = match visible.len() {
        0 | 1 => Vec::new(),
        sheets => vec![Note::Sheet { name: quote(chosen), others: sheets - 1 }],
    };
    let (pieces, text) = sync_channel(2);
    let chosen = chosen.clone();
    thread::Builder::new().name("workbook".to_owned()).spawn(move || {
        if let Err(error) = write(workbook, &chosen, &pieces) {
            // The reader may be gone already.
            let _ = pieces.send(Err(error));
        }
    })?;
    let text = Pieces { pieces: text, piece: Vec::new(), at: 0 };
    Ok(Decoded { text: Box::new(text), marked: true, sheets: visible, notes })
}

fn unreadable(error: &XlsxError) -> Error {
    Error::Source(match error {
        XlsxError::Password => FileError::Password,
        XlsxError::FileNotFound(_) | XlsxError::RelationshipNotFound => FileError::NotWorkbook,
        error => FileError::Workbook(error.to_string()),
    })
}

fn damaged(error: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, FileError::DamagedSheet(error.to_owned()))
}

/// Writes the rows of a sheet as CSV, an empty line for each row without cells.
fn write(
    mut workbook: Workbook,
    sheet: &str,
    pieces: &SyncSender<io::Result<Vec<u8>>>,
) -> io::Result<()> {
    let damaged = |error: XlsxError| damaged(&error.to_string());
    let mut cells = workbook.worksheet_cells_reader(sheet).map_err(damaged)?;
    let mut lines = Lines::default();
    while let Some(cell) = cells.next_cell().map_err(damaged)? {
        let (row, column) = cell.get_position();
        if row >= MAX_ROWS || row < lines.row {
            return Err(self::damaged("its rows are not in order"));
        }
        lines.move_to(row);
        lines.set(column as usize, &text_of(cell.get_value()));
        // The receiver may be gone.
        if lines.written.len() >= PIECE && pieces.send(Ok(lines.take())).is_err() {
            return Ok(());
        }
    }
    lines.end_row();
    let _ = pieces.send(Ok(lines.take()));
    Ok(())
}

/// CSV in progress.
#[derive(Default)]
struct Lines {
    written: Vec<u8>,
    /// Current row, from 0.
    row: u32,
    /// Cells of the current row.
    cells: Vec<String>,
    /// Number of columns of the first row with cells, the header.
    width: usize,
}

impl Lines {
    fn move_to(&mut self, row: u32) {
        while self.row < row {
            self.end_row();
            self.row += 1;
        }
    }

    /// Sets a cell. Empty cells beyond the last column do not count.
    fn set(&mut self, column: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.cells.len() <= column {
            self.cells.resize(column + 1, String::new());
        }
        self.cells[column] = text.to_owned();
    }

    fn end_row(&mut self) {
        if !self.cells.is_empty() {
            if self.width == 0 {
                self.width = self.cells.len();
            }
            let width = self.width.max(self.cells.len());
            self.cells.resize(width, String::new());
        }
        for (number, cell) in self.cells.drain(..).enumerate() {
            if number > 0 {
                self.written.push(b',');
            }
            if cell.contains(['"', ',']) {
                self.written.push(b'"');
                self.written.extend(cell.replace('"', "\"\"").as_bytes());
                self.written.push(b'"');
            } else {
                self.written.extend(cell.as_bytes());
            }
        }
        self.written.push(b'\n');
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.written)
    }
}

/// Text of a cell. Dates and instants are in ISO 8601. A line end within a cell becomes a blank, so that a row remains one
/// line.
fn text_of(value: &DataRef<'_>) -> String {
    let text = match value {
        DataRef::Empty => Cow::Borrowed(""),
        DataRef::Int(number) => Cow::Owned(number.to_string()),
        DataRef::Float(number) => Cow::Owned(number.to_string()),
        DataRef::String(text) => Cow::Borrowed(text.as_str()),
        DataRef::SharedString(text) => Cow::Borrowed(*text),
        DataRef::Bool(value) => Cow::Owned(value.to_string()),
        DataRef::DateTime(instant) => Cow::Owned(instant_of(instant)),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => Cow::Borrowed(text.as_str()),
        DataRef::Error(error) => Cow::Owned(error.to_string()),
    };
    text.trim().replace(['\r', '\n'], " ")
}

fn instant_of(instant: &ExcelDateTime) -> String {
    if !instant.is_datetime() {
        return instant.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, millis) = instant.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, millis) {
        (0, 0, 0, 0) => date,
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}Z"),
    }
}

/// Reader of the pieces of CSV that another thread writes.
struct Pieces {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            match self.pieces.recv() {
                Ok(piece) => (self.piece, self.at) = (piece?, 0),
                Err(_) => return Ok(0),
            }
        }
        let read = self.piece.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += read;
        Ok(read)
    }
}
