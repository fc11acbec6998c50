//! gzip of an endless response (RFC 1951 and 1952), frame by frame.
//!
//! Two frames in a row differ little, so each is compressed with the one before it as dictionary: a tick of a stream
//! takes a tenth of its plain size, where it would take a third alone. The usual way, a compressor for each connection,
//! would keep 256 KiB for each. Instead, connections with the same last frames share the result, which is a sequence
//! of complete blocks, and each keeps only a checksum and a reference to its last frame.

use std::{convert::Infallible, sync::Arc, time::Duration};

use base::cache::{Cache, Limits};
use bytes::Bytes;
use flate2::{Compress, Compression, Crc, FlushCompress};

/// Header of a gzip file without a name or a time, from an unknown system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// The last block, which is empty.
const END: [u8; 2] = [3, 0];
/// Frames up to this size are not compressed.
const SMALL: usize = 64;
/// Maximum size of a frame that serves as a dictionary. A client that shares its frames with nobody holds one in memory.
const MAX_KEPT: usize = 16 << 10;
/// Maximum size of a block that is not compressed.
const MAX_STORED: usize = 0xffff;
/// Number of quiet frames after which the frame before them is forgotten. References reach back 32 KiB.
const MAX_QUIET: u16 = 500;
/// Maximum size of the cache in bytes, and approximate size of an entry besides its contents.
const MAX_BYTES: u64 = 8 << 20;
const OVERHEAD: usize = 512;

/// Compressed frames that connections share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SharedFrames(Cache<(History, Bytes), Compressed>);

/// The end of the plain text that was sent: a frame, and quiet frames after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct History {
    last: Bytes,
    quiet: u16,
}

#[derive(Debug)]
struct Compressed {
    plain: Bytes,
    blocks: Bytes,
}

/// The gzip file of one connection.
#[derive(Debug)]
pub struct GzippedStream {
    shared: SharedFrames,
    /// The frame that is sent if there is no news.
    quiet: &'static [u8],
    history: History,
    checksum: Crc,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    New,
    Open,
    Ended,
}

impl Default for SharedFrames {
    fn default() -> Self {
        let idle = Some(Duration::from_secs(60));
        let limits = Limits { weight: MAX_BYTES, idle, age: None };
        Self(Cache::new(limits, |_, Compressed { plain, blocks }| {
            u32::try_from(plain.len() + blocks.len() + OVERHEAD).unwrap_or(u32::MAX)
        }))
    }
}

impl GzippedStream {
    /// Starts a file. `quiet` is the frame that is sent if there is no news.
    pub fn new(shared: SharedFrames, quiet: &'static [u8]) -> Self {
        let (history, checksum) = (History::default(), Crc::new());
        Self { shared, quiet, history, checksum, state: State::New }
    }

    /// Returns the part of the file for a frame, or its end after the last frame. `None` after the end.
    pub async fn part(&mut self, frame: Option<Bytes>) -> Option<Bytes> {
        let Some(frame) = frame else {
            let is_open = std::mem::replace(&mut self.state, State::Ended) == State::Open;
            return is_open.then(|| self.end());
        };
        self.checksum.update(&frame);
        let blocks = self.blocks(frame).await;
        match std::mem::replace(&mut self.state, State::Open) {
            State::New => Some([&HEADER[..], &blocks].concat().into()),
            State::Open | State::Ended => Some(blocks),
        }
    }

    async fn blocks(&mut self, frame: Bytes) -> Bytes {
        if frame == self.quiet && self.history.quiet < MAX_QUIET {
            self.history.quiet += 1;
            return stored(&frame).into();
        }
        if frame.len() <= SMALL {
            self.history = History::default();
            return stored(&frame).into();
        }
        let compressed = self.compressed(frame).await;
        let is_kept = compressed.plain.len() <= MAX_KEPT;
        let last = if is_kept { compressed.plain.clone() } else { Bytes::new() };
        self.history = History { last, quiet: 0 };
        compressed.blocks.clone()
    }

    async fn compressed(&self, frame: Bytes) -> Arc<Compressed> {
        let key = (self.history.clone(), frame);
        if let Some(known) = self.shared.0.get(&key).await {
            return known;
        }
        let (History { last, quiet }, plain) = &key;
        let before = [last, &*self.quiet.repeat(usize::from(*quiet))].concat();
        let blocks = compress(&before, plain).unwrap_or_else(|| stored(plain)).into();
        let compressed = Arc::new(Compressed { plain: plain.clone(), blocks });
        let shared = self.shared.0.get_or_try(key, async { Ok::<_, Infallible>(compressed) });
        // Boxed, because the future is large, and each open stream would keep memory for it.
        match Box::pin(shared).await {
            Ok(compressed) => compressed,
            Err(never) => match never {},
        }
    }

    fn end(&self) -> Bytes {
        let (sum, size) = (self.checksum.sum(), self.checksum.amount());
        [&END[..], &sum.to_le_bytes(), &size.to_le_bytes()].concat().into()
    }
}

/// Compresses a text that follows `before`. The blocks end at a whole byte. `None` if that fails.
fn compress(before: &[u8], plain: &[u8]) -> Option<Vec<u8>> {
    let mut compress = Compress::new(Compression::default(), false);
    let mut flushed = |text: &[u8]| {
        // More than blocks without compression take, so that one call is enough.
        let mut blocks = Vec::with_capacity(text.len() + text.len() / 100 + 1_024);
        let end = compress.total_in() + text.len() as u64;
        compress.compress_vec(text, &mut blocks, FlushCompress::Sync).ok()?;
        (compress.total_in() == end && blocks.len() < blocks.capacity()).then_some(blocks)
    };
    if !before.is_empty() {
        flushed(before)?;
    }
    flushed(plain)
}

/// Returns blocks without compression.
fn stored(plain: &[u8]) -> Vec<u8> {
    let block = |part: &[u8]| {
        let size = u16::try_from(part.len()).unwrap_or(u16::MAX);
        [&[0][..], &size.to_le_bytes(), &(!size).to_le_bytes(), part].concat()
    };
    plain.chunks(MAX_STORED).flat_map(block).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::{read::GzDecoder, write};

    use super::*;

    const QUIET: &[u8] = b"event: tick\n\n";

    fn new() -> GzippedStream {
        GzippedStream::new(SharedFrames::default(), QUIET)
    }

    /// Twenty reports, the newest of which has this number, and the end of a tick.
    fn frame(newest: u64) -> Bytes {
        let report = |number: u64| {
            format!(
                "{{\"id\":\"{:x}\",\"city\":\"Lyon\"}}",
                number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            )
        };
        let reports: Vec<String> = (newest..newest + 20).rev().map(report).collect();
        format!("data: {}\n\nevent: tick\n\n", reports.join(",")).into()
    }

    async fn parts(stream: &mut GzippedStream, frames: &[Bytes]) -> Vec<Bytes> {
        let mut parts = Vec::new();
        for frame in frames {
            parts.push(stream.part(Some(frame.clone())).await.unwrap());
        }
        parts
    }

    #[tokio::test]
    async fn the_parts_are_a_gzip_file_and_each_is_readable_at_once() {
        let quiet = Bytes::from_static(QUIET);
        let large: Bytes =
            (0..200_000_u32).flat_map(|number| number.wrapping_mul(number).to_le_bytes()).collect();
        let frames = [
            "retry: 1\n".into(),
            frame(1),
            quiet.clone(),
            quiet.clone(),
            frame(2),
            frame(2),
            "retry: 2\n\n".into(),
            quiet,
            frame(4),
            large,
            frame(5),
        ];
        let mut stream = new();
        let mut decoder = write::GzDecoder::new(Vec::new());
        let mut file = Vec::new();
        for (part, count) in parts(&mut stream, &frames).await.iter().zip(1..) {
            decoder.write_all(part).unwrap();
            decoder.flush().unwrap();
            assert!(*decoder.get_ref() == frames[..count].concat(), "after {count} frames");
            file.extend_from_slice(part);
        }
        file.extend_from_slice(&stream.part(None).await.unwrap());
        assert_eq!(stream.part(None).await, None);
        let mut plain = Vec::new();
        GzDecoder::new(&file[..]).read_to_end(&mut plain).unwrap();
        assert!(plain == frames.concat());
    }

    #[tokio::test]
    async fn a_frame_takes_only_what_is_new_also_after_quiet_frames() {
        let mut frames = vec![frame(1), frame(2)];
        frames.extend(vec![Bytes::from_static(QUIET); 100]);
        frames.push(frame(3));
        let parts = parts(&mut new(), &frames).await;
        let [first, second, .., last] = &parts[..] else { panic!() };
        assert!(first.len() > 250, "{}", first.len());
        assert!(second.len() < 60 && last.len() < 60, "{} {}", second.len(), last.len());
        assert!(parts[2..102].iter().all(|part| part.len() < 20));
    }

    #[tokio::test]
    async fn frames_are_forgotten_before_references_cannot_reach_them() {
        let mut frames = vec![frame(1)];
        frames.extend(vec![Bytes::from_static(QUIET); 2_000]);
        frames.push(frame(1));
        let mut stream = new();
        let mut file = parts(&mut stream, &frames).await.concat();
        file.extend_from_slice(&stream.part(None).await.unwrap());
        let mut plain = Vec::new();
        GzDecoder::new(&file[..]).read_to_end(&mut plain).unwrap();
        assert!(plain == frames.concat());
    }

    #[tokio::test]
    async fn a_large_frame_is_not_kept() {
        let mut stream = new();
        for (size, kept) in [(MAX_KEPT, MAX_KEPT), (MAX_KEPT + 1, 0)] {
            stream.part(Some(vec![b'a'; size].into())).await.unwrap();
            assert_eq!(stream.history.last.len(), kept);
        }
    }

    #[tokio::test]
    async fn connections_with_the_same_last_frames_share_the_compressed_one() {
        let shared = SharedFrames::default();
        let [mut one, mut other] = [(); 2].map(|()| GzippedStream::new(shared.clone(), QUIET));
        let early = parts(&mut one, &[frame(1), frame(2), frame(3)]).await;
        let late = parts(&mut other, &[frame(2), frame(3)]).await;
        assert_eq!(early[2].as_ptr(), late[1].as_ptr());
        assert_eq!(one.history.last.as_ptr(), other.history.last.as_ptr());
    }
}
