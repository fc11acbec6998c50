//! What a report adds to the counts and to the sets of cities, each as one number, in an order that has
//! together what is stored together.

use base::time::date_of_day;
use chrono::NaiveDate;

use super::{grain::Grain, rollup::Bucket};

/// Bits of a place on its page, of a type, and of a bucket; those of a place are the 32 of a set's member.
const PLACE_BITS: u32 = 9;
const TYPE_BITS: u32 = 2;
const BUCKET_BITS: u32 = 25;
const GRAIN_BITS: u32 = 2;
/// Added to buckets, so that none is negative: days before 1970 are.
const OFFSET: i64 = 1 << (BUCKET_BITS - 1);

fn bucket(Bucket { grain, number }: Bucket) -> u64 {
    ((grain as u64) << BUCKET_BITS) | (number + OFFSET).cast_unsigned()
}

fn unpacked_bucket(packed: u64) -> Bucket {
    let grain = Grain::ALL[(packed >> BUCKET_BITS) as usize & 3];
    let number = (packed & ((1 << BUCKET_BITS) - 1)).cast_signed() - OFFSET;
    Bucket { grain, number }
}

/// One report of the type with this index, counted in a place and a bucket.
pub(super) fn count(place: u32, counted_in: Bucket, kind: usize) -> u64 {
    let place = u64::from(place);
    let page = place >> PLACE_BITS;
    let on_page = place & ((1 << PLACE_BITS) - 1);
    let key = (page << (GRAIN_BITS + BUCKET_BITS)) | bucket(counted_in);
    (((key << PLACE_BITS) | on_page) << TYPE_BITS) | kind as u64
}

/// The bucket, the place and the type's index.
pub(super) fn counted(packed: u64) -> (Bucket, i64, usize) {
    let kind = packed & ((1 << TYPE_BITS) - 1);
    let on_page = (packed >> TYPE_BITS) & ((1 << PLACE_BITS) - 1);
    let key = packed >> (TYPE_BITS + PLACE_BITS);
    let page = key >> (GRAIN_BITS + BUCKET_BITS);
    let bucket = unpacked_bucket(key & ((1 << (GRAIN_BITS + BUCKET_BITS)) - 1));
    (bucket, ((page << PLACE_BITS) | on_page).cast_signed(), kind as usize)
}

/// Whether two [counts](count) are on one page of one bucket.
pub(super) fn are_of_one_page(a: u64, b: u64) -> bool {
    a >> (TYPE_BITS + PLACE_BITS) == b >> (TYPE_BITS + PLACE_BITS)
}

/// A city that has reports in a bucket.
pub(super) fn city(present_in: Bucket, city: u32) -> u64 {
    (bucket(present_in) << 32) | u64::from(city)
}

pub(super) fn present(packed: u64) -> (Bucket, u32) {
    (unpacked_bucket(packed >> 32), packed as u32)
}

/// A report of a city on a day. In the order of the days, then of the cities and of the types.
pub(super) fn sighting(date: NaiveDate, city: u32, kind: usize) -> u64 {
    let day = Bucket { grain: Grain::Day, number: Grain::Day.bucket(date) };
    (self::city(day, city) << TYPE_BITS) | kind as u64
}

/// The date, the city and the type's index.
pub(super) fn sighted(packed: u64) -> (NaiveDate, u32, usize) {
    let (day, city) = present(packed >> TYPE_BITS);
    (date_of_day(day.number), city, (packed & ((1 << TYPE_BITS) - 1)) as usize)
}

/// Whether two [cities](city) are of one bucket.
pub(super) fn are_of_one_bucket(a: u64, b: u64) -> bool {
    a >> 32 == b >> 32
}

#[cfg(test)]
mod tests {
    use base::time::parse_date;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked_as_it_was(place in any::<u32>(), kind in 0..3_usize) {
            for date in ["0001-01-01", "1969-12-31", "2020-02-29", "9999-12-31"] {
                let date = parse_date(date).unwrap();
                prop_assert_eq!(sighted(sighting(date, place, kind)), (date, place, kind));
                for bucket in Bucket::of(date) {
                    let packed = count(place, bucket, kind);
                    prop_assert_eq!(counted(packed), (bucket, i64::from(place), kind));
                    prop_assert_eq!(present(city(bucket, place)), (bucket, place));
                    let neighbour = count(place ^ 511, bucket, 0);
                    prop_assert!(are_of_one_page(packed, neighbour));
                    prop_assert!(!are_of_one_page(packed, count(place ^ 512, bucket, kind)));
                }
            }
        }
    }
}
