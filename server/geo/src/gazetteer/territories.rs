//! Territories with a code of their own which reports also count under another country.
//!
//! GeoNames goes by the codes, so its United States have no San Juan of Puerto Rico, and its China
//! no Hong Kong. The list helps to find a place that a report names so, and says nothing about
//! whose the place is. It is what ISO 3166-2 lists under both codes, and dependencies.

/// Codes of countries, each with those of its territories.
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

/// The codes of the territories of the country with this code.
pub(super) fn territories(country: &str) -> impl Iterator<Item = [u8; 2]> + Clone {
    let of_country = TERRITORIES.iter().filter(move |(code, _)| *code == country);
    let codes = of_country.flat_map(|(_, codes)| codes.split(' '));
    codes.filter_map(|code| code.as_bytes().try_into().ok())
}
