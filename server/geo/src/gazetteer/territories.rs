//! Territories with a code of their own which reports also count under another country.
//!
//! GeoNames goes by the codes, so its United States have no San Juan of Puerto Rico, and its China
//! no Hong Kong. The list helps to find a place that a report names so, and says nothing about
//! whose the place is. It is what ISO 3166-2 lists under both codes, and dependencies.

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

/// The codes of the territories of the country with this code.
pub(super) fn territories(country: &str) -> &'static [[u8; 2]] {
    let index = TERRITORIES.binary_search_by_key(&country, |(code, _)| code);
    index.ok().and_then(|index| TERRITORIES.get(index)).map_or(&[], |(_, codes)| codes)
}
