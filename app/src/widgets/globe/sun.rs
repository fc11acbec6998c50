//! The sun, which divides the globe into day and night.

use super::sphere::{Position, Sphere, point, sin_cos};

/// Milliseconds of a day, and days of a year.
const DAY: f64 = 86_400_000.0;
const YEAR: f64 = 365.2422;

/// Position at which the sun is overhead, accurate to some degrees. `year` and `day` are the
/// elapsed parts of the year and of the day (UTC), from 0 to 1.
pub(super) fn overhead(year: f32, day: f32) -> Position {
    // The December solstice is ten days before the end of the year.
    let (_, season) = sin_cos((year + 10.0 / YEAR as f32) * 360.0);
    Position { lat: -23.4 * season, lng: 180.0 - 360.0 * day }
}

/// Direction of the sun in a view of the globe, at a time in milliseconds since 1970.
pub(super) fn direction(sphere: &Sphere, time: f64) -> [f32; 3] {
    let days = time / DAY;
    let part = |whole: f64| (whole - whole.floor()) as f32;
    let Position { lat, lng } = overhead(part(days / YEAR), part(days));
    sphere.project(point(lat, lng))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sun_is_in_the_south_at_noon_and_north_of_the_equator_in_june() {
        let noon = overhead(172.0 / 365.0, 0.5);
        assert!((noon.lat - 23.4).abs() < 0.2 && noon.lng.abs() < 0.01, "{noon:?}");
        let evening = overhead(355.0 / 365.0, 0.75);
        assert!((evening.lat + 23.4).abs() < 0.2, "{evening:?}");
        assert!((evening.lng + 90.0).abs() < 0.01, "{evening:?}");
        assert!(overhead(80.0 / 365.0, 0.0).lat.abs() < 1.0);
    }

    #[test]
    fn it_is_day_where_one_faces_the_sun() {
        // 20 March 2024, 12:00 UTC.
        let noon = 1_710_936_000_000.0;
        assert!(direction(&Sphere::facing(0.0, 0.0), noon)[2] > 0.99);
        assert!(direction(&Sphere::facing(0.0, 180.0), noon)[2] < -0.99);
        // In the evening, the sun is in the west, on the left.
        assert!(direction(&Sphere::facing(0.0, 90.0), noon)[0] < -0.99);
    }
}
