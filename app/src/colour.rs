//! Colours and their contrast (WCAG 2.2).

/// Surface colours of the themes, as in `style/parts/tokens.css`.
pub const LIGHT_SURFACE: Colour = Colour([0xff, 0xff, 0xff]);
pub const DARK_SURFACE: Colour = Colour([0x0b, 0x12, 0x20]);

/// A colour as its parts of red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// Parses `c0ffee`, `#c0ffee` or `#c0f`.
    pub fn parse(text: &str) -> Option<Self> {
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

    /// The colour as six hexadecimal digits.
    pub fn digits(self) -> String {
        self.0.iter().map(|value| format!("{value:02x}")).collect()
    }

    /// Moves the colour away from the surface until its contrast is sufficient.
    #[must_use]
    pub fn readable_on(self, surface: Self, min_contrast: f64) -> Self {
        let away = if surface.luminance() > 0.5 { 0.0 } else { 255.0 };
        let moved =
            |step: u32| {
                let part = f64::from(step) / 100.0;
                Self(self.0.map(|value| {
                    (f64::from(value) + (away - f64::from(value)) * part).round() as u8
                }))
            };
        (0..=100).map(moved).find(|colour| colour.contrast(surface) >= min_contrast).unwrap_or(self)
    }

    /// Raises the lightness until the contrast with a dark surface is sufficient. Unlike in [`Self::readable_on`], hue and
    /// saturation (HSL) stay, so the colour does not become grey.
    #[must_use]
    pub fn lightened_on(self, surface: Self, min_contrast: f64) -> Self {
        let parts = self.0.map(|value| f64::from(value) / 255.0);
        let (most, least) =
            (parts.into_iter().fold(0.0, f64::max), parts.into_iter().fold(1.0, f64::min));
        let lightness = (most + least) / 2.0;
        let range = |lightness: f64| 1.0 - (2.0 * lightness - 1.0).abs();
        let raised = |step: u32| {
            let to = lightness + (1.0 - lightness) * f64::from(step) / 100.0;
            let scale = if range(lightness) > 0.0 { range(to) / range(lightness) } else { 0.0 };
            Self(parts.map(|part| ((to + (part - lightness) * scale) * 255.0).round() as u8))
        };
        (0..=100)
            .map(raised)
            .find(|colour| colour.contrast(surface) >= min_contrast)
            .unwrap_or(self)
    }

    /// Contrast ratio.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    /// Relative luminance.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lighter_colour_keeps_its_hue() {
        for (text, lighter) in
            [("166534", "28b85f"), ("000", "a1a1a1"), ("fbbf24", "fbbf24"), ("00f", "9494ff")]
        {
            let shown = Colour::parse(text).unwrap().lightened_on(DARK_SURFACE, 7.0);
            assert!(shown.contrast(DARK_SURFACE) >= 7.0, "{text}");
            assert_eq!(shown.digits(), lighter, "{text}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        let contrast = |text: &str, surface| Colour::parse(text).unwrap().contrast(surface);
        assert!((contrast("000", LIGHT_SURFACE) - 21.0).abs() < 1e-9);
        // The contrasts stated for the tokens, to one decimal.
        assert!((contrast("b45309", LIGHT_SURFACE) - 5.0).abs() < 0.05);
        assert!((contrast("#fbbf24", DARK_SURFACE) - 11.2).abs() < 0.05);
    }
}
