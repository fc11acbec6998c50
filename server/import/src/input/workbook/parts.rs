//! Limits on the parts of a workbook.

use std::{
    fs::File,
    io::{self, BufReader, Read},
};

use memchr::memmem;
use zip::{ZipArchive, result::ZipError};

use crate::{Error, FileError};

/// Maximum number of parts.
const MAX_PARTS: usize = 10_000;
/// Maximum size of all unpacked parts. A sheet with a million rows and ten columns has some 400 MB.
const MAX_TOTAL: u64 = 1 << 30;
/// Maximum size of a part that is not a sheet. The reader keeps these in memory.
const MAX_PART: u64 = 64 << 20;
/// Smallest size of a shared text: `<si/>`.
const SHORTEST_TEXT: usize = 5;

/// Checks the sizes of all parts by unpacking them: the sizes that an archive declares can be wrong.
pub(super) fn check(file: &File) -> Result<(), Error> {
    let damaged = |_: ZipError| Error::Source(FileError::DamagedWorkbook);
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    if archive.len() > MAX_PARTS {
        return Err(too_large());
    }
    let mut total = 0;
    for number in 0..archive.len() {
        let part = archive.by_index(number).map_err(damaged)?;
        let name = part.name().map_err(damaged)?.to_ascii_lowercase();
        let most = if name.starts_with("xl/worksheets/") { MAX_TOTAL } else { MAX_PART };
        let mut part = part.take(most + 1);
        let size = if name.ends_with("sharedstrings.xml") {
            let mut texts = Vec::new();
            part.read_to_end(&mut texts).map_err(|error| damaged(error.into()))?;
            check_count(&texts)?;
            texts.len() as u64
        } else {
            io::copy(&mut part, &mut io::sink()).map_err(|error| damaged(error.into()))?
        };
        total += size;
        if size > most || total > MAX_TOTAL {
            return Err(too_large());
        }
    }
    Ok(())
}

/// Checks the number of texts that the part declares: the reader reserves memory for that many.
fn check_count(texts: &[u8]) -> Result<(), Error> {
    let is_utf16 = texts.contains(&0);
    let places = memmem::find_iter(texts, "uniqueCount");
    let is_too_large = |at: usize| {
        let digits = texts[at..].iter().skip_while(|byte| !byte.is_ascii_digit());
        let digits: Vec<u8> = digits.take_while(|byte| byte.is_ascii_digit()).copied().collect();
        let count = std::str::from_utf8(&digits).unwrap_or_default().parse::<usize>();
        count.is_ok_and(|count| count > texts.len() / SHORTEST_TEXT) || digits.len() > 18
    };
    if is_utf16 || places.into_iter().any(is_too_large) {
        return Err(Error::Source(FileError::WrongTexts));
    }
    Ok(())
}

fn too_large() -> Error {
    Error::Source(FileError::LargeWorkbook)
}
