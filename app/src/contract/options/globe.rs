/// Options of the globe only. All are off by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GlobeOptions {
    /// `start=48.85,2.35`: initial centre of the globe, instead of the newest report.
    pub start: Option<Start>,
    /// `rotate=on`: rotates slowly while the visitor does nothing else with it.
    pub is_rotating: bool,
    /// `labels=on`: shows the names of the busiest visible places.
    pub is_labelled: bool,
    /// `cluster=off`: every place is a separate disc, even if it overlaps others.
    pub is_unclustered: bool,
}

impl GlobeOptions {
    /// Sets the option with this name. Returns whether there is one.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        let is = |switch: &mut bool, on: &str, off: &str| {
            if value == on || value == off {
                *switch = value == on;
            }
        };
        match name {
            "start" => self.start = Start::parse(value).or(self.start),
            "rotate" => is(&mut self.is_rotating, "on", "off"),
            "labels" => is(&mut self.is_labelled, "on", "off"),
            "cluster" => is(&mut self.is_unclustered, "off", "on"),
            _ => return false,
        }
        true
    }

    /// The options that differ from their defaults, as
    /// [`EmbedOptions::pairs`](super::EmbedOptions::pairs).
    pub(super) fn pairs(&self) -> [(&'static str, Option<String>); 4] {
        let Self { start, is_rotating, is_labelled, is_unclustered } = self;
        let switched = |is: &bool, value: &str| is.then(|| value.to_owned());
        [
            ("start", start.map(Start::text)),
            ("rotate", switched(is_rotating, "on")),
            ("labels", switched(is_labelled, "on")),
            ("cluster", switched(is_unclustered, "off")),
        ]
    }
}

/// A point on the Earth, in hundredths of a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    lat: i16,
    lng: i16,
}

impl Start {
    /// Parses latitude and longitude in degrees, separated by a comma. North and east are positive.
    fn parse(text: &str) -> Option<Self> {
        let (lat, lng) = text.split_once(',')?;
        let hundredths = |text: &str, most: f32| -> Option<i16> {
            let degrees: f32 = text.trim().parse().ok()?;
            (degrees.abs() <= most).then(|| (degrees * 100.0).round() as i16)
        };
        Some(Self { lat: hundredths(lat, 90.0)?, lng: hundredths(lng, 180.0)? })
    }

    fn text(self) -> String {
        format!("{},{}", self.lat(), self.lng())
    }

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
            assert_eq!(Start::parse(text).map(Start::text).as_deref(), Some(same), "{text}");
        }
        for text in ["", "48.85", "90.1,0", "0,180.01", "x,1", "1,2,3", "NaN,0", "0,inf"] {
            assert_eq!(Start::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_switch_is_on_or_off_and_nothing_else() {
        let mut options = GlobeOptions::default();
        for (value, is_rotating) in [("on", true), ("yes", true), ("off", false), ("ON", false)] {
            assert!(options.set("rotate", value));
            assert_eq!(options.is_rotating, is_rotating, "{value}");
        }
        assert!(options.set("cluster", "off") && options.is_unclustered);
        assert!(!options.set("spin", "on"));
    }
}
