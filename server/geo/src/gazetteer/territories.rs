//! Territories that have their own code, but which reports may also count under another country.
//!
//! GeoNames uses the codes, so it has no San Juan of Puerto Rico in its United States, and no Hong Kong in its China.
//! The list helps to find a place in such a report, and makes no claim about sovereignty. It consists of territories
//! that ISO 3166-2 lists under both codes, and of dependencies.

/// Codes of countries, sorted, each with the codes of its territories.
const TERRITORIES: &[(&str, &[[u8; 2]])] = &[
    ("AU", &[*b"CX", *b"CC", *b"NF"]),
    ("CN", &[*b"HK", *b"MO", *b"TW"]),
    ("DK", &[*b"GL", *b"FO"]),
    ("FI", &[*b"AX"]),
    (
        "FR",
        &[*b"RE", *b"GP", *b"MQ", *b"GF", *b"YT", *b"NC", *b"PF", *b"MF", *b"BL", *b"PM", *b"WF"],
    ),
    (
        "GB",
        &[
            *b"IM", *b"JE", *b"GG", *b"GI", *b"BM", *b"KY", *b"TC", *b"VG", *b"AI", *b"MS", *b"FK",
            *b"SH",
        ],
    ),
    ("MA", &[*b"EH"]),
    ("NL", &[*b"CW", *b"AW", *b"SX", *b"BQ"]),
    ("NO", &[*b"SJ"]),
    ("NZ", &[*b"CK", *b"NU", *b"TK"]),
    ("RS", &[*b"XK"]),
    ("US", &[*b"PR", *b"GU", *b"VI", *b"AS", *b"MP"]),
];

/// Codes of the territories of the country with this code.
pub(super) fn territories(country: &str) -> &'static [[u8; 2]] {
    let index = TERRITORIES.binary_search_by_key(&country, |(code, _)| code);
    index.ok().and_then(|index| TERRITORIES.get(index)).map_or(&[], |(_, codes)| codes)
}
