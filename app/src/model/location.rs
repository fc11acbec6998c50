use serde::{Deserialize, Serialize};

/// A distinct place with approved reports. `region` is empty where none was reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub country: String,
    pub region: String,
    pub city: String,
}
