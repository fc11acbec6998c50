use std::{collections::BTreeSet, io::Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::GzEncoder};

use crate::{
    harness::Svc,
    imports::{cities, import_as, total},
};

const FIRST: &str = "id,type,city,country\n1,spirit,Oslo,Norway\n";
const SECOND: &str = "2,water,Bergen,Norway\n";
/// The texts above, compressed with zstd 1.5.4.
const FIRST_IN_ZSTD: &str =
    "KLUv/SQqUQEAaWQsdHlwZSxjaXR5LGNvdW50cnkKMSxzcGlyaXQsT3NsbyxOb3J3YXkKbuybfQ==";
const SECOND_IN_ZSTD: &str = "KLUv/QRosQAAMix3YXRlcixCZXJnZW4sTm9yd2F5CgW8H44=";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(packed: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(packed).unwrap()
}

#[test]
fn gzip_and_zstd_are_unpacked_by_whatever_name_they_come() {
    // Several members or frames form one text. zstd archives may also contain skippable frames.
    let skipped = b"\x50\x2A\x4D\x18\x03\0\0\0abc".to_vec();
    for (name, archive) in [
        ("reports.csv.gz", [gzip(FIRST), gzip(SECOND)].concat()),
        ("reports", [gzip(FIRST), gzip(""), gzip(SECOND)].concat()),
        ("reports.csv.zst", [zstd(FIRST_IN_ZSTD), zstd(SECOND_IN_ZSTD)].concat()),
        (
            "reports.csv",
            [skipped.clone(), zstd(FIRST_IN_ZSTD), skipped, zstd(SECOND_IN_ZSTD)].concat(),
        ),
    ] {
        assert_eq!(cities(&import_as(name, &archive)), ["Oslo", "Bergen"], "{name}");
        let svc = Svc::migrated();
        let ran = svc.run_with_input(&["reports", "import", "-"], &archive);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
        assert_eq!(cities(&svc), ["Oslo", "Bergen"], "{name}");
    }
    let json = gzip(r#"[{"id":"1","type":"spirit","city":"Oslo","country":"Norway"}]"#);
    assert_eq!(cities(&import_as("reports.json.gz", json)), ["Oslo"]);
    let wide: Vec<u8> =
        ["\u{FEFF}", FIRST].concat().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&wide).unwrap();
    assert_eq!(cities(&import_as("wide.csv.gz", encoder.finish().unwrap())), ["Oslo"]);
}

#[test]
fn an_archive_that_is_cut_off_or_damaged_is_named_and_what_came_before_stays() {
    let rows: String = (0..20_000).map(|id| format!("{id},spirit,Oslo {id},Norway\n")).collect();
    let whole = gzip(&format!("id,type,city,country\n{rows}"));
    let given: BTreeSet<String> = (0..20_000).map(|id| format!("Oslo {id}")).collect();
    for (archive, expected) in [
        (whole[..whole.len() / 2].to_vec(), "the gzip archive is truncated: copy it again"),
        (whole[..whole.len() - 3].to_vec(), "the gzip archive is truncated: copy it again"),
        (
            [&whole[..whole.len() - 8], &[0; 8]].concat(),
            "the gzip archive is damaged (corrupt gzip stream does not have a matching checksum)",
        ),
        (
            [&whole[..], b"no gzip here at all"].concat(),
            "the gzip archive is damaged (invalid gzip header)",
        ),
    ] {
        let svc = Svc::migrated();
        let ran = svc.import(&archive, &[]);
        assert_eq!(ran.code, Some(1), "{expected}");
        let (stopped, reason) = ran.err.split_once(") remain: ").unwrap();
        assert!(
            stopped.starts_with(
                "svc: importing reports.csv stopped; the reports imported before that ("
            ),
            "{stopped}"
        );
        assert_eq!(reason, format!("the file could not be read: {expected}\n"));
        assert_ne!(total(&svc, "PENDING"), 0);
        // No truncated row was imported.
        assert!(cities(&svc).iter().all(|city| given.contains(city)));
    }
    let whole = [zstd(FIRST_IN_ZSTD), zstd(SECOND_IN_ZSTD)].concat();
    let mut damaged = whole.clone();
    damaged[30] ^= 1;
    for (archive, expected) in [
        (&whole[..whole.len() - 2], "the zstd archive is truncated: copy it again"),
        (
            // Start of a frame that requires this much memory.
            &b"\x28\xB5\x2F\xFD\x00\x98\x01\0\0"[..],
            "the zstd archive needs more than 128 MiB of memory: compress it without --long",
        ),
        (&damaged[..], "the zstd archive is damaged (the checksum is wrong)"),
    ] {
        let ran = Svc::migrated().import(archive, &[]);
        assert_eq!(ran.code, Some(1), "{expected}");
        assert!(
            ran.err.ends_with(&format!("the file could not be read: {expected}\n")),
            "{}",
            ran.err
        );
    }
}

#[test]
fn an_archive_that_unpacks_to_more_than_the_memory_is_read_with_little() {
    // 256 MiB of blank lines and one long blank line; neither is kept in memory.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(FIRST.as_bytes()).unwrap();
    for _ in 0..256 {
        encoder.write_all(&[b'\n'; 1 << 20]).unwrap();
    }
    encoder.write_all(&[b' '; 3 << 20]).unwrap();
    let svc = Svc::migrated();
    let ran = svc.import(encoder.finish().unwrap(), &[]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "svc: importing reports.csv stopped; the reports imported before that (1 report) remain: line 268435459: the \
            row is longer than 1 MiB\n"
    );
}
