use serde::{Deserialize, Serialize};

/// The body of `GET /embed/globe/markers`: approved reports by city, those with the most first.
/// Not part of the API: it is made for the globe, and as short as ten thousand cities need it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Markers {
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
    pub String,
    /// The country's place in [`Markers::countries`].
    pub usize,
    /// What the position is the position of: `c` the city, `r` its region, `n` its country.
    pub char,
);

/// A report's id and where it is: `[id, lat, lng]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Newest(pub String, pub f32, pub f32);

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
