//! The operator's names for the service and for the things it counts, with their colours and icons. Pages, widgets and
//! pictures show them; the names in the API do not change.

mod colours;
mod icon;

pub use self::{
    colours::{TypeColour, TypeColours},
    icon::Icon,
};
use crate::{
    glyph,
    words::{
        Words,
        common::{AND, COUNTED_LIVE, REPORT},
        name_of,
    },
};
use kit::{lang::Lang, number::neutral};
use model::{Metrics, ReportType};
use std::str::FromStr;

/// Maximum length of a name or label, in characters.
const MAX_CHARACTERS: usize = 60;

/// The operator's name, site and labels. The default keeps the built-in ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brand {
    /// Name of the site.
    pub name: Option<Name>,
    /// URL of the operator's own site, with its scheme.
    pub url: Option<String>,
    pub logo: Option<Logo>,
    /// Labels of spirit, water and both, in the order of [`ReportType::ALL`].
    pub labels: [Option<Label>; 3],
    pub colours: TypeColours,
    /// Icons of spirit, water and both, in the order of [`ReportType::ALL`].
    pub icons: [Option<Icon>; 3],
}

/// The operator's logo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    /// URL of the logo, from the root of the service.
    pub path: String,
    pub media_type: &'static str,
}

/// A short text on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let characters = text.chars().count();
        if characters == 0 || characters > MAX_CHARACTERS || text.contains(char::is_control) {
            return Err(format!("write 1 to {MAX_CHARACTERS} characters on one line"));
        }
        Ok(Self(text.to_owned()))
    }
}

/// Label of a type, with optional translations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    general: Name,
    translated: Vec<(Lang, Name)>,
}

impl FromStr for Label {
    type Err = String;

    /// Parses a general label with optional translations: `Wells; de=Brunnen; fr=Puits`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(';');
        let general = parts.next().unwrap_or_default().parse()?;
        let translated = parts.map(|part| {
            let (tag, name) = part.split_once('=').unwrap_or((part, ""));
            let tag = tag.trim();
            let lang = Lang::ALL.into_iter().find(|lang| lang.tag() == tag).ok_or_else(|| {
                let known = Lang::ALL.map(Lang::tag).join(", ");
                format!("{tag:?} is not a language of the widgets ({known}); write LABEL; de=LABEL")
            })?;
            Ok::<_, String>((lang, name.parse()?))
        });
        Ok(Self { general, translated: translated.collect::<Result<_, _>>()? })
    }
}

impl Label {
    fn in_language(&self, lang: Lang) -> &str {
        let own = self.translated.iter().find(|(of, _)| *of == lang).map(|(_, name)| name);
        &own.unwrap_or(&self.general).0
    }
}

impl Brand {
    /// Name of the site. The default is made of the labels of spirit and water.
    pub fn name(&self, lang: Lang) -> String {
        match &self.name {
            Some(name) => name.0.clone(),
            None => {
                let [spirit, water] = [ReportType::Spirit, ReportType::Water];
                [&self.label(spirit, lang), AND.text(lang), &self.in_sentence(water, lang)].concat()
            }
        }
    }

    /// Title of the home page.
    pub(crate) fn title(&self, lang: Lang) -> String {
        self.name(lang) + COUNTED_LIVE.text(lang)
    }

    /// Label of a type.
    pub fn label(&self, kind: ReportType, lang: Lang) -> String {
        self.words(lang).text(name_of(kind)).to_owned()
    }

    /// The label for use within a sentence: its first letter in lower case, unless it is an abbreviation or German.
    pub fn in_sentence(&self, kind: ReportType, lang: Lang) -> String {
        let label = self.label(kind, lang);
        let mut characters = label.chars();
        match (characters.next(), characters.clone().next()) {
            (Some(first), next) if lang != Lang::De && !next.is_some_and(char::is_uppercase) => {
                first.to_lowercase().chain(characters).collect()
            }
            _ => label,
        }
    }

    /// The operator's symbol with this id, if there is one.
    pub(crate) fn icon(&self, id: &str) -> Option<String> {
        let (_, icon) =
            ReportType::ALL.into_iter().zip(&self.icons).find(|(kind, _)| kind.as_str() == id)?;
        Some(icon.as_ref()?.symbol(id))
    }

    /// Symbols of the types, with the operator's in the place of built-in ones.
    pub(crate) fn symbols(&self) -> String {
        glyph::SYMBOLS
            .map(|(id, built_in)| self.icon(id).unwrap_or_else(|| built_in.to_owned()))
            .concat()
    }

    /// Whether the operator has set any label.
    pub fn is_labelled(&self) -> bool {
        self.labels.iter().any(Option::is_some)
    }

    /// All texts of the widgets in a language.
    pub(crate) fn words(&self, lang: Lang) -> Words {
        self.named(Words::all(lang))
    }

    /// Replaces the labels in `words` with the operator's.
    pub(crate) fn named(&self, mut words: Words) -> Words {
        for (kind, label) in ReportType::ALL.into_iter().zip(&self.labels) {
            if let Some(label) = label {
                words.replace(name_of(kind), label.in_language(words.lang));
            }
        }
        words
    }

    /// Text alternative of the preview picture: the counters in a sentence.
    pub(crate) fn counts(&self, metrics: &Metrics) -> String {
        let counts = ReportType::ALL.map(|kind| {
            format!("{} {}", neutral(metrics.of(kind), Lang::En), self.in_sentence(kind, Lang::En))
        });
        let reports = self.words(Lang::En).form(REPORT, metrics.total).to_owned();
        format!("{} {reports} so far: {}", neutral(metrics.total, Lang::En), counts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::common::SPIRIT;

    fn wells() -> Brand {
        let label = |text: &str| Some(text.parse().unwrap());
        let labels = [label("Wells; de=Brunnen"), label("Springs"), None];
        Brand { labels, ..Brand::default() }
    }

    #[test]
    fn without_settings_everything_is_called_as_it_always_was() {
        let brand = Brand::default();
        assert_eq!(brand.name(Lang::En), "Spirit and water");
        assert_eq!(brand.title(Lang::En), "Spirit and water, counted live");
        assert_eq!(brand.title(Lang::De), "Geist und Wasser, live gezählt");
        assert_eq!(brand.title(Lang::Es), "Espíritu y agua, contados en vivo");
        assert_eq!(brand.words(Lang::Ar), Words::all(Lang::Ar));
        assert_eq!(
            brand.counts(&Metrics {
                spirit: 1_000,
                water: 2,
                both: 3,
                total: 1_005,
                ..Metrics::default()
            }),
            "1,005 reports so far: 1,000 spirit, 2 water, 3 both"
        );
    }

    #[test]
    fn labels_take_the_place_of_words_and_name_the_site() {
        let brand = wells();
        assert_eq!(brand.name(Lang::En), "Wells and springs");
        let said = |lang| ReportType::ALL.map(|kind| brand.label(kind, lang));
        assert_eq!(said(Lang::En), ["Wells", "Springs", "Both"]);
        assert_eq!(said(Lang::De), ["Brunnen", "Springs", "Beides"]);
        let brand = Brand { name: Some("Water for all".parse().unwrap()), ..wells() };
        assert_eq!(brand.title(Lang::En), "Water for all, counted live");
    }

    #[test]
    fn a_word_that_the_widget_does_not_say_stays_away() {
        let words = wells().named(Words::only(Lang::De, &[SPIRIT]));
        assert_eq!(
            serde_json::to_value(words).unwrap(),
            serde_json::json!({ "SPIRIT": "Brunnen" })
        );
    }

    #[test]
    fn abbreviations_keep_their_capitals() {
        let labels = [Some("NGO wells".parse().unwrap()), Some("Ölquellen".parse().unwrap()), None];
        let brand = Brand { labels, ..Brand::default() };
        assert_eq!(brand.name(Lang::En), "NGO wells and ölquellen");
        assert_eq!(brand.in_sentence(ReportType::Spirit, Lang::En), "NGO wells");
    }

    #[test]
    fn what_is_no_label_is_refused_with_the_reason() {
        let refused = |text: &str| text.parse::<Label>().unwrap_err();
        assert_eq!(refused(""), "write 1 to 60 characters on one line");
        assert_eq!(refused(&"x".repeat(61)), "write 1 to 60 characters on one line");
        assert_eq!(refused("a\nb"), "write 1 to 60 characters on one line");
        assert_eq!(refused("Wells; de="), "write 1 to 60 characters on one line");
        let known = "en, pt, es, fr, de, ar";
        assert_eq!(
            refused("Wells; it=Pozzi"),
            format!("\"it\" is not a language of the widgets ({known}); write LABEL; de=LABEL")
        );
    }
}
