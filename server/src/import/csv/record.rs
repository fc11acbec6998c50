//! A row of CSV taken apart.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The fields of one row; the next row takes their place.
pub(super) struct Record {
    reader: Reader,
    /// The fields one after the other.
    text: Vec<u8>,
    /// Where each field ends in `text`.
    ends: Vec<usize>,
    fields: usize,
}

impl Record {
    pub(super) fn new(separator: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(separator).build();
        Self { reader, text: vec![0; 1_024], ends: vec![0; 32], fields: 0 }
    }

    /// Takes a whole row apart.
    pub(super) fn read(&mut self, row: &[u8]) {
        self.reader.reset();
        self.fields = 0;
        let (mut read, mut written) = (0, 0);
        loop {
            let (result, took, wrote, ended) = self.reader.read_record(
                &row[read..],
                &mut self.text[written..],
                &mut self.ends[self.fields..],
            );
            (read, written, self.fields) = (read + took, written + wrote, self.fields + ended);
            match result {
                // Once more with nothing: that ends the last field.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record | ReadRecordResult::End => return,
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.fields
    }

    /// All fields in a row, without separators.
    pub(super) fn whole(&self) -> &[u8] {
        let end = self.ends[..self.fields].last().copied().unwrap_or_default();
        &self.text[..end]
    }

    pub(super) fn range(&self, field: usize) -> std::ops::Range<usize> {
        let start = field.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[field]
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.fields).map(|field| &self.text[self.range(field)])
    }
}
