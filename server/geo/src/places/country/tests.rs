use std::collections::HashMap;

use super::super::fold;
use super::{BY_KEY, COUNTRIES, DATA, country_key, country_name};

/// Codes with spellings that people use.
const SPELLINGS: &[(&str, &[&str])] = &[
    ("AE", &["UAE", "U.A.E.", "Emirates", "الإمارات العربية المتحدة"]),
    ("AM", &["Հայաստան"]),
    ("AT", &["Österreich", "Autriche"]),
    ("BA", &["Bosnia & Herzegovina", "Bosnia and Herzegovina", "Bosnia-Herzegovina"]),
    ("BD", &["বাংলাদেশ"]),
    ("BO", &["Bolivia, Plurinational State of", "Bolivia"]),
    ("BR", &["Brazil", "Brasil", "BR", "bra", "BRASIL", "Brésil", "브라질", " brazil "]),
    ("BS", &["The Bahamas", "Bahamas"]),
    ("CD", &["DR Congo", "D.R. Congo", "DRC", "Democratic Republic of the Congo", "Congo (DRC)"]),
    ("CG", &["Congo", "Republic of the Congo", "Congo-Brazzaville"]),
    ("CH", &["Switzerland", "Schweiz", "Suisse", "Svizzera", "Svizra"]),
    ("CI", &["Côte d'Ivoire", "Côte d’Ivoire", "Cote dIvoire", "cote d ivoire", "Ivory Coast"]),
    ("CN", &["China", "PRC", "P.R.C.", "People's Republic of China", "中国", "中國"]),
    ("CV", &["Cape Verde", "Cabo Verde"]),
    ("CZ", &["Czechia", "Czech Republic", "Česko", "Česká republika"]),
    ("DE", &["Germany", "Deutschland", "Allemagne", "Alemania", "GERMANY", "deu"]),
    ("DZ", &["الجزائر", "Algérie"]),
    ("EG", &["Egypt", "مصر"]),
    ("ES", &["España", "espana", "Canary Islands"]),
    ("ET", &["ኢትዮጵያ"]),
    ("FI", &["Suomi", "Finland"]),
    ("FM", &["Micronesia", "Federated States of Micronesia"]),
    ("GB", &["UK", "U.K.", "Great Britain", "United Kingdom", "England", "Scotland", "Wales"]),
    ("GE", &["Georgia", "საქართველო"]),
    ("GM", &["The Gambia", "Gambia"]),
    ("GR", &["Ελλάδα", "ΕΛΛΑΔΑ", "Hellas", "Greece"]),
    ("GW", &["Guinea-Bissau", "Guinea Bissau"]),
    ("HK", &["Hong Kong", "Hong Kong SAR China", "香港"]),
    ("HR", &["Hrvatska"]),
    ("HU", &["Magyarország"]),
    ("IE", &["Ireland", "Éire", "Republic of Ireland"]),
    ("IL", &["ישראל"]),
    ("IN", &["in", "India", "भारत", "Bharat"]),
    ("IR", &["Iran", "Iran, Islamic Republic of", "ایران"]),
    ("IS", &["Ísland", "Island"]),
    ("JP", &["日本", "Japan", "Nippon", "Japão", "JAPÓN"]),
    ("KH", &["កម្ពុជា"]),
    ("KN", &["St. Kitts & Nevis", "Saint Kitts and Nevis", "St Kitts and Nevis"]),
    ("KP", &["North Korea", "DPRK", "Korea, Democratic People's Republic of"]),
    ("KR", &["South Korea", "Republic of Korea", "Korea", "대한민국", "한국"]),
    ("LA", &["Laos", "Lao People's Democratic Republic"]),
    ("LC", &["St. Lucia", "St.Lucia", "Saint Lucia"]),
    ("MK", &["North Macedonia", "Macedonia", "Северна Македонија"]),
    ("MM", &["Burma", "Myanmar", "Myanmar (Burma)"]),
    ("MO", &["Macau", "Macao"]),
    ("MX", &["México", "Mexico", "Méjico"]),
    ("NL", &["Holland", "Nederland", "The Netherlands", "Pays-Bas"]),
    ("NO", &["Norge", "Noreg"]),
    ("NZ", &["Aotearoa", "New Zealand"]),
    ("PL", &["Polska"]),
    ("PS", &["Palestine", "State of Palestine", "Palestinian Territories"]),
    ("RU", &["Russia", "Russian Federation", "Россия"]),
    ("SA", &["Saudi Arabia", "KSA", "السعودية"]),
    ("SE", &["Sverige"]),
    ("ST", &["São Tomé & Príncipe", "Sao Tome and Principe"]),
    ("SZ", &["Swaziland", "Eswatini"]),
    ("TH", &["ไทย", "Thailand"]),
    ("TL", &["East Timor", "Timor-Leste", "Timor Leste"]),
    ("TR", &["Türkiye", "TÜRKİYE", "Turkey", "turkiye"]),
    ("TT", &["Trinidad and Tobago", "Trinidad & Tobago"]),
    ("TW", &["Taiwan", "台灣", "Taiwan, Province of China"]),
    ("TZ", &["Tanzania", "United Republic of Tanzania"]),
    ("UA", &["Україна", "Ukraine"]),
    (
        "US",
        &[
            "us",
            "USA",
            "U.S.A.",
            "U.S.",
            "United States",
            "United States of America",
            "EE.UU.",
            "Estados Unidos",
            "États-Unis",
            "The United States",
            "Etats-Unis",
            "美国",
        ],
    ),
    ("VA", &["Vatican", "Holy See"]),
    ("VC", &["St. Vincent & Grenadines", "Saint Vincent and the Grenadines", "St Vincent"]),
    ("VE", &["Venezuela (Bolivarian Republic of)"]),
    ("VI", &["U.S. Virgin Islands", "US Virgin Islands"]),
    ("VN", &["Viet Nam", "Vietnam", "Việt Nam"]),
    ("XK", &["Kosovo", "Kosova", "Косово"]),
];

#[test]
fn a_country_is_known_by_its_codes_and_its_names_in_many_languages() {
    let mut tried = 0;
    for (code, spellings) in SPELLINGS {
        for spelling in *spellings {
            assert_eq!(country_key(spelling), *code, "{spelling:?}");
            tried += 1;
        }
    }
    assert!(tried >= 150, "{tried}");
}

#[test]
fn an_unknown_country_is_known_by_its_folded_name() {
    assert_eq!(country_key("  Rurità nia"), "rurita nia");
    assert_eq!(country_key("Ruritania."), "ruritania.");
    assert_eq!(country_key("The Shire"), "the shire");
    assert_eq!(country_key("XX"), "xx");
    assert_eq!(country_key("..."), "...");
    assert_eq!(country_key(""), "");
}

#[test]
fn every_country_is_found_by_both_codes_and_its_name() {
    assert_eq!(COUNTRIES.len(), 250);
    for country in COUNTRIES.iter() {
        for text in [country.code, country.alpha3, country.name] {
            assert_eq!(country_key(text), country.code, "{text:?}");
            assert_eq!(country_key(&text.to_uppercase()), country.code, "{text:?}");
            assert_eq!(country_key(&text.to_lowercase()), country.code, "{text:?}");
        }
        assert_eq!(country_name(country.code), Some(country.name));
    }
    assert_eq!(country_name("br"), None);
    assert_eq!(country_name("XX"), None);
}

#[test]
fn the_data_is_keyed_by_the_fold_of_this_crate_and_no_key_means_two_countries() {
    let mut seen = HashMap::new();
    for country in COUNTRIES.iter() {
        assert_eq!((country.code.len(), country.alpha3.len()), (2, 3), "{}", country.name);
        for key in country.keys() {
            assert_eq!(fold(key), key, "{}", country.code);
            assert_eq!(seen.insert(key, country.code), None, "{key:?} {}", country.code);
        }
    }
    assert_eq!(DATA.lines().count(), COUNTRIES.len());
    assert!(COUNTRIES.is_sorted_by_key(|country| country.code));
    assert_eq!(BY_KEY.len(), seen.len() + own_keys());
}

/// Number of distinct keys of the codes and English names alone.
fn own_keys() -> usize {
    let own = COUNTRIES.iter().flat_map(|c| [fold(c.code), fold(c.alpha3), fold(c.name)]);
    own.collect::<std::collections::HashSet<_>>().len()
}
