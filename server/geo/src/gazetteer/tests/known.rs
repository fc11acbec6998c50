//! Places with positions entered by hand.

use super::{Gazetteer, kilometres};
use crate::gazetteer::Precision::{self, City, Country, Region};

/// Country, region, city; latitude and longitude.
type KnownPlace = ([&'static str; 3], (f64, f64));

/// Asserts that the places are found with this precision and within this many kilometres.
fn assert_found(places: &[KnownPlace], precision: Precision, within: f64) {
    for ([country, region, city], point) in places {
        let found = Gazetteer::get().locate(country, region, city);
        let found = found.unwrap_or_else(|| panic!("{country} is unknown"));
        let off = kilometres(found, *point);
        let asked = format!("{city:?}, {region:?}, {country:?}: {found:?}, {off:.0} km off");
        assert_eq!(found.precision, precision, "{asked}");
        assert!(off <= within, "{asked}");
    }
}

#[test]
fn cities_are_found_in_their_own_language_and_in_english() {
    let places: &[KnownPlace] = &[
        (["Germany", "", "München"], (48.14, 11.58)),
        (["Deutschland", "Bayern", "Munich"], (48.14, 11.58)),
        (["DE", "Bavaria", "MUENCHEN"], (48.14, 11.58)),
        (["Germany", "", "Köln"], (50.94, 6.96)),
        (["Germany", "", "Cologne"], (50.94, 6.96)),
        (["Germany", "NRW", "Duesseldorf"], (51.22, 6.78)),
        (["Germany", "", "Tuebingen"], (48.52, 9.06)),
        (["Germany", "", "Schoenebeck"], (52.02, 11.73)),
        (["Germany", "", "Nuremberg"], (49.45, 11.08)),
        (["Austria", "", "Wien"], (48.21, 16.37)),
        (["Austria", "", "Vienna"], (48.21, 16.37)),
        (["Switzerland", "", "Genf"], (46.20, 6.15)),
        (["Switzerland", "", "Genève"], (46.20, 6.15)),
        (["Switzerland", "", "Zuerich"], (47.37, 8.54)),
        (["Italy", "", "Florence"], (43.77, 11.25)),
        (["Italia", "Toscana", "Firenze"], (43.77, 11.25)),
        (["Italy", "Lombardia", "Milano"], (45.46, 9.19)),
        (["Italy", "", "Venice"], (45.44, 12.33)),
        (["Italy", "", "Rome"], (41.89, 12.48)),
        (["Poland", "", "Warszawa"], (52.23, 21.01)),
        (["Poland", "Mazowieckie", "Warsaw"], (52.23, 21.01)),
        (["Poland", "", "Łódź"], (51.77, 19.47)),
        (["Poland", "", "Lodz"], (51.77, 19.47)),
        (["Poland", "", "Kraków"], (50.06, 19.94)),
        (["Poland", "", "Cracow"], (50.06, 19.94)),
        (["Czechia", "", "Praha"], (50.09, 14.42)),
        (["Czech Republic", "", "Prague"], (50.09, 14.42)),
        (["Hungary", "", "Budapest"], (47.50, 19.04)),
        (["Romania", "", "București"], (44.43, 26.11)),
        (["Romania", "", "Bucharest"], (44.43, 26.11)),
        (["Ukraine", "", "Kiev"], (50.45, 30.52)),
        (["Ukraine", "", "Kyiv"], (50.45, 30.52)),
        (["Ukraine", "", "Lvov"], (49.84, 24.03)),
        (["Ukraine", "", "Odessa"], (46.48, 30.73)),
        (["Russia", "", "Moscow"], (55.75, 37.62)),
        (["Russia", "", "Saint Petersburg"], (59.94, 30.31)),
        (["Russia", "", "St. Petersburg"], (59.94, 30.31)),
        (["Turkey", "", "Istanbul"], (41.01, 28.95)),
        (["Türkiye", "", "İstanbul"], (41.01, 28.95)),
        (["Greece", "", "Athens"], (37.98, 23.73)),
        (["Greece", "", "Thessaloniki"], (40.64, 22.93)),
        (["Denmark", "", "København"], (55.68, 12.57)),
        (["Denmark", "", "Copenhagen"], (55.68, 12.57)),
        (["Sweden", "", "Göteborg"], (57.71, 11.97)),
        (["Sweden", "", "Gothenburg"], (57.71, 11.97)),
        (["Norway", "", "Tromsø"], (69.65, 18.96)),
        (["Finland", "", "Helsingfors"], (60.17, 24.94)),
        (["Belgium", "", "Bruxelles"], (50.85, 4.35)),
        (["Belgium", "Vlaanderen", "Antwerpen"], (51.22, 4.40)),
        (["Netherlands", "", "Den Haag"], (52.08, 4.30)),
        (["Netherlands", "", "The Hague"], (52.08, 4.30)),
        (["Netherlands", "", "'s-Hertogenbosch"], (51.70, 5.30)),
        (["Portugal", "", "Lisboa"], (38.72, -9.13)),
        (["Portugal", "", "Oporto"], (41.15, -8.61)),
        (["Spain", "Andalucía", "Sevilla"], (37.38, -5.97)),
        (["Spain", "", "Seville"], (37.38, -5.97)),
        (["Spain", "", "A Coruña"], (43.37, -8.40)),
        (["Spain", "", "Salamanca"], (40.97, -5.66)),
        (["France", "", "Saint-Étienne"], (45.43, 4.39)),
        (["France", "", "St Etienne"], (45.43, 4.39)),
        (["France", "", "Aix en Provence"], (43.53, 5.45)),
        (["Iceland", "", "Reykjavik"], (64.14, -21.90)),
        (["Ireland", "", "Baile Átha Cliath"], (53.33, -6.25)),
        (["India", "", "Bangalore"], (12.97, 77.59)),
        (["India", "", "Bengaluru"], (12.97, 77.59)),
        (["India", "", "Bombay"], (19.07, 72.88)),
        (["India", "", "Calcutta"], (22.56, 88.36)),
        (["China", "", "Peking"], (39.91, 116.40)),
        (["Vietnam", "", "Hanoi"], (21.02, 105.84)),
        (["Vietnam", "", "Hà Nội"], (21.02, 105.84)),
        (["Vietnam", "", "Saigon"], (10.82, 106.63)),
        (["Vietnam", "", "Ho Chi Minh City"], (10.82, 106.63)),
        (["Myanmar", "", "Rangoon"], (16.81, 96.16)),
        (["Egypt", "", "Cairo"], (30.06, 31.25)),
        (["Kenya", "", "Nairobi"], (-1.28, 36.82)),
        (["Nigeria", "", "Lagos"], (6.45, 3.39)),
        (["Ethiopia", "", "Addis Abeba"], (9.02, 38.75)),
        (["DR Congo", "", "Kinshasa"], (-4.33, 15.31)),
        (["Congo", "", "Brazzaville"], (-4.27, 15.28)),
        (["Ivory Coast", "", "Abidjan"], (5.35, -4.00)),
        (["Brazil", "", "São Paulo"], (-23.55, -46.64)),
        (["Brasil", "SP", "Sao Paulo"], (-23.55, -46.64)),
        (["BR", "São Paulo", "SÃO PAULO"], (-23.55, -46.64)),
        (["Brazil", "", "Brasilia"], (-15.78, -47.93)),
        (["Mexico", "", "Ciudad de México"], (19.43, -99.13)),
        (["Mexico", "CDMX", "Mexico City"], (19.43, -99.13)),
        (["Colombia", "", "Bogota"], (4.61, -74.08)),
        (["Chile", "", "Santiago"], (-33.46, -70.65)),
        (["Peru", "", "Cusco"], (-13.53, -71.97)),
    ];
    assert_found(places, City, 15.0);
}

#[test]
fn cities_are_found_in_their_own_script() {
    let places: &[KnownPlace] = &[
        (["日本", "東京都", "東京"], (35.69, 139.69)),
        (["Japan", "", "東京都"], (35.69, 139.69)),
        (["日本", "大阪府", "大阪市"], (34.69, 135.50)),
        (["日本", "大阪", "大阪"], (34.69, 135.50)),
        (["日本", "", "横浜"], (35.44, 139.64)),
        (["中国", "广东省", "深圳"], (22.55, 114.07)),
        (["中国", "", "北京市"], (39.91, 116.40)),
        (["台灣", "", "台北"], (25.05, 121.53)),
        (["대한민국", "서울특별시", "서울"], (37.57, 126.98)),
        (["한국", "", "부산"], (35.10, 129.04)),
        (["Россия", "", "Москва"], (55.75, 37.62)),
        (["Россия", "Московская область", "Химки"], (55.89, 37.43)),
        (["Россия", "", "Орёл"], (52.97, 36.07)),
        (["Україна", "Одеська область", "Одеса"], (46.48, 30.73)),
        (["България", "", "София"], (42.70, 23.32)),
        (["Ελλάδα", "Αττική", "ΑΘΗΝΑ"], (37.98, 23.73)),
        (["საქართველო", "", "თბილისი"], (41.69, 44.83)),
        (["Հայաստան", "", "Երևան"], (40.18, 44.51)),
        (["مصر", "", "القاهرة"], (30.06, 31.25)),
        (["مصر", "", "القاهره"], (30.06, 31.25)),
        (["السعودية", "", "الرياض"], (24.69, 46.72)),
        (["ایران", "", "تهران"], (35.69, 51.42)),
        (["ישראל", "", "ירושלים"], (31.77, 35.22)),
        (["भारत", "", "मुंबई"], (19.07, 72.88)),
        (["বাংলাদেশ", "ঢাকা বিভাগ", "ঢাকা"], (23.71, 90.41)),
        (["ไทย", "", "กรุงเทพมหานคร"], (13.75, 100.50)),
        (["ኢትዮጵያ", "", "አዲስ አበባ"], (9.02, 38.75)),
    ];

    assert_found(places, City, 15.0);
}

#[test]
fn names_may_be_abbreviated_run_together_or_followed_by_a_remark() {
    let places: &[KnownPlace] = &[
        (["USA", "", "New York"], (40.71, -74.01)),
        (["USA", "NY", "New York City"], (40.71, -74.01)),
        (["USA", "", "NYC"], (40.71, -74.01)),
        (["USA", "", "NewYork"], (40.71, -74.01)),
        (["USA", "Missouri", "St. Louis"], (38.63, -90.20)),
        (["USA", "MO", "St Louis"], (38.63, -90.20)),
        (["USA", "", "Saint Louis"], (38.63, -90.20)),
        (["USA", "Texas", "Ft. Worth"], (32.73, -97.32)),
        (["USA", "", "Frisco"], (33.15, -96.82)),
        (["USA", "Kansas", "Kansas City, KS"], (39.11, -94.63)),
        (["USA", "DC", "Washington"], (38.90, -77.04)),
        (["USA", "Illinois", "City of Chicago"], (41.85, -87.65)),
        (["Switzerland", "St. Gallen", "Sankt Gallen"], (47.42, 9.37)),
        (["Austria", "", "Sankt Pölten"], (48.20, 15.63)),
        (["UK", "England", "Newcastle-upon-Tyne"], (54.97, -1.61)),
        (["England", "", "London"], (51.51, -0.13)),
        (["Canada", "Québec", "Montreal"], (45.51, -73.59)),
        (["Canada", "Newfoundland & Labrador", "St. John's"], (47.56, -52.71)),
        (["China", "", "Xian"], (34.26, 108.93)),
    ];
    assert_found(places, City, 15.0);
}

#[test]
fn the_region_decides_between_namesakes() {
    let places: &[KnownPlace] = &[
        (["USA", "Illinois", "Springfield"], (39.80, -89.64)),
        (["USA", "IL", "Springfield"], (39.80, -89.64)),
        (["USA", "us-il", "Springfield"], (39.80, -89.64)),
        (["USA", "State of Massachusetts", "Springfield"], (42.10, -72.59)),
        (["USA", "Oregon", "Springfield"], (44.05, -123.02)),
        (["USA", "Maine", "Portland"], (43.66, -70.26)),
        (["USA", "Oregon", "Portland"], (45.52, -122.68)),
        (["USA", "Texas", "Paris"], (33.66, -95.56)),
        (["Germany", "Brandenburg", "Frankfurt (Oder)"], (52.34, 14.55)),
        (["Germany", "Hessen", "Frankfurt"], (50.12, 8.68)),
        (["Mexico", "Zacatecas", "Guadalupe"], (22.75, -102.52)),
        // GeoNames has no region for it.
        (["Lesotho", "Maseru", "Matsieng"], (-29.62, 27.57)),
        // GeoNames has the province not as a region, but only as a town.
        (["Italy", "Provincia di Bergamo", "Calcio"], (45.51, 9.85)),
    ];
    assert_found(places, City, 15.0);
}

#[test]
fn among_namesakes_the_most_populous_is_meant_where_no_region_decides() {
    let places: &[KnownPlace] = &[
        (["USA", "", "Springfield"], (37.22, -93.30)),
        (["USA", "", "Portland"], (45.52, -122.68)),
        (["Germany", "", "Frankfurt"], (50.12, 8.68)),
        (["USA", "Nowhere County", "Portland"], (45.52, -122.68)),
    ];
    assert_found(places, City, 15.0);
}

#[test]
fn territories_are_found_under_both_of_their_countries() {
    let places: &[KnownPlace] = &[
        (["Puerto Rico", "", "San Juan"], (18.47, -66.11)),
        (["USA", "Puerto Rico", "San Juan"], (18.47, -66.11)),
        (["US", "PR", "San Juan"], (18.47, -66.11)),
        (["China", "", "Hong Kong"], (22.28, 114.17)),
        (["France", "La Réunion", "Saint-Denis"], (-20.88, 55.45)),
        (["Kosovo", "", "Prishtina"], (42.67, 21.17)),
        (["Finland", "", "Mariehamn"], (60.10, 19.94)),
    ];
    assert_found(places, City, 15.0);
}

#[test]
fn a_city_that_is_not_in_its_region_is_taken_for_the_region() {
    let places: &[KnownPlace] = &[
        // Los Angeles, not the Springfield in Missouri.
        (["USA", "California", "Springfield"], (34.05, -118.24)),
        (["Germany", "Bayern", "Hintertupfing"], (48.14, 11.58)),
        (["Russia", "Московская область", ""], (55.89, 37.43)),
        (["Spain", "Cataluña", "Nowhere"], (41.39, 2.16)),
        (["日本", "京都府", "存在しない"], (35.02, 135.75)),
        (["Italy", "Bergamo", "Nowhere"], (45.70, 9.67)),
        (["Brazil", "MG", ""], (-19.92, -43.94)),
    ];
    assert_found(places, Region, 25.0);
}

#[test]
fn a_place_of_which_only_the_country_is_known_is_taken_for_the_country() {
    let places: &[KnownPlace] = &[
        (["Germany", "", "Nowhere"], (51.2, 10.5)),
        (["Brazil", "Nowhere", "Nowhere"], (-10.0, -53.0)),
        (["USA", "", ""], (40.0, -100.0)),
        (["Australia", "", ""], (-25.0, 135.0)),
        (["Россия", "", ""], (64.0, 100.0)),
        (["Fiji", "", ""], (-17.8, 178.0)),
        (["Antarctica", "", "Nowhere"], (-80.0, 60.0)),
        (["USA", "Puerto Rico", "Nowhere"], (18.2, -66.5)),
    ];
    assert_found(places, Country, 900.0);
}

#[test]
fn an_unknown_country_is_nowhere() {
    for country in ["", "Ruritania", "XX", "zz", "🌍", "United"] {
        assert_eq!(Gazetteer::get().locate(country, "Bayern", "München"), None, "{country:?}");
    }
}

/// Names are hashed, so an unknown name could be taken for a known one.
#[test]
fn names_of_no_city_are_not_taken_for_one() {
    for number in 0..20_000 {
        let city = format!("Qxw{number}");
        let found = Gazetteer::get().locate("US", "", &city).unwrap();
        assert_eq!(found.precision, Country, "{city}");
    }
}
