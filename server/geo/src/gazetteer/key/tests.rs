use super::{ENDINGS, KINDS, LINKS, key, stem};
use crate::places::fold;

#[test]
fn ways_of_writing_one_name_have_one_key() {
    let names: &[&[&str]] = &[
        &["saintlouis", "St. Louis", "ST LOUIS", "Saint-Louis", "Sankt Louis", "saint louis"],
        &["saintegenevieve", "Ste. Geneviève", "Sainte-Geneviève"],
        &["fortworth", "Ft. Worth", "Fort Worth"],
        &["hanoi", "Hà Nội", "Ha Noi", "HANOI"],
        &["xian", "Xi'an", "Xi’an", "Xian"],
        &["tynewear", "Tyne & Wear", "Tyne and Wear"],
        &["横浜", "横浜市"],
        &["القاهره", "القاهرة", "القَاهِرة", "القـاهره"],
        &["اسيوط", "أسيوط", "اسیوط"],
    ];
    for spellings in names {
        for spelling in *spellings {
            assert_eq!(key(spelling), spellings[0], "{spelling:?}");
        }
    }
    assert_eq!(key("市"), "市");
    assert_eq!(key(" -'. "), "");
}

#[test]
fn a_key_is_its_own_key() {
    for name in ["St. Louis", "Ft. Worth", "Xi'an", "横浜市", "أسيوط", "São Paulo", "Ὀλυμπία"]
    {
        assert_eq!(key(&key(name)), key(name));
    }
}

#[test]
fn a_stem_is_the_name_without_the_word_for_the_kind_of_place() {
    let stems = [
        ("Province of Lodi", Some("lodi")),
        ("Lodi Province", Some("lodi")),
        ("Provincia di Lodi", Some("lodi")),
        ("Département de la Loire", Some("loire")),
        ("Московская область", Some("московская")),
        ("محافظة القاهرة", Some("القاهره")),
        ("京都府", Some("京都")),
        ("서울특별시", Some("서울")),
        ("Lodi", None),
        ("La Rioja", None),
        ("Province", None),
        ("県", None),
        ("", None),
    ];
    for (name, expected) in stems {
        assert_eq!(stem(name).as_deref(), expected, "{name:?}");
    }
}

#[test]
fn the_words_are_folded_and_no_ending_hides_a_longer_one() {
    for word in KINDS.iter().chain(LINKS).chain(ENDINGS) {
        assert_eq!(fold(word), *word);
    }
    for (index, ending) in ENDINGS.iter().enumerate() {
        let hidden = ENDINGS[index + 1..].iter().find(|later| later.ends_with(ending));
        assert_eq!(hidden, None, "{ending}");
    }
}
