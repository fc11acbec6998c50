//! Format of `server/geo/data/gazetteer.bin`, and its reader. Numbers are little-endian.
//!
//! | section   | a record                                                   | order            |
//! |-----------|------------------------------------------------------------|------------------|
//! | header    | magic (8 bytes), seed, numbers of countries, regions, cities, entries: u32 each | |
//! | countries | alpha-2, point (4 bytes)                                    | code             |
//! | regions   | point (4)                                                  | id               |
//! | cities    | point (4), region (u16)                                    | id               |
//! | buckets   | first entry (u24), for 2^16 buckets and the end             | bucket           |
//! | entries   | u40: id (low 18 bits), print (high 22)                     | bucket, print, rank |
//!
//! The hash of a name and its country is stored instead of the name: 16 bits are the bucket and 22 the print. That
//! takes 5 bytes for a name in any script, a third of the size of the texts, and a lookup is one jump without
//! unpacking. The price: a name without an entry is taken for another name two or three times in a million. The packer
//! searches for a seed that gives no collisions among its own names.
//!
//! Entries of the same name are adjacent and have the same print; the likelier one comes first. A point is latitude and
//! longitude as i16, scaled to 90° and 180°, accurate to 0.4 km. Every read is bounds-checked: damaged data give wrong
//! results or none, but no panic.

pub const MAGIC: &[u8; 8] = b"svcgaz\x00\x01";
pub const BUCKET_BITS: u32 = 16;
pub const ID_BITS: u32 = 18;
pub const PRINT_BITS: u32 = 22;
/// Region of a city without a region.
pub const NO_REGION: u16 = u16::MAX;

/// Point on Earth in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub lat: f32,
    pub lng: f32,
}

/// Kind of an entry's place; part of its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    City = b'c' as isize,
    Region = b'r' as isize,
}

/// Position of an entry: its bucket and its print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    pub bucket: u32,
    pub print: u32,
}

impl Slot {
    /// Computes the slot of a name in a country. The hash is FNV-1a, followed by a mixer that carries every bit into
    /// the high ones. It must never change, which the hashes of the standard library do not guarantee.
    pub fn new(seed: u32, kind: EntryKind, country: [u8; 2], key: &str) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325 ^ u64::from(seed);
        for byte in [kind as u8, country[0], country[1]].into_iter().chain(key.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        let high = |bits: u32, hash: u64| (hash >> (64 - bits)) as u32;
        Self { bucket: high(BUCKET_BITS, hash), print: high(PRINT_BITS, hash << BUCKET_BITS) }
    }
}

/// Packed gazetteer. The default one is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packed<'a> {
    seed: u32,
    countries: &'a [u8],
    regions: &'a [u8],
    cities: &'a [u8],
    buckets: &'a [u8],
    entries: &'a [u8],
}

impl<'a> Packed<'a> {
    /// Reads packed data. `None` if the format is different or the data are truncated.
    pub fn new(data: &'a [u8]) -> Option<Self> {
        let (header, mut rest) = data.strip_prefix(MAGIC)?.split_at_checked(20)?;
        let number = |index: usize| le(header.get(index * 4..index * 4 + 4)?).try_into().ok();
        let mut section = |count: usize, size: usize| {
            let (section, after) = rest.split_at_checked(count.checked_mul(size)?)?;
            rest = after;
            Some(section)
        };
        Some(Self {
            seed: u32::try_from(number(0)?).ok()?,
            countries: section(number(1)?, 6)?,
            regions: section(number(2)?, 4)?,
            cities: section(number(3)?, 6)?,
            buckets: section((1 << BUCKET_BITS) + 1, 3)?,
            entries: section(number(4)?, 5)?,
        })
    }

    /// Representative point of the country with this upper-case alpha-2 code.
    pub fn country(&self, code: [u8; 2]) -> Option<Point> {
        let (countries, _) = self.countries.as_chunks::<6>();
        let index =
            countries.binary_search_by_key(&code, |country| [country[0], country[1]]).ok()?;
        point(countries.get(index)?.get(2..)?)
    }

    /// Id of the region with this name.
    pub fn region(&self, country: [u8; 2], key: &str) -> Option<u16> {
        let id = self.ids(EntryKind::Region, country, key).next()?;
        u16::try_from(id).ok()
    }

    /// Representative point of the region.
    pub fn region_point(&self, id: u16) -> Option<Point> {
        point(self.regions.as_chunks::<4>().0.get(usize::from(id))?)
    }

    /// Cities with this name and the region of each, the likeliest first.
    pub fn cities(&self, country: [u8; 2], key: &str) -> impl Iterator<Item = (Point, u16)> {
        self.ids(EntryKind::City, country, key).filter_map(|id| {
            let city = self.cities.as_chunks::<6>().0.get(id)?;
            Some((point(city)?, u16::from_le_bytes([city[4], city[5]])))
        })
    }

    fn ids(&self, kind: EntryKind, country: [u8; 2], key: &str) -> impl Iterator<Item = usize> {
        let slot = Slot::new(self.seed, kind, country, key);
        self.bucket(slot.bucket).iter().map(|entry| le(entry)).filter_map(move |entry| {
            let id = (entry & ((1 << ID_BITS) - 1)) as usize;
            (entry >> ID_BITS == u64::from(slot.print)).then_some(id)
        })
    }

    /// Entries of a bucket, usually about ten. Empty if the bounds are damaged.
    fn bucket(&self, bucket: u32) -> &'a [[u8; 5]] {
        let (bounds, _) = self.buckets.as_chunks::<3>();
        let bound = |index: u32| Some(le(bounds.get(index as usize)?) as usize);
        let (entries, _) = self.entries.as_chunks::<5>();
        let range = bound(bucket).zip(bound(bucket + 1));
        range.and_then(|(start, end)| entries.get(start..end)).unwrap_or_default()
    }
}

/// Decodes a little-endian number of up to eight bytes.
fn le(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

/// Decodes the point in the first four bytes.
fn point(bytes: &[u8]) -> Option<Point> {
    let part = |of: f32, start: usize| {
        let bytes: [u8; 2] = bytes.get(start..start + 2)?.try_into().ok()?;
        Some(f32::from(i16::from_le_bytes(bytes)) * of / f32::from(i16::MAX))
    };
    Some(Point { lat: part(90.0, 0)?, lng: part(180.0, 2)? })
}
