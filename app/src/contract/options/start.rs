use super::value::{Input, Parsed};

/// `start=`: initial centre of the globe, a point on the Earth in hundredths of a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    lat: i16,
    lng: i16,
}

impl Parsed for Start {
    const INPUT: Input = Input::Text;

    /// Parses latitude and longitude in degrees, separated by a comma. North and east are positive.
    fn parse(text: &str) -> Option<Self> {
        let (lat, lng) = text.split_once(',')?;
        let hundredths = |text: &str, most: f32| -> Option<i16> {
            let degrees: f32 = text.trim().parse().ok()?;
            (degrees.abs() <= most).then(|| (degrees * 100.0).round() as i16)
        };
        Some(Self { lat: hundredths(lat, 90.0)?, lng: hundredths(lng, 180.0)? })
    }

    fn text(&self) -> String {
        format!("{},{}", self.lat(), self.lng())
    }
}

impl Start {
    /// Latitude in degrees.
    pub(crate) fn lat(self) -> f32 {
        f32::from(self.lat) / 100.0
    }

    /// Longitude in degrees.
    pub(crate) fn lng(self) -> f32 {
        f32::from(self.lng) / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_a_point_on_the_earth() {
        for (text, same) in [
            ("48.85,2.35", "48.85,2.35"),
            ("-90,180", "-90,180"),
            (" 0 , -0.004", "0,0"),
            ("1e1,2", "10,2"),
        ] {
            assert_eq!(
                Start::parse(text).map(|start| start.text()).as_deref(),
                Some(same),
                "{text}"
            );
        }
        for text in ["", "48.85", "90.1,0", "0,180.01", "x,1", "1,2,3", "NaN,0", "0,inf"] {
            assert_eq!(Start::parse(text), None, "{text}");
        }
    }
}
