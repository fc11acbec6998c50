use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Body of `GET /embed/globe/markers`: approved reports by city, sorted by number of reports,
/// largest first. Made for the globe, and compact because there may be ten thousand cities.
/// `docs/api.md` describes it for others, so it only gains members, and elements at the end of arrays.
///
/// City, country and position together identify a marker. With `?since=<version>`, the body
/// contains only changes: markers that are new or have other counts, in full, and removed ones with
/// zero counts. If the server no longer has that version, the body contains all markers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Markers {
    /// Identifies this state of the markers.
    pub version: String,
    /// The version to which `markers` are the changes; `None` if they are complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Names of the countries, each once. Markers refer to them by index.
    pub countries: Vec<String>,
    pub markers: Vec<Marker>,
    /// Positions of the newest reports, newest first. They may be in cities too small for a marker.
    pub newest: Vec<Newest>,
}

/// A city: `[lat, lng, spirit, water, both, city, country, precision]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker(
    /// Latitude and longitude in degrees, with two decimals: about one kilometre.
    pub f32,
    pub f32,
    pub u64,
    pub u64,
    pub u64,
    pub Arc<str>,
    /// Index of the country in [`Markers::countries`].
    pub usize,
    /// Precision of the position: `c` for the city, `r` for its region, `n` for its country.
    pub char,
);

/// A report and its position: `[id, lat, lng, city, country]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Newest(pub String, pub f32, pub f32, pub String, pub String);

impl Marker {
    /// The counts, in the order of [`ReportType::ALL`](super::ReportType::ALL).
    pub fn counts(&self) -> [u64; 3] {
        [self.2, self.3, self.4]
    }

    /// Whether the position is only that of the region or country.
    pub fn is_rough(&self) -> bool {
        self.7 != 'c'
    }
}
