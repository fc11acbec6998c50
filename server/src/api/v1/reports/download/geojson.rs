//! GeoJSON (RFC 7946): a feature for each report, at the position of its city.

use std::collections::HashMap;

use edge::representation::to_json;
use geo::gazetteer::Gazetteer;
use model::{PlacePosition, Report};
use serde_json::json;

use crate::responses::place_position;

pub(super) const CONTENT_TYPE: &str = "application/geo+json";
/// Start of the file.
pub(super) const START: &[u8] = b"{\"type\":\"FeatureCollection\",\"features\":[";

/// Maximum number of cities whose positions are remembered while a file is written: some megabytes.
const MAX_CITIES: usize = 50_000;

/// Positions of the cities of a file, each searched in the gazetteer once.
#[derive(Debug, Default)]
pub(super) struct CityPositions {
    known: HashMap<Box<str>, Option<PlacePosition>>,
    key: String,
}

impl CityPositions {
    pub(super) fn of(&mut self, country: &str, region: &str, city: &str) -> Option<PlacePosition> {
        self.key.clear();
        for name in [country, "\n", region, "\n", city] {
            self.key.push_str(name);
        }
        if let Some(known) = self.known.get(self.key.as_str()) {
            return *known;
        }
        let position = Gazetteer::get().locate(country, region, city).as_ref().map(place_position);
        if self.known.len() >= MAX_CITIES {
            self.known.clear();
        }
        self.known.insert(self.key.as_str().into(), position);
        position
    }
}

/// Appends a feature. Its properties are the members of the report, and the precision of the position.
pub(super) fn push_feature(out: &mut Vec<u8>, report: &Report, position: Option<PlacePosition>) {
    let id = json!(report.id);
    let geometry = match position {
        Some(PlacePosition { lat, lng, .. }) => {
            json!({ "type": "Point", "coordinates": [lng, lat] })
        }
        None => json!(null),
    };
    let head =
        format!("{{\"type\":\"Feature\",\"id\":{id},\"geometry\":{geometry},\"properties\":");
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(&to_json(report));
    if let Some(PlacePosition { precision, .. }) = position {
        // In place of the brace that ends the report, which has other members.
        out.pop();
        out.extend_from_slice(format!(",\"precision\":\"{precision}\"}}").as_bytes());
    }
    out.push(b'}');
}
