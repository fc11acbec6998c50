use serde::{Serialize, Serializer};

/// Position of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Position"))]
pub struct PlacePosition {
    /// Latitude in degrees, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "f32", range(min = -90, max = 90)))]
    pub lat: Hundredths,
    /// Longitude in degrees, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "f32", range(min = -180, max = 180)))]
    pub lng: Hundredths,
    /// Kind of place that the position is of: `city`, `region` or `country`.
    pub precision: &'static str,
}

/// Degrees in whole hundredths, about one kilometre: positions of places are no more precise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hundredths(i32);

impl Hundredths {
    pub fn of(degrees: f32) -> Self {
        Self((degrees * 100.0).round() as i32)
    }

    pub fn degrees(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.degrees())
    }
}
