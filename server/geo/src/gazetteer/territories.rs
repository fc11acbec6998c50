//! Territories that have their own code, but which reports may also count under another country.
//!
//! GeoNames uses the codes, so it has no San Juan of Puerto Rico in its United States, and no Hong Kong in its China.
//! The list helps to find a place in such a report, and makes no claim about sovereignty. It consists of territories
//! that ISO 3166-2 lists under both codes, and of dependencies.

/// Codes of countries, each with the codes of its territories.
const TERRITORIES: [(&str, &str); 12] = [
    ("AU", "CX CC NF"),
    ("CN", "HK MO TW"),
    ("DK", "GL FO"),
    ("FI", "AX"),
    ("FR", "RE GP MQ GF YT NC PF MF BL PM WF"),
    ("GB", "IM JE GG GI BM KY TC VG AI MS FK SH"),
    ("MA", "EH"),
    ("NL", "CW AW SX BQ"),
    ("NO", "SJ"),
    ("NZ", "CK NU TK"),
    ("RS", "XK"),
    ("US", "PR GU VI AS MP"),
];

/// Codes of the territories of the country with this code.
pub(super) fn territories(country: &str) -> impl Iterator<Item = [u8; 2]> + Clone {
    let of_country = TERRITORIES.iter().filter(move |(code, _)| *code == country);
    let codes = of_country.flat_map(|(_, codes)| codes.split(' '));
    codes.filter_map(|code| code.as_bytes().try_into().ok())
}
