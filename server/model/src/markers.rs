use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The body of `GET /embed/globe/markers`: approved reports by city, those with the most first.
/// Not part of the API: it is made for the globe, and as short as ten thousand cities need it.
///
/// No two markers have the same city, country and position, which so identify one. With
/// `?since=<version>` the body has only the markers that are new or have other counts, in full, and
/// those that are gone, with zero counts; unless the server no longer knows that version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Markers {
    /// Names this state of the markers.
    pub version: String,
    /// The version that `markers` are the changes of; none where they are all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Each country's name once; a marker has its place in this list.
    pub countries: Vec<String>,
    pub markers: Vec<Marker>,
    /// Where the newest reports are, newest first. They may be in cities too small for a marker.
    pub newest: Vec<Newest>,
}

/// A city: `[lat, lng, spirit, water, both, city, country, precision]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker(
    /// Degrees, to two decimals: about a kilometre.
    pub f32,
    pub f32,
    pub u64,
    pub u64,
    pub u64,
    pub Arc<str>,
    /// The country's place in [`Markers::countries`].
    pub usize,
    /// What the position is the position of: `c` the city, `r` its region, `n` its country.
    pub char,
);

/// A report and where it is: `[id, lat, lng, city, country]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Newest(pub String, pub f32, pub f32, pub String, pub String);

impl Marker {
    /// The counts, in the order of [`ReportType::ALL`](super::ReportType::ALL).
    pub fn counts(&self) -> [u64; 3] {
        [self.2, self.3, self.4]
    }

    /// Whether the position is not that of the city itself.
    pub fn is_rough(&self) -> bool {
        self.7 != 'c'
    }
}
