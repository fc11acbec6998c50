//! Languages of the widgets.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    #[default]
    En,
    Pt,
    Es,
    Fr,
    De,
    Ar,
}

/// Number of plural forms of a noun in the Unicode CLDR: zero, one, two, few, many, other.
pub const FORMS: usize = 6;
const ZERO: usize = 0;
const ONE: usize = 1;
const TWO: usize = 2;
const FEW: usize = 3;
const MANY: usize = 4;
const OTHER: usize = 5;

impl Lang {
    /// All languages, the default first.
    pub const ALL: [Lang; 6] = [Lang::En, Lang::Pt, Lang::Es, Lang::Fr, Lang::De, Lang::Ar];

    /// Language tag (BCP 47), as in the `lang` attribute.
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Pt => "pt",
            Lang::Es => "es",
            Lang::Fr => "fr",
            Lang::De => "de",
            Lang::Ar => "ar",
        }
    }

    /// Language of a tag, without regard to its region or script: `pt-BR` is Portuguese.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|lang| lang.tag().eq_ignore_ascii_case(primary))
    }

    /// Writing direction: `rtl` or `ltr`.
    pub const fn direction(self) -> &'static str {
        match self {
            Lang::Ar => "rtl",
            _ => "ltr",
        }
    }

    /// Plural form of a noun for an integer, by CLDR's cardinal rules.
    pub fn form(self, count: u64) -> usize {
        let millions = count != 0 && count.is_multiple_of(1_000_000);
        match self {
            Lang::Ar => match (count, count % 100) {
                (0, _) => ZERO,
                (1, _) => ONE,
                (2, _) => TWO,
                (_, 3..=10) => FEW,
                (_, 11..=99) => MANY,
                _ => OTHER,
            },
            Lang::Pt | Lang::Fr if count <= 1 => ONE,
            Lang::Pt | Lang::Fr | Lang::Es if millions => MANY,
            _ if count == 1 => ONE,
            _ => OTHER,
        }
    }

    /// Whether the form of a noun for this count already means two.
    pub const fn has_dual(self, count: u64) -> bool {
        matches!((self, count), (Lang::Ar, 2))
    }

    /// Thousands separator, and the minimum number of digits for it.
    pub const fn grouping(self) -> (char, usize) {
        match self {
            Lang::En | Lang::Ar => (',', 4),
            Lang::De | Lang::Pt => ('.', 4),
            // Numbers of four digits are not grouped.
            Lang::Es => ('.', 5),
            Lang::Fr => ('\u{202f}', 4),
        }
    }
}

#[cfg(feature = "ssr")]
impl Lang {
    /// Name of the language in the language.
    pub const fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Pt => "Português",
            Lang::Es => "Español",
            Lang::Fr => "Français",
            Lang::De => "Deutsch",
            Lang::Ar => "العربية",
        }
    }

    /// The visitor's preferred language, from the `Accept-Language` header (RFC 9110, 12.5.4).
    /// `None` if the header lists no supported language.
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best: Option<(Lang, u16)> = None;
        for range in header.split(',').take(32) {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
            let Some(lang) = Self::from_tag(tag.trim()) else { continue };
            let quality = quality(parameters);
            if quality > best.map_or(0, |(_, quality)| quality) {
                best = Some((lang, quality));
            }
        }
        best.map(|(lang, _)| lang)
    }
}

/// A weight in thousandths. Invalid weights count as missing.
#[cfg(feature = "ssr")]
fn quality(parameters: &str) -> u16 {
    let weight = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("q="));
    match weight.map(|weight| weight.trim().parse::<f32>()) {
        Some(Ok(weight)) if (0.0..=1.0).contains(&weight) => (weight * 1_000.0) as u16,
        _ => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_take_the_forms_of_cldr() {
        let forms = |lang: Lang, counts: &[u64]| -> Vec<usize> {
            counts.iter().map(|count| lang.form(*count)).collect()
        };
        let numbers = [0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 1_000_000];
        assert_eq!(
            forms(Lang::Ar, &numbers),
            [ZERO, ONE, TWO, FEW, FEW, MANY, MANY, OTHER, OTHER, FEW, OTHER]
        );
        for lang in [Lang::En, Lang::De] {
            assert_eq!(forms(lang, &[0, 1, 2, 1_000_000]), [OTHER, ONE, OTHER, OTHER]);
        }
        assert_eq!(forms(Lang::Es, &[0, 1, 2, 1_000_000]), [OTHER, ONE, OTHER, MANY]);
        for lang in [Lang::Pt, Lang::Fr] {
            assert_eq!(forms(lang, &[0, 1, 2, 2_000_000]), [ONE, ONE, OTHER, MANY]);
        }
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn a_visitor_gets_the_language_liked_best_of_those_there_are() {
        for (header, lang) in [
            ("pt-BR,pt;q=0.9,en;q=0.8", Some(Lang::Pt)),
            ("en;q=0.5, de;q=0.9, fr;q=0.9", Some(Lang::De)),
            ("ja, ar-EG;q=0.3", Some(Lang::Ar)),
            ("DE", Some(Lang::De)),
            ("de;q=0, en;q=0.1", Some(Lang::En)),
            ("ja,zh", None),
            ("*", None),
            ("", None),
            ("de;q=x", Some(Lang::De)),
            (";;;,,=", None),
        ] {
            assert_eq!(Lang::accepted(header), lang, "{header}");
        }
    }
}
