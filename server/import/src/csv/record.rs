//! A row of CSV taken apart.

use std::ops::Range;

use csv_core::{Reader, ReaderBuilder};

/// The fields of one row; the next row takes their place.
pub(super) struct Record {
    reader: Reader,
    /// The fields one after the other, without quotes.
    text: Vec<u8>,
    /// Where each field ends in `text`.
    ends: Vec<usize>,
    fields: usize,
}

impl Record {
    pub(super) fn new(separator: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(separator).build();
        Self { reader, text: Vec::new(), ends: Vec::new(), fields: 0 }
    }

    /// Takes a whole row apart.
    pub(super) fn read(&mut self, row: &[u8]) {
        let Self { reader, text, ends, .. } = self;
        // There is room for whatever such a row may have in it.
        if text.len() <= row.len() {
            text.resize(row.len() + 1, 0);
            ends.resize(row.len() + 2, 0);
        }
        reader.reset();
        let (_, _, written, ended) = reader.read_record(row, text, ends);
        // Nothing follows: that ends the last field.
        let (_, _, _, last) = reader.read_record(&[], &mut text[written..], &mut ends[ended..]);
        self.fields = ended + last;
    }

    pub(super) fn len(&self) -> usize {
        self.fields
    }

    /// The text in which [`Record::range`] says where the fields are.
    pub(super) fn text(&self) -> &[u8] {
        let end = self.ends[..self.fields].last().copied().unwrap_or_default();
        &self.text[..end]
    }

    pub(super) fn range(&self, field: usize) -> Range<usize> {
        let start = field.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[field]
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.fields).map(|field| &self.text[self.range(field)])
    }
}
