//! Zstandard (RFC 8878), frame by frame. The window of a frame is limited; archives made without special options need 8
//! MiB.

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};

use crate::FileError;

pub(super) struct Zstd<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    max_window: u64,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    /// Creates a decoder that accepts frames with windows of at most this many bytes.
    pub(super) fn new(source: R, max_window: u64) -> Self {
        let source = BufReader::with_capacity(1 << 16, source);
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(max_window);
        Self { source, decoder, max_window, in_frame: false }
    }

    /// Begins the next frame; `false` at the end.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = (&mut self.source).take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                    let reason = FileError::LargeWindow { mebibytes: self.max_window >> 20 };
                    return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 || buffer.is_empty() {
                return self.decoder.read(buffer);
            }
            if !self.in_frame {
                if !self.begin_frame()? {
                    return Ok(0);
                }
            } else if self.decoder.is_finished() {
                self.end_frame()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(io::Error::other)?;
            }
        }
    }
}
