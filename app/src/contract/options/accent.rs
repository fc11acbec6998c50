use super::value::{Input, Parsed};
use crate::colour::{Colour, DARK_SURFACE, LIGHT_SURFACE};

/// Minimum contrast of text (WCAG 2.2, 1.4.3 AA).
const MIN_CONTRAST: f64 = 4.5;

/// `accent=`: a colour of the embedding page, as three or six hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Accent(Colour);

impl Parsed for Accent {
    const INPUT: Input = Input::Colour;

    fn parse(text: &str) -> Option<Self> {
        Colour::parse(text).map(Self)
    }

    fn text(&self) -> String {
        self.digits()
    }
}

impl Accent {
    /// Parses `c0ffee`, `#c0ffee` or `#c0f`.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    /// The colour as six hexadecimal digits.
    pub fn digits(self) -> String {
        self.0.digits()
    }

    /// Style sheet that sets the accent. On each surface, it uses the nearest colour that is
    /// readable there.
    pub fn style_sheet(self) -> String {
        let (light, dark) = (self.on(LIGHT_SURFACE), self.on(DARK_SURFACE));
        format!(":root{{--accent:var(--if-light,#{light}) var(--if-dark,#{dark})}}")
    }

    /// The colour on the light surface: `#` and six digits.
    pub(crate) fn on_light(self) -> String {
        format!("#{}", self.on(LIGHT_SURFACE))
    }

    /// The colour on the dark surface: `#` and six digits.
    pub(crate) fn on_dark(self) -> String {
        format!("#{}", self.on(DARK_SURFACE))
    }

    fn on(self, surface: Colour) -> String {
        self.0.readable_on(surface, MIN_CONTRAST).digits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accent_can_be_read_on_either_surface() {
        for red in (0..=255).step_by(15) {
            for green in (0..=255).step_by(15) {
                for blue in (0..=255).step_by(15) {
                    let accent = Accent(Colour([red, green, blue]));
                    for surface in [LIGHT_SURFACE, DARK_SURFACE] {
                        let shown = Colour::parse(&accent.on(surface)).unwrap();
                        assert!(shown.contrast(surface) >= MIN_CONTRAST, "{accent:?} {surface:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_accent_that_can_be_read_stays_as_it_is() {
        let accent = Accent::parse("#b45309").unwrap();
        assert_eq!(accent.on(LIGHT_SURFACE), "b45309");
        assert_ne!(accent.on(DARK_SURFACE), "b45309");
        assert_eq!(Accent::parse("fff").unwrap().on(DARK_SURFACE), "ffffff");
        assert_eq!(Accent::parse("#FC0").unwrap().digits(), "ffcc00");
    }
}
