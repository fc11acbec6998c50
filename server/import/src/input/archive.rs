//! Compressed files, detected by their first bytes.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

use flate2::read::MultiGzDecoder;

use super::{with_head, zstd::Zstd};
use crate::{Error, FileError};

/// Returns the content of the input that consists of `head` and `input`, unpacked if it is an archive. The archive's
/// window has at most `max_window` bytes.
pub(super) fn unpack<'i>(
    head: &[u8],
    input: impl Read + 'i,
    max_window: u64,
) -> Result<Box<dyn Read + 'i>, Error> {
    let input = with_head(head.to_vec(), input);
    let state = Rc::new(Cell::new(ReadState::Reading));
    Ok(match head {
        [0x1F, 0x8B, ..] => {
            let decoder = MultiGzDecoder::new(ArchiveReader { input, state: state.clone() });
            Box::new(Archive { name: "gzip", decoder, state })
        }
        // A frame, or a skippable frame.
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
            let decoder = Zstd::new(ArchiveReader { input, state: state.clone() }, max_window);
            Box::new(Archive { name: "zstd", decoder, state })
        }
        [0xD0, 0xCF, 0x11, 0xE0, ..] => {
            return Err(Error::Source(FileError::OldWorkbook));
        }
        [b'B', b'Z', b'h', ..] | [0xFD, b'7', b'z', b'X', ..] => {
            return Err(Error::Source(FileError::OtherArchive));
        }
        _ => Box::new(input),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadState {
    Reading,
    Ended,
    /// Reading failed; the archive itself may be intact.
    Failed,
}

/// Reader of the packed bytes, which records whether reading ended or failed.
struct ArchiveReader<R> {
    input: R,
    state: Rc<Cell<ReadState>>,
}

impl<R: Read> Read for ArchiveReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer);
        match &read {
            Ok(0) if !buffer.is_empty() => self.state.set(ReadState::Ended),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.state.set(ReadState::Failed)
            }
            _ => {}
        }
        read
    }
}

/// Reader of an archive, which replaces errors of the decoder by understandable ones.
struct Archive<D> {
    name: &'static str,
    decoder: D,
    state: Rc<Cell<ReadState>>,
}

impl<D: Read> Read for Archive<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| {
            let archive = self.name.to_owned();
            match self.state.get() {
                ReadState::Failed => error,
                _ if matches!(
                    error.kind(),
                    io::ErrorKind::Interrupted | io::ErrorKind::Unsupported
                ) =>
                {
                    error
                }
                ReadState::Ended => {
                    io::Error::new(io::ErrorKind::UnexpectedEof, FileError::CutArchive { archive })
                }
                ReadState::Reading => io::Error::new(
                    io::ErrorKind::InvalidData,
                    FileError::DamagedArchive { archive, error: error.to_string() },
                ),
            }
        })
    }
}
