use std::sync::Arc;

/// A city and the country and region that it is in. In the order of country, region, city.
// Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Location")]
pub struct CityName {
    /// Country in the spelling first published.
    pub country: Arc<str>,
    /// Region in the spelling first published; empty if none was reported.
    pub region: Arc<str>,
    /// City in the spelling first published.
    pub city: Arc<str>,
}
