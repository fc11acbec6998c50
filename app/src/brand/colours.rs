use crate::{
    colour::{Colour, DARK_SURFACE, LIGHT_SURFACE},
    contract::options::Theme,
};
use model::ReportType;
use std::{
    fmt::Write,
    hash::{DefaultHasher, Hash, Hasher},
    str::FromStr,
};

/// Minimum contrast with the surface. On the slightly darker grounds of code, it is then still 4.5 (WCAG 2.2, AA).
const MIN_CONTRAST: f64 = 4.9;
/// Minimum contrast of a derived dark variant. The built-in ones have 8 to 11.
const MIN_DERIVED: f64 = 7.0;

/// Colour of a type in both themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeColour {
    light: Colour,
    dark: Colour,
}

impl FromStr for TypeColour {
    type Err = String;

    /// Parses `#c2410c`, or `#c2410c; dark=#fb923c`. Without a dark variant, it is the colour itself, lightened until
    /// it is readable.
    fn from_str(text: &str) -> Result<Self, String> {
        let (light, dark) = match text.split_once(';') {
            Some((light, dark)) => (light, Some(dark.trim().strip_prefix("dark=").ok_or(FORM)?)),
            None => (text, None),
        };
        let read = |text: &str| Colour::parse(text.trim()).ok_or_else(|| FORM.to_owned());
        let light = checked(read(light)?, LIGHT_SURFACE, "light")?;
        let dark = match dark {
            Some(dark) => checked(read(dark)?, DARK_SURFACE, "dark")?,
            None => light.lightened_on(DARK_SURFACE, MIN_DERIVED),
        };
        Ok(Self { light, dark })
    }
}

const FORM: &str =
    "write a colour, such as #c2410c, or one for each theme: \"#c2410c; dark=#fb923c\"";

/// The colour, if texts in it are readable.
fn checked(colour: Colour, surface: Colour, theme: &str) -> Result<Colour, String> {
    let contrast = colour.contrast(surface);
    if contrast >= MIN_CONTRAST {
        return Ok(colour);
    }
    Err(format!(
        "#{} has a contrast of {contrast:.1} in the {theme} theme, and texts need {MIN_CONTRAST}; #{} has enough",
        colour.digits(),
        colour.readable_on(surface, MIN_CONTRAST).digits(),
    ))
}

/// The operator's colours of spirit, water and both, in the order of [`ReportType::ALL`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeColours(pub [Option<TypeColour>; 3]);

impl TypeColours {
    /// Path of the style sheet, if any colour is set. The name has a hash of the colours, so that it can be cached
    /// forever.
    pub fn path(&self) -> Option<String> {
        if self.0.iter().all(Option::is_none) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        Some(format!("/embed/colours/{:016x}.css", hasher.finish()))
    }

    /// Style sheet that sets the colours, as `style/parts/tokens.css` does.
    pub fn style_sheet(&self) -> String {
        let mut rules = String::new();
        for (kind, TypeColour { light, dark }) in self.of_types() {
            let [light, dark] = [light.digits(), dark.digits()];
            _ = write!(
                rules,
                "--{}:var(--if-light,#{light}) var(--if-dark,#{dark});",
                kind.as_str()
            );
        }
        format!(":root,.night{{{rules}}}")
    }

    /// Rules for pictures of a theme.
    pub(crate) fn rules(&self, theme: Theme) -> String {
        let [light, dark] = [false, true].map(|is_dark| {
            let mut rules = String::new();
            for (kind, colour) in self.of_types() {
                let (name, colour) = (kind.as_str(), colour.in_theme(is_dark).digits());
                _ = write!(
                    rules,
                    ".{name}{{fill:#{colour}}}.ring-{name},.lights .{name}{{stroke:#{colour}}}"
                );
            }
            rules
        });
        match theme {
            Theme::Light => light,
            Theme::Dark => dark,
            Theme::Auto if light.is_empty() => light,
            Theme::Auto => format!("{light}@media (prefers-color-scheme:dark){{{dark}}}"),
        }
    }

    fn of_types(&self) -> impl Iterator<Item = (ReportType, TypeColour)> {
        ReportType::ALL.into_iter().zip(self.0).filter_map(|(kind, colour)| Some((kind, colour?)))
    }
}

impl TypeColour {
    fn in_theme(self, is_dark: bool) -> Colour {
        if is_dark { self.dark } else { self.light }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dark_variant_is_derived_unless_it_is_given() {
        let digits = |text: &str| {
            let TypeColour { light, dark } = text.parse().unwrap();
            (light.digits(), dark.digits())
        };
        assert_eq!(digits("#166534; dark=#86efac"), ("166534".to_owned(), "86efac".to_owned()));
        let (light, dark) = digits("166534");
        assert_eq!(light, "166534");
        assert!(Colour::parse(&dark).unwrap().contrast(DARK_SURFACE) >= MIN_DERIVED, "{dark}");
    }

    #[test]
    fn a_colour_that_cannot_be_read_is_refused_with_one_that_can() {
        let refused = |text: &str| text.parse::<TypeColour>().unwrap_err();
        let reason = refused("#fbbf24");
        assert!(reason.starts_with("#fbbf24 has a contrast of 1.7 in the light theme"), "{reason}");
        let (_, better) = reason.rsplit_once("; ").unwrap();
        better.strip_suffix(" has enough").unwrap().parse::<TypeColour>().unwrap();
        assert!(refused("#166534; dark=#166534").contains("in the dark theme"));
        for text in ["", "green", "#12", "#166534; light=#fff", "#166534;"] {
            assert_eq!(refused(text), FORM, "{text}");
        }
    }

    #[test]
    fn only_the_colours_that_are_set_are_in_the_style_sheet() {
        assert_eq!(TypeColours::default().path(), None);
        let colours = TypeColours([Some("#166534; dark=#86efac".parse().unwrap()), None, None]);
        assert!(colours.path().unwrap().starts_with("/embed/colours/"));
        let sheet = colours.style_sheet();
        let rule = "--spirit:var(--if-light,#166534) var(--if-dark,#86efac);";
        assert_eq!(sheet, format!(":root,.night{{{rule}}}"));
        assert!(colours.rules(Theme::Dark).contains(".spirit{fill:#86efac}"));
        assert!(!colours.rules(Theme::Light).contains("86efac"));
    }
}
