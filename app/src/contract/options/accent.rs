use super::value::{Input, Parsed};

/// Minimum contrast of text (WCAG 2.2, 1.4.3 AA).
const MIN_CONTRAST: f64 = 4.5;
/// Surface colours of the themes, as in `style/parts/tokens.css`.
const LIGHT: [u8; 3] = [0xff, 0xff, 0xff];
const DARK: [u8; 3] = [0x0b, 0x12, 0x20];

/// `accent=`: a colour of the embedding page, as three or six hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Accent([u8; 3]);

impl Parsed for Accent {
    const INPUT: Input = Input::Colour;

    /// Parses `c0ffee`, `#c0ffee` or `#c0f`.
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text).as_bytes();
        let digit = |index: usize| {
            char::from(digits[index]).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
        };
        let part = |high: usize, low: usize| Some(digit(high)? * 16 + digit(low)?);
        match digits.len() {
            3 => Some(Self([part(0, 0)?, part(1, 1)?, part(2, 2)?])),
            6 => Some(Self([part(0, 1)?, part(2, 3)?, part(4, 5)?])),
            _ => None,
        }
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
        hex(self.0)
    }

    /// Style sheet that sets the accent. On each surface, it uses the nearest colour that is
    /// readable there.
    pub fn style_sheet(self) -> String {
        let (light, dark) = (hex(self.on(LIGHT)), hex(self.on(DARK)));
        format!(
            ":root{{--accent:#{light}}}\
             :root[data-theme=\"dark\"]{{--accent:#{dark}}}\
             @media (prefers-color-scheme:dark){{:root[data-theme=\"auto\"]{{--accent:#{dark}}}}}"
        )
    }

    /// The colour on the light surface: `#` and six digits.
    pub(crate) fn on_light(self) -> String {
        format!("#{}", hex(self.on(LIGHT)))
    }

    /// The colour on the dark surface: `#` and six digits.
    pub(crate) fn on_dark(self) -> String {
        format!("#{}", hex(self.on(DARK)))
    }

    /// Moves the colour away from the surface until its contrast is sufficient.
    fn on(self, surface: [u8; 3]) -> [u8; 3] {
        let away = if luminance(surface) > 0.5 { 0.0 } else { 255.0 };
        let moved = |step: u32| {
            let part = f64::from(step) / 100.0;
            self.0.map(|value| (f64::from(value) + (away - f64::from(value)) * part).round() as u8)
        };
        (0..=100)
            .map(moved)
            .find(|colour| contrast(*colour, surface) >= MIN_CONTRAST)
            .unwrap_or(self.0)
    }
}

fn hex(colour: [u8; 3]) -> String {
    colour.iter().map(|value| format!("{value:02x}")).collect()
}

/// Contrast ratio (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// Relative luminance (WCAG 2.2).
fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accent_can_be_read_on_either_surface() {
        for red in (0..=255).step_by(15) {
            for green in (0..=255).step_by(15) {
                for blue in (0..=255).step_by(15) {
                    let accent = Accent([red, green, blue]);
                    for surface in [LIGHT, DARK] {
                        let shown = accent.on(surface);
                        assert!(contrast(shown, surface) >= MIN_CONTRAST, "{accent:?} {surface:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_accent_that_can_be_read_stays_as_it_is() {
        let accent = Accent::parse("#b45309").unwrap();
        assert_eq!(accent.on(LIGHT), [0xb4, 0x53, 0x09]);
        assert_ne!(accent.on(DARK), [0xb4, 0x53, 0x09]);
        assert_eq!(Accent::parse("fff").unwrap().on(DARK), [0xff; 3]);
        assert_eq!(Accent::parse("#FC0").unwrap().digits(), "ffcc00");
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        // The contrasts stated for the tokens, to one decimal.
        assert!((contrast([0xb4, 0x53, 0x09], LIGHT) - 5.0).abs() < 0.05);
        assert!((contrast([0xfb, 0xbf, 0x24], DARK) - 11.2).abs() < 0.05);
    }
}
