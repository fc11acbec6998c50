//! Data that differ from the packer's output.

use crate::gazetteer::packed::{BUCKET_BITS, MAGIC, Packed};
use crate::gazetteer::{DATA, Gazetteer, Precision};

/// Looks up places so that every section is read; the results do not matter.
fn ask(data: &[u8]) {
    let gazetteer = Gazetteer::new(data);
    let places = [
        ("US", "Illinois", "Springfield"),
        ("US", "", "Springfield"),
        ("DE", "Bayern", ""),
        ("FR", "La Réunion", "Saint-Denis"),
        ("IT", "Bergamo", "Nowhere"),
        ("CN", "", "Nowhere"),
    ];
    for (country, region, city) in places {
        let found = gazetteer.locate(country, region, city);
        if let Some(found) = found {
            assert!(found.lat.abs() <= 90.01 && found.lng.abs() <= 180.01, "{found:?}");
        }
    }
}

#[test]
fn the_embedded_data_are_sound() {
    assert!(Packed::new(DATA).is_some());
    let cut = &DATA[..DATA.len() - 1];
    assert!(Packed::new(cut).is_none());
    assert_eq!(Gazetteer::new(cut).locate("DE", "", "Berlin"), None);
}

#[test]
fn cut_off_data_do_not_panic() {
    for length in (0..200).chain((200..DATA.len()).step_by(40_009)) {
        ask(&DATA[..length]);
    }
}

#[test]
fn overwritten_data_do_not_panic() {
    for byte in [0x00, 0x7f, 0x80, 0xff] {
        // The header byte by byte, then each part of the rest.
        for at in MAGIC.len()..MAGIC.len() + 20 {
            let mut data = DATA.to_vec();
            data[at] = byte;
            ask(&data);
        }
        for start in (28..DATA.len()).step_by(400_009) {
            let mut data = DATA.to_vec();
            let end = data.len().min(start + 400_009);
            data[start..end].fill(byte);
            ask(&data);
        }
    }
}

/// Offsets of the buckets and the entries.
fn sections() -> [usize; 2] {
    let count = u32::from_le_bytes(DATA[24..28].try_into().unwrap()) as usize;
    let entries = DATA.len() - count * 5;
    [entries - ((1 << BUCKET_BITS) + 1) * 3, entries]
}

#[test]
fn buckets_whose_ends_are_before_their_starts_are_empty() {
    let ([buckets, entries], mut data) = (sections(), DATA.to_vec());
    for (index, bound) in data[buckets..entries].chunks_exact_mut(3).enumerate() {
        bound.copy_from_slice(if index % 2 == 0 { &[0xff; 3] } else { &[0; 3] });
    }
    ask(&data);
}

#[test]
fn names_of_cities_that_do_not_exist_are_not_found() {
    let ([_, entries], mut data) = (sections(), DATA.to_vec());
    for entry in data[entries..].chunks_exact_mut(5) {
        entry[..2].fill(0xff);
        entry[2] |= 0x03;
    }
    ask(&data);
    let found = Gazetteer::new(&data).locate("DE", "", "Berlin").unwrap();
    assert_eq!(found.precision, Precision::Country);
}
