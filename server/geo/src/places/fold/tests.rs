use proptest::prelude::*;

use super::{fold, tidy};

#[test]
fn spellings_of_one_place_have_one_key() {
    let places: &[&[&str]] = &[
        &["sao paulo", "São Paulo", "SÃO PAULO", "Sa\u{0303}o Paulo", "  Sao \t Paulo\u{a0}"],
        &["munchen", "München", "MÜNCHEN", "Mu\u{0308}nchen"],
        &["zurich", "Zürich", "ZURICH"],
        &["lodz", "Łódź", "łódź", "Lodz"],
        &["tromso", "Tromsø", "TROMSØ"],
        &["istanbul", "İstanbul", "ISTANBUL", "Istanbul", "ıstanbul", "I\u{0307}stanbul"],
        &["diyarbakir", "Diyarbakır", "DİYARBAKIR"],
        &["giessen", "Gießen", "GIESSEN", "GIEẞEN"],
        &["sarlt", "Šaŕłt"],
        &["reykjavik", "Reykjavík"],
        &["thingeyri", "Þingeyri"],
        &["seydisfjordur", "Seyðisfjörður"],
        &["aeroskobing", "Ærøskøbing"],
        &["oeuvre", "Œuvre"],
        &["ijmuiden", "Ĳmuiden", "IJmuiden"],
        &["ha noi", "Hà Nội"],
        &["da nang", "Đà Nẵng"],
        &["ho chi minh", "Hồ Chí Minh"],
        &["gence", "Gəncə"],
        &["cote d'ivoire", "Côte d'Ivoire", "Côte d’Ivoire", "COTE D`IVOIRE", "côte dʼivoire"],
        &["nuku'alofa", "Nukuʻalofa", "Nuku‘alofa", "Nuku´alofa", "Nuku′alofa"],
        &["provence-alpes", "Provence‑Alpes", "Provence–Alpes"],
        &["αθηνα", "Αθήνα", "ΑΘΗΝΑ", "ἀθῆνα"],
        &["πατρασ", "Πάτρας", "ΠΑΤΡΑΣ"],
        &["киев", "Киев", "КИЕВ"],
        &["орел", "Орёл", "Орел"],
        &["tokyo", "Tōkyō", "Ｔｏｋｙｏ", "TOKYO"],
        &["თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ"],
        &["서울", "\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}"],
        &["गाज़ा", "गाज\u{093c}ा"],
        &["تهران", "\u{200f}تهران\u{feff}"],
        &["", " ", "\u{3000}\u{200b}"],
    ];
    for spellings in places {
        let key = spellings[0];
        for spelling in *spellings {
            assert_eq!(fold(spelling), fold(key), "{spelling:?} and {key:?}");
        }
    }
    assert_eq!(fold("São Paulo"), "sao paulo");
    assert_eq!(fold("Πάτρας"), "πατρασ");
}

#[test]
fn different_places_have_different_keys() {
    let places = [
        ("Guinea", "Guinea-Bissau"),
        ("Saint-Denis", "Saint Denis"),
        ("O'Brien", "OBrien"),
        // Vowel signs are not accents: they are the only difference between कल (kal), काल and केल.
        ("कल", "काल"),
        ("कल", "केल"),
        // The dakuten is no accent either: はは and ばば.
        ("はは", "ばば"),
        ("東京", "京都"),
    ];
    for (one, other) in places {
        assert_ne!(fold(one), fold(other), "{one:?} and {other:?}");
    }
}

#[test]
fn tidy_keeps_the_spelling_and_drops_what_nobody_sees() {
    let cases = [
        ("  São   Paulo ", "São Paulo"),
        ("Sa\u{0303}o\u{a0}\n\tPaulo", "São Paulo"),
        ("\u{feff}Łódź\u{200e}", "Łódź"),
        ("東京\u{3000}都", "東京 都"),
        ("Côte d’Ivoire", "Côte d’Ivoire"),
        ("علی\u{200c}آباد", "علی\u{200c}آباد"),
        ("Oslo", "Oslo"),
        (" \u{2003} ", ""),
    ];
    for (given, kept) in cases {
        assert_eq!(tidy(given), kept, "{given:?}");
    }
}

#[test]
fn the_key_of_every_single_character_is_its_own_key_and_its_lower_cases() {
    for c in '\0'..=char::MAX {
        let key = fold(&c.to_string());
        assert_eq!(fold(&key), key, "{c:?}");
        if c.is_uppercase() {
            assert_eq!(fold(&c.to_lowercase().to_string()), key, "{c:?}");
        }
    }
}

/// Text with everything that is difficult for keys: marks of several classes, case, spaces, invisible characters.
fn hard_text() -> impl Strategy<Value = String> {
    let hard = prop::sample::select(
        "aAiIİıßẞøØæşŞΣσςЙйёกिक़\u{300}\u{307}\u{315}\u{327}\u{345}\u{34f}\u{323}\u{5b0}\u{5b4}\u{64b}\u{651}\u{653}\u{93c}\u{3099}はハ한ᄀ\u{1161}\u{11a8} \u{a0}\u{85}\u{2000}\u{3000}\u{200b}\u{200d}\u{feff}'’`-–＇Ａ"
            .chars()
            .collect::<Vec<_>>(),
    );
    prop::collection::vec(prop_oneof![4 => hard, 1 => any::<char>()], 0..24)
        .prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn folding_again_changes_nothing(text in hard_text()) {
        let key = fold(&text);
        prop_assert_eq!(fold(&key), key.clone());
        prop_assert_eq!(tidy(&key), key);
    }

    #[test]
    fn tidying_again_changes_nothing_and_tidying_does_not_change_the_key(text in hard_text()) {
        let kept = tidy(&text);
        prop_assert_eq!(tidy(&kept), kept.clone());
        prop_assert_eq!(fold(&kept), fold(&text));
    }

    #[test]
    fn case_and_accents_do_not_change_the_key(
        letters in prop::collection::vec(
            (prop::sample::select("abeinosuzłøđæαεκωгдикя".chars().collect::<Vec<_>>()),
             prop::option::of(prop::char::range('\u{300}', '\u{36f}')), any::<bool>()),
            0..16,
        ),
    ) {
        let bare: String = letters.iter().map(|(letter, ..)| *letter).collect();
        let mut dressed = String::new();
        for (letter, accent, upper) in letters {
            if upper { dressed.extend(letter.to_uppercase()) } else { dressed.push(letter) }
            dressed.extend(accent);
        }
        prop_assert_eq!(fold(&dressed), fold(&bare));
    }

    #[test]
    fn ascii_folds_the_same_on_the_fast_path(text in "[\\x00-\\x7f]{0,24}") {
        prop_assert_eq!(super::fold_ascii(&text), super::fold_unicode(&text));
    }
}
