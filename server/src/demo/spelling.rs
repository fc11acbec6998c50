use geo::cities::City;
use unicode_normalization::UnicodeNormalization;

use super::rng::Rng;

/// City, region and country in one spelling.
pub(super) type Spelled = [String; 3];

#[derive(Clone, Copy)]
enum Habit {
    Usual,
    /// Local spelling, if there is one. Counts as another place unless its key is the same.
    Local,
    Upper,
    Lower,
    NoAccents,
    /// Country as its ISO code.
    Code,
    /// Country in the local spelling.
    LocalCountry,
}

const HABITS: [(u64, Habit); 7] = [
    (700, Habit::Usual),
    (250, Habit::Local),
    (8, Habit::Upper),
    (8, Habit::Lower),
    (12, Habit::NoAccents),
    (8, Habit::Code),
    (8, Habit::LocalCountry),
];

/// Returns the usual spelling.
pub(super) fn usual(city: &City) -> Spelled {
    [city.name, city.region, city.country].map(str::to_owned)
}

/// Returns the usual spelling most of the time, and sometimes another one.
pub(super) fn any(city: &City, rng: &mut Rng) -> Spelled {
    let [name, region, country] = usual(city);
    match (*rng.pick(&HABITS), city.local) {
        (Habit::Local, Some(local)) => local.map(str::to_owned),
        (Habit::LocalCountry, Some([.., there])) => [name, region, there.to_owned()],
        (Habit::Upper, _) => [name.to_uppercase(), region, country],
        (Habit::Lower, _) => [name.to_lowercase(), region, country],
        (Habit::NoAccents, _) => [without_accents(&name), without_accents(&region), country],
        (Habit::Code, _) => [name, region, city.code.to_owned()],
        (Habit::Usual | Habit::Local | Habit::LocalCountry, _) => [name, region, country],
    }
}

fn without_accents(text: &str) -> String {
    text.nfd().filter(|c| !matches!(c, '\u{0300}'..='\u{036F}')).nfc().collect()
}

#[cfg(test)]
mod tests {
    use geo::{
        cities::cities,
        places::{country_key, fold},
    };

    use super::{Rng, any};

    #[test]
    fn every_spelling_has_a_key_of_the_city() {
        let mut rng = Rng::with_stream(7, 0);
        for city in cities() {
            let mut keys = vec![[fold(city.name), fold(city.region)]];
            keys.extend(city.local.map(|[name, region, _]| [fold(name), fold(region)]));
            for _ in 0..40 {
                let [name, region, country] = any(city, &mut rng);
                assert!(keys.contains(&[fold(&name), fold(&region)]), "{name:?}, {region:?}");
                assert_eq!(country_key(&country), city.code, "{country:?}");
            }
        }
    }
}
