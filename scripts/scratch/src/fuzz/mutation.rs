use rand::{RngExt, rngs::StdRng};

/// Maximum length of an input. Longer inputs find no additional errors.
const MAX_BYTES: usize = 4 << 10;

/// Fragments that often cause errors in parsers.
const PIECES: [&[u8]; 38] = [
    b"",
    b" ",
    b"\t",
    b"\r\n",
    b"\n",
    b"\0",
    b"\"",
    b"\\",
    b"'",
    b",",
    b";",
    b"=",
    b"&",
    b"%",
    b"%00",
    b"%zz",
    b"+",
    b"-",
    b".",
    b"/",
    b":",
    b"*",
    b"[",
    b"]",
    b"{",
    b"}",
    b"0",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\xff",
    b"\xc3\x28",
    b"\xef\xbb\xbf",
    "\u{202e}".as_bytes(),
    "\u{2028}".as_bytes(),
    "é".as_bytes(),
    "💧".as_bytes(),
    b"null",
];

/// Returns one of the inputs with a few changes.
pub(super) fn mutated(inputs: &[Vec<u8>], random: &mut StdRng) -> Vec<u8> {
    let mut input = inputs[random.random_range(0..inputs.len())].clone();
    for _ in 0..random.random_range(1..=6) {
        change(&mut input, inputs, random);
    }
    input.truncate(MAX_BYTES);
    input
}

fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], random: &mut StdRng) {
    let at = random.random_range(0..=input.len());
    let end = random.random_range(at..=input.len().min(at + 64));
    match random.random_range(0..7) {
        0 if at < input.len() => input[at] ^= 1 << random.random_range(0..8),
        1 if at < input.len() => input[at] = random.random(),
        2 => drop(input.drain(at..end)),
        3 => {
            let again = input[at..end].to_vec();
            input.splice(at..at, again);
        }
        4 => {
            let other = &inputs[random.random_range(0..inputs.len())];
            let from = random.random_range(0..=other.len());
            input.splice(at..end, other[from..].iter().copied());
        }
        5 => input.truncate(at),
        _ => {
            let piece = PIECES[random.random_range(0..PIECES.len())];
            input.splice(at..end, piece.iter().copied());
        }
    }
}
